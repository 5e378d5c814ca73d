import { remember } from './horizon.js';
import { Owners } from './neighbours.js';
import { faultsOfHistories, faultsOfPasts } from './pasts.js';
import { faultsOfProofs } from './proofs.js';
import { faultsOfPromise, idsIn } from './promises.js';
import { faultsOfWalk, listsOf } from './walks.js';
import { entriesOf } from '../../../src/features/inventory/events.js';
import { metaOf } from '../../../src/kernel/events/recorded.js';
import { START } from '../../../src/ports/event-store.js';
import { StoreUnavailable } from '../../../src/ports/event-store.js';
import { Dead } from '../fiscal-orders/schedule.js';
import { faultsAtEnd, faultsOfReads, stackOf } from './faults-in.js';
import type { Asker, Asking } from './asking.js';
import { faultsOfAnswer } from './faults-of-answers.js';
import type { Told } from './process.js';
import { GoodsProcess } from './process.js';
import { OTHER_STORE, Shop } from './shop.js';
import { opened } from './opening.js';
import type { Wish } from './wishes.js';
import { wishesOf } from './wishes.js';

const MOST_STEPS = 12_000;

interface How {
  /** The idempotency key. */
  readonly key?: string | undefined;
  readonly isDry?: boolean;
}

/** People, deaths and pauses among processes that share stores of goods, all of them drawn; then everything comes to rest. */
class Exploration {
  readonly shop: Shop;
  readonly faults: string[] = [];
  readonly askers: readonly Asker[];
  private readonly owners: Owners;
  private processes: GoodsProcess[] = [];
  private running = 0;
  private names = 0;

  constructor(seed: number) {
    this.shop = new Shop(seed);
    const { draws } = this.shop;
    this.owners = new Owners(this.shop.log.events);
    remember(draws.of([10_000, 10_000, 4, 4, 12]));
    const shops = draws.chance(0.3) ? [this.shop, this.shop.beside(OTHER_STORE)] : [this.shop];
    this.askers = shops.map((shop) => ({
      shop,
      asked: [],
      tried: [],
      things: { places: [], products: {}, variants: {}, customers: [] },
      acknowledged: START,
    }));
    for (let count = this.shop.isAlone ? 1 : 2; count > 0; count--) this.processes.push(this.started());
  }

  private started(): GoodsProcess {
    this.names += 1;
    return new GoodsProcess(this.shop, `P${String(this.names)}`);
  }

