import type { Life } from '../request-orders/explore.js';
import type { Shop } from './shop.js';

export type Act = (shop: Shop) => void;

interface Course {
  readonly acts: readonly Act[];
  /** What there is before anybody asks for anything. */
  begin(shop: Shop): Promise<void>;
  /** So much more may be asked for than eight requests. */
  readonly mostWishes: number;
  /** What must not be once everything has come to rest. */
  faultsIn(shop: Shop): Promise<readonly string[]>;
}

const MOST_STEPS = 8_000;

/** What a store keeps books of, changed by several at once, while processes die and answers get lost. */
export class ShopLife implements Life {
  constructor(
    private readonly shop: Shop,
    private readonly course: Course,
  ) {}

  get faults(): readonly string[] {
    return this.shop.faults;
  }

  get story(): readonly string[] {
    return this.shop.world.schedule.story;
  }

  set onTold(hear: (line: string) => void) {
    this.shop.world.schedule.onTold = hear;
  }

  async live(): Promise<void> {
    const { shop, course } = this;
    const { world } = shop;
    const { draws, schedule } = world;
    await shop.begin();
    await course.begin(shop);
    world.lossy = draws.of([0, 0, 0, 0.02, 0.05]);
    let wishes = 8 + draws.under(course.mostWishes);
    let deaths = draws.of([0, 0, 0, 1, 2]);
    const haste = draws.of([0.02, 0.1, 0.3]);
    // A life is mostly about few things: they meet more often so.
    const liked = Array.from({ length: 2 + draws.under(4) }, () => draws.of(course.acts));
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      schedule.now += draws.under(20);
      if (draws.chance(0.005)) schedule.now += draws.under(40_000);
      if (wishes > 0 && (!world.isBusy || draws.chance(haste))) {
        wishes -= 1;
        draws.of(draws.chance(0.6) ? liked : course.acts)(shop);
      }
      if (deaths > 0 && draws.chance(0.006)) {
        deaths -= 1;
        world.die();
      }
      if (!(await world.step()) && wishes === 0) break;
    }
    await world.comeToRest();
    shop.faults.push(...(await course.faultsIn(shop)));
    for (const process of world.processes) process.close();
  }
}
