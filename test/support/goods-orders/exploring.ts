import { remember } from './horizon.js';
import { metaOf } from '../../../src/kernel/events/recorded.js';
import type { Position } from '../../../src/ports/event-store.js';
import { START } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import { Dead } from '../fiscal-orders/schedule.js';
import { faultsAtEnd } from './faults-in.js';
import type { Asking } from './asking.js';
import { faultsOfAnswer } from './faults-of-answers.js';
import type { Told } from './process.js';
import { GoodsProcess } from './process.js';
import { Shop } from './shop.js';
import type { Things } from './drawn.js';
import { opened } from './opening.js';
import type { Wish } from './wishes.js';
import { wishesOf } from './wishes.js';

const MOST_STEPS = 12_000;

/** People, deaths and pauses among processes that share a store of goods, all of them drawn; then everything comes to rest. */
class Exploration {
  readonly shop: Shop;
  readonly faults: string[] = [];
  readonly asked: Asking[] = [];
  private processes: GoodsProcess[] = [];
  private running = 0;
  private names = 0;
  private requests = 0;
  private things: Things = { places: [], products: {}, variants: {} };
  /** How far the log was answered for. */
  private acknowledged: Position = START;

  constructor(seed: number) {
    this.shop = new Shop(seed);
    const { draws } = this.shop;
    remember(draws.of([10_000, 10_000, 4, 4, 12]));
    for (let count = this.shop.isAlone ? 1 : 2; count > 0; count--) this.processes.push(this.started());
  }

  private started(): GoodsProcess {
    this.names += 1;
    return new GoodsProcess(this.shop, `P${String(this.names)}`);
  }

