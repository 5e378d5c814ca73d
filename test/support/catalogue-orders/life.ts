import type { Life } from '../request-orders/explore.js';
import { faultsIn } from './faults-in.js';
import * as goods from './goods-acts.js';
import * as people from './people-acts.js';
import { Shop } from './shop.js';

type Act = (shop: Shop) => void;

const ACTS: readonly Act[] = [
  goods.createProduct,
  goods.changeProduct,
  goods.changeProduct,
  goods.deleteProduct,
  goods.changeVariants,
  goods.changeVariants,
  goods.sort,
  goods.sort,
  goods.tagProduct,
  goods.keepPlaces,
  goods.moveGoods,
  people.keepCustomers,
  people.keepCustomers,
  people.keepDestinations,
  people.keepStore,
  (shop) => {
    shop.misuseKey();
  },
  (shop) => {
    shop.repeats.repeat();
  },
  (shop) => {
    shop.repeats.repeat();
  },
];

const MOST_STEPS = 8_000;

/** What a store keeps books of, changed by several at once, while processes die and answers get lost. */
export class CatalogueLife implements Life {
  private readonly shop: Shop;

  constructor(seed: number) {
    this.shop = new Shop(seed);
  }

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
    const { shop } = this;
    const { world } = shop;
    const { draws, schedule } = world;
    await shop.begin();
    for (const more of [{ stockQty: 5 }, { variants: [{ label: 'P', stockQty: 5 }, { label: 'G' }] }])
      await world.done(shop.ask(world.any(), goods.creation(shop, more)));
    world.lossy = draws.of([0, 0, 0, 0.02, 0.05]);
    let wishes = 8 + draws.under(35);
    let deaths = draws.of([0, 0, 0, 1, 2]);
    const haste = draws.of([0.02, 0.1, 0.3]);
    // A life is mostly about few things: they meet more often so.
    const liked = Array.from({ length: 2 + draws.under(4) }, () => draws.of(ACTS));
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      schedule.now += draws.under(20);
      if (draws.chance(0.005)) schedule.now += draws.under(40_000);
      if (wishes > 0 && (!world.isBusy || draws.chance(haste))) {
        wishes -= 1;
        draws.of(draws.chance(0.6) ? liked : ACTS)(shop);
      }
      if (deaths > 0 && draws.chance(0.006)) {
        deaths -= 1;
        world.die();
      }
      if (!(await world.step()) && wishes === 0) break;
    }
    await world.comeToRest();
    shop.faults.push(...(await faultsIn(shop)));
    for (const process of world.processes) process.close();
  }
}