  async run(): Promise<void> {
    const { shop } = this;
    const { draws, schedule } = shop;
    const wishes: ReturnType<typeof wishesOf>[] = [];
    for (const asker of this.askers) {
      await this.finished(
        draws.of(this.processes).newStore(asker.shop.storeId, `loja-${asker.shop.storeId.slice(-2)}`),
      );
      asker.things = await opened(draws, (wish) => this.answered(asker, wish));
      wishes.push(wishesOf(asker.shop, asker.things));
    }
    shop.lossy = draws.of([0, 0, 0, 0.03, 0.08]);
    let wanted = 8 + draws.under(40);
    let deaths = draws.of([0, 0, 0, 1, 3]);
    const keeping = draws.of([0, 0, 0.005, 0.02]);
    const rate = draws.of([0.02, 0.05, 0.15]);
    const [projecting, hearing] = [draws.of([0.01, 0.05, 0.3]), draws.of([0.005, 0.05, 0.3])];
    const liked = wishes.map(({ stock, production }) =>
      Array.from({ length: 2 + draws.under(4) }, () => draws.of(draws.chance(0.5) ? stock : production)),
    );
    let focus: string | undefined;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      schedule.now += draws.under(20);
      if (draws.chance(0.01)) schedule.now += draws.under(40_000);
      if (draws.chance(0.03)) focus = draws.chance(0.5) ? undefined : draws.of(this.processes).name;
      if (wanted > 0 && draws.chance(this.running === 0 ? 0.4 : rate)) {
        wanted -= 1;
        const which = draws.chance(0.7) ? 0 : draws.under(wishes.length);
        const asker = this.askers[which] as Asker;
        const { stock = [], production = [], others = [], questions = [] } = wishes[which] ?? {};
        if (draws.chance(0.08)) this.somebodyReads(asker);
        if (draws.chance(0.3)) this.somebodyWants(asker, draws.of(questions));
        const among = draws.chance(0.6) ? (liked[which] ?? []) : [...stock, ...production, ...others];
        this.somebodyWants(asker, draws.of(among));
      }
      if (deaths > 0 && draws.chance(0.004)) {
        deaths -= 1;
        this.die(draws.of(this.processes));
      }
      if (draws.chance(keeping)) void draws.of(this.processes).keepStates().catch(shop.logged);
      if (draws.chance(projecting)) await shop.projectSome();
      shop.giveUp();
      for (const process of this.processes)
        if (process.ports.hasNews && draws.chance(hearing)) await process.ports.hear(1 + draws.under(5));
      const isMoved = await schedule.step((count) => draws.under(count), focus);
      this.look();
      if (!isMoved && wanted === 0 && this.running === 0) break;
      if (!isMoved) await this.goOn();
    }
    await this.comeToRest();
    for (const [which, asker] of this.askers.entries())
      for (let count = 3; count > 0; count--)
        await this.tryAndDo(asker, draws.of(Object.values(wishes[which] ?? {}).flat()));
    this.faults.push(...(await faultsOfReads(shop)));
    for (const asker of this.askers) {
      const ask = (wish: Wish) => this.answered(asker, wish);
      const stocks = () =>
        Promise.all(this.processes.map((process) => this.finished(process.stock(asker.shop.storeId))));
      const before = [...asker.asked];
      this.faults.push(...(await faultsOfPasts(asker.shop, before, ask)));
      this.faults.push(...(await faultsOfHistories(before, ask)));
      this.faults.push(...(await faultsOfProofs(asker.shop, before, ask)));
      this.faults.push(...(await faultsAtEnd(asker, ask, stocks)));
    }
    this.faults.push(...shop.errors.map((error) => `logged: ${stackOf(error)}`));
  }

  /** What is tried and then done at once. */
  private async tryAndDo(asker: Asker, drawn: () => Wish | undefined): Promise<void> {
    const wish = drawn();
    if (!wish || wish.method === 'get') return;
    const { shop, asked } = asker;
    const known = idsIn(shop);
    const tried = await this.answered(asker, wish, { isDry: true });
    const done = await this.answered(asker, wish);
    this.faults.push(...faultsOfPromise(shop, known, wish, [tried, done], asked.at(-1)?.id ?? ''));
  }

  private look(): void {
    for (const { shop } of this.askers) shop.look();
  }

  /** Nobody can act before something is heard of. */
  private async goOn(): Promise<void> {
    const { shop } = this;
    if (shop.somebodyWaits) await shop.projectSome();
    for (const process of this.processes) if (process.ports.hasNews) await process.ports.hear();
  }

  private somebodyWants(asker: Asker, drawn: () => Wish | undefined): void {
    const { draws } = this.shop;
    const again = [...asker.asked, ...asker.tried].filter(({ key }) => key !== undefined);
    if (draws.chance(0.15) && again.length > 0) {
      const { wish, key } = draws.of(again.slice(-5));
      void this.ask(asker, wish, { key });
      return;
    }
    const wish = drawn();
    if (!wish) return;
    const other = draws.of(this.askers);
    if (other !== asker && draws.chance(0.1)) {
      void this.ask(other, wish);
      return;
    }
    // Of each store alone: the same key may be another's as well.
    const next = asker.asked.length + asker.tried.length;
    const isCommand = wish.method !== 'get';
    const isKeyed = isCommand && draws.chance(0.5);
    const isDry = isCommand && draws.chance(0.1);
    void this.ask(asker, wish, { isDry, ...(isKeyed ? { key: `key-${String(next)}` } : {}) });
  }

  private somebodyReads(asker: Asker): void {
    const { draws } = this.shop;
    const ask = (wish: Wish) => this.ask(asker, wish);
    const codes = asker.shop.facts.flatMap((event) => entriesOf(event).flatMap(({ lotCode }) => lotCode ?? []));
    const list = draws.of(listsOf(codes.length === 0 ? undefined : draws.of(codes)));
    void faultsOfWalk(list, 1 + draws.under(4), ask).then((faults) => this.faults.push(...faults));
  }

  private async ask(asker: Asker, wish: Wish, { key, isDry = false }: How = {}): Promise<Told | undefined> {
    const { shop, asked, tried } = asker;
    const { schedule, log, storeId } = shop;
    const process = shop.draws.of(this.processes);
    const { what, mark: _mark, ...rest } = wish;
    const asking: Asking = {
      wish,
      key,
      storeId,
      isDry,
      id: `r${String(asked.length)}${isDry ? `d${String(tried.length)}` : ''} ${storeId.slice(-2)}`,
      since: asker.acknowledged,
      from: log.head,
      until: undefined,
      told: undefined,
    };
    (isDry ? tried : asked).push(asking);
    this.running += 1;
    const impatience = this.shop.impatience.get(process);
    schedule.tell(process, `BEGINS ${asking.id} to ${isDry ? 'try to ' : ''}${what} ${key ?? ''}`);
    try {
      const told = await process.ask({ ...rest, id: asking.id, storeId, key, isDry });
      asking.told = told;
      asking.until = log.head;
      schedule.tell(process, `ANSWERS ${asking.id}: ${String(told.status)} ${told.code ?? ''}`);
      // What was not shown in time is answered all the same, and others may not see it yet.
      if (told.status < 300 && this.shop.impatience.get(process) === impatience) this.acknowledge(asker, asking);
      this.look();
      this.faults.push(...faultsOfAnswer(shop, asking, asked), ...this.owners.faultsOf(storeId, told.body));
      return told;
    } catch (error) {
      schedule.tell(process, `BREAKS OFF ${asking.id}: ${String(error)}`);
      if (!(error instanceof Dead || error instanceof StoreUnavailable)) shop.logged(error);
      return undefined;
    } finally {
      this.running -= 1;
    }
  }

  private acknowledge(asker: Asker, { id }: Asking): void {
    const own = this.shop.log.events.findLast((event) => metaOf(event).requestId === id);
    if (own && own.position > asker.acknowledged) asker.acknowledged = own.position;
  }

  private die(process: GoodsProcess): void {
    this.shop.schedule.kill(process);
    this.shop.forget(process);
    void process.leave();
    this.processes = this.processes.map((one) => (one === process ? this.started() : one));
  }

  private async answered(asker: Asker, wish: Wish, how: How = {}): Promise<Told> {
    let told: Told | undefined;
    void this.ask(asker, wish, how).then((answer) => (told = answer));
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
      this.look();
      shop.giveUp();
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
  return {
    faults: exploration.faults,
    story: exploration.shop.schedule.story,
    asked: exploration.askers.flatMap(({ asked }) => asked),
  };
}