  async run(): Promise<void> {
    const { shop } = this;
    const { draws, schedule } = shop;
    this.things = await opened(draws, (wish) => this.answered(wish));
    const { stock, production, others } = wishesOf(shop, this.things);
    const all = [...stock, ...production, ...others];
    shop.lossy = draws.of([0, 0, 0, 0.03, 0.08]);
    let wanted = 8 + draws.under(40);
    let deaths = draws.of([0, 0, 0, 1, 3]);
    const keeping = draws.of([0, 0, 0.005, 0.02]);
    const rate = draws.of([0.02, 0.05, 0.15]);
    const [projecting, hearing] = [draws.of([0.01, 0.05, 0.3]), draws.of([0.005, 0.05, 0.3])];
    const liked = Array.from({ length: 2 + draws.under(4) }, () => draws.of(draws.chance(0.5) ? stock : production));
    let focus: string | undefined;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      schedule.now += draws.under(20);
      if (draws.chance(0.01)) schedule.now += draws.under(40_000);
      if (draws.chance(0.03)) focus = draws.chance(0.5) ? undefined : draws.of(this.processes).name;
      if (wanted > 0 && draws.chance(this.running === 0 ? 0.4 : rate)) {
        wanted -= 1;
        this.somebodyWants(draws.of(draws.chance(0.6) ? liked : all));
      }
      if (deaths > 0 && draws.chance(0.004)) {
        deaths -= 1;
        this.die(draws.of(this.processes));
      }
      if (draws.chance(keeping)) void draws.of(this.processes).keepStates().catch(shop.logged);
      if (draws.chance(projecting)) await shop.projectSome();
      for (const process of this.processes)
        if (process.ports.hasNews && draws.chance(hearing)) await process.ports.hear(1 + draws.under(5));
      const isMoved = await schedule.step((count) => draws.under(count), focus);
      shop.look();
      if (!isMoved && wanted === 0 && this.running === 0) break;
      if (!isMoved) await this.goOn();
    }
    await this.comeToRest();
    const stocks = () => Promise.all(this.processes.map((process) => this.finished(process.stock())));
    this.faults.push(...(await faultsAtEnd(shop, this.asked, (wish) => this.answered(wish), this.things, stocks)));
  }

  /** Nobody can act before something is heard of. */
  private async goOn(): Promise<void> {
    const { shop } = this;
    if (shop.somebodyWaits) await shop.projectSome();
    for (const process of this.processes) if (process.ports.hasNews) await process.ports.hear();
  }

  private somebodyWants(drawn: () => Wish | undefined): void {
    const { draws } = this.shop;
    const again = this.asked.filter(({ key }) => key !== undefined);
    if (draws.chance(0.15) && again.length > 0) {
      const { wish, key } = draws.of(again.slice(-5));
      void this.ask(wish, key);
      return;
    }
    const wish = drawn();
    if (!wish) return;
    this.requests += 1;
    const isKeyed = wish.method !== 'get' && draws.chance(0.5);
    void this.ask(wish, isKeyed ? `key-${String(this.requests)}` : undefined);
  }

  private async ask(wish: Wish, key?: string): Promise<Told | undefined> {
    const { shop } = this;
    const { schedule, log } = shop;
    const process = shop.draws.of(this.processes);
    const { what, mark: _mark, ...rest } = wish;
    const asking: Asking = {
      wish,
      key,
      id: `r${String(this.asked.length)}`,
      since: this.acknowledged,
      from: log.head,
      until: undefined,
      told: undefined,
    };
    this.asked.push(asking);
    this.running += 1;
    schedule.tell(process, `BEGINS ${asking.id} to ${what} ${key ?? ''}`);
    try {
      const told = await process.ask({ ...rest, id: asking.id, key });
      asking.told = told;
      asking.until = log.head;
      schedule.tell(process, `ANSWERS ${asking.id}: ${String(told.status)} ${told.code ?? ''}`);
      if (told.status < 300) this.acknowledge(asking);
      shop.look();
      this.faults.push(...faultsOfAnswer(shop, asking, this.asked));
      return told;
    } catch (error) {
      schedule.tell(process, `BREAKS OFF ${asking.id}: ${String(error)}`);
      if (!(error instanceof Dead || error instanceof StoreUnavailable)) shop.logged(error);
      return undefined;
    } finally {
      this.running -= 1;
    }
  }

  private acknowledge({ id }: Asking): void {
    const own = this.shop.log.events.findLast((event) => metaOf(event).requestId === id);
    if (own && own.position > this.acknowledged) this.acknowledged = own.position;
  }

  private die(process: GoodsProcess): void {
    this.shop.schedule.kill(process);
    this.shop.forget(process);
    void process.leave();
    this.processes = this.processes.map((one) => (one === process ? this.started() : one));
  }

  private async answered(wish: Wish): Promise<Told> {
    let told: Told | undefined;
    void this.ask(wish).then((answer) => (told = answer));
    await this.drained();
    if (!told) throw new Error(`there is no answer: ${wish.what}`);
    return told;
  }

  private async finished<T>(work: Promise<T>): Promise<T> {
    this.running += 1;
    void work.catch(() => undefined).finally(() => (this.running -= 1));
    await this.drained();
    return work;
  }

  private async comeToRest(): Promise<void> {
    const { shop } = this;
    shop.schedule.tell(undefined, '---- calm');
    shop.lossy = 0;
    await this.drained();
    if (this.running > 0) this.faults.push('a request never ends');
  }

  private async drained(): Promise<void> {
    const { shop } = this;
    // Somebody may wait for what has just been heard.
    const patience = (): number => (this.running > 0 ? 50 : 4);
    for (let idle = 0, steps = 0; steps < 20_000 && idle < patience(); steps++) {
      shop.schedule.now += 1;
      const isMoved = await shop.schedule.step(() => 0);
      shop.look();
      idle = isMoved ? 0 : idle + 1;
      if (isMoved) continue;
      if (!shop.isProjected) await shop.project(shop.names);
      for (const process of this.processes) if (process.ports.hasNews) await process.ports.hear();
    }
  }
}

/** What went wrong with one seed, and what happened. */
export async function explored(seed: number): Promise<{
  readonly faults: readonly string[];
  readonly story: readonly string[];
  readonly asked: readonly Asking[];
}> {
  const exploration = new Exploration(seed);
  try {
    await exploration.run();
  } catch (error) {
    exploration.faults.push(error instanceof Error ? (error.stack ?? '') : String(error));
  }
  return { faults: exploration.faults, story: exploration.shop.schedule.story, asked: exploration.asked };
}
