import { FISCAL_WORK } from '../../../src/features/fiscal/issuing/work-rows.js';
import { faultsIn } from './faults-in.js';
import type { RequestIdentity } from './process.js';
import { Process } from './process.js';
import type { Request } from './requests.js';
import { cancelDocument, cancelSale, giveUpNumber, issue, requested, returnGoods, transmit } from './requests.js';
import { Shop } from './shop.js';

/** Longer than others leave alone what a process is at. */
const STANDSTILL = 155_000;
const MOST_STEPS = 3_000;
const ROUNDS = 150;

interface Asked {
  readonly request: Request;
  readonly identity: RequestIdentity;
  readonly process: Process;
}

/** People, deaths and pauses among processes that share a store, all of them drawn; then everything comes to rest. */
class Exploration {
  readonly shop: Shop;
  readonly faults: string[] = [];
  private processes: Process[];
  private readonly keyed: Asked[] = [];
  private running = 0;
  private names = 0;

  constructor(seed: number) {
    this.shop = new Shop(seed);
    this.processes = Array.from({ length: this.shop.isAlone ? 1 : 2 }, () => this.started());
  }

  private started(): Process {
    this.names += 1;
    return new Process(this.shop, `P${String(this.names)}`);
  }

  async run(): Promise<void> {
    const { shop } = this;
    const { draws, schedule } = shop;
    await shop.sell();
    if (draws.chance(0.3)) await shop.sell();
    let wishes = 2 + draws.under(9);
    let deaths = draws.of([0, 0, 1, 2, 4]);
    const standstills = draws.of([0, 0.002, 0.01]);
    const mayBothWork = draws.chance(0.2);
    let focus: string | undefined;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      this.passTime(standstills);
      if (draws.chance(0.03)) focus = draws.chance(0.5) ? undefined : draws.of(this.processes).name;
      if (wishes > 0 && draws.chance(schedule.isIdle ? 0.5 : 0.03)) {
        wishes -= 1;
        this.somethingHappens();
      }
      if (deaths > 0 && draws.chance(0.006)) {
        deaths -= 1;
        this.die(draws.chance(0.2) ? this.processes : [draws.of(this.processes)]);
      }
      if (draws.chance(0.03) && (mayBothWork || this.processes.every(({ isWorking }) => !isWorking))) {
        const process = draws.of(this.processes);
        if (!process.isWorking) process.work();
      }
      const isMoved = await schedule.step((count) => draws.under(count), focus);
      if (!isMoved && wishes === 0 && this.running === 0) break;
      if (!isMoved) schedule.now += draws.under(4_000);
    }
    await this.comeToRest();
    this.faults.push(...(await faultsIn(shop)));
  }

  private passTime(standstills: number): void {
    const { draws, schedule } = this.shop;
    schedule.now += draws.under(60);
    if (draws.chance(standstills)) schedule.now += STANDSTILL;
    else if (draws.chance(0.02)) schedule.now += draws.under(20_000);
    else if (draws.chance(0.002)) schedule.now += draws.under(1_900_000);
  }

  private die(dying: readonly Process[]): void {
    for (const process of dying) this.shop.schedule.kill(process);
    this.processes = this.processes.map((process) => (dying.includes(process) ? this.started() : process));
  }

  private somethingHappens(): void {
    const { draws, documentIds } = this.shop;
    const kinds = [
      'issue',
      'transmit',
      'transmit',
      'transmit',
      'cancel',
      'give up',
      'cancel sale',
      'issue',
      'return',
    ] as const;
    const kind = documentIds.length === 0 ? 'issue' : draws.of([...kinds, 'once more', 'set'] as const);
    if (kind === 'set') this.somethingIsSet();
    else if (kind === 'once more') this.askOnceMore();
    else this.ask(this.drawn(kind));
  }

  private drawn(kind: 'issue' | 'transmit' | 'cancel' | 'give up' | 'cancel sale' | 'return'): Request {
    const { shop } = this;
    const { draws } = shop;
    const saleId = draws.of(shop.saleIds);
    const documentId = draws.of(['', ...shop.documentIds].slice(-3));
    switch (kind) {
      case 'issue': {
        const model = draws.chance(0.2) ? 55 : 65;
        return issue(saleId, model, model === 65 && draws.chance(0.15));
      }
      case 'transmit':
        return transmit(documentId);
      case 'cancel':
        return cancelDocument(shop, documentId);
      case 'give up':
        return giveUpNumber(shop, documentId);
      case 'cancel sale':
        return cancelSale(saleId);
      case 'return':
        return returnGoods(shop, saleId, draws.chance(0.8) ? 1 : 2);
    }
  }

  private somethingIsSet(): void {
    const { shop } = this;
    const what = shop.draws.of(['data', 'data', 'series', 'certificate'] as const);
    if (what === 'data') shop.isIncomplete = !shop.isIncomplete;
    else if (what === 'series') shop.series += 1;
    else shop.authority.certificate = `${shop.authority.certificate}I`;
    shop.schedule.tell(undefined, `SOMEBODY SETS the ${what}`);
  }

  private ask(request: Request): void {
    const process = this.shop.draws.of(this.processes);
    const identity = { seed: this.shop.newSeed(), isKeyed: this.shop.draws.chance(0.5) };
    if (identity.isKeyed) this.keyed.push({ request, identity, process });
    this.begin(process, request, identity);
  }

  /** A client repeats what it asked of a process that is gone. */
  private askOnceMore(): void {
    const unanswered = this.keyed.filter(({ process }) => process.isDead);
    if (unanswered.length === 0) return;
    const { request, identity } = this.shop.draws.of(unanswered);
    this.begin(this.shop.draws.of(this.processes), request, { ...identity, repeatSince: identity.seed.at });
  }

  private begin(process: Process, request: Request, identity: RequestIdentity): void {
    this.running += 1;
    void requested(this.shop, process, request, identity).finally(() => (this.running -= 1));
  }

  /** Nothing gets lost any more, and what is due is done until nothing is left. */
  private async comeToRest(): Promise<void> {
    const { shop } = this;
    const { schedule, vault } = shop;
    schedule.tell(undefined, '---- calm');
    schedule.isCalm = true;
    shop.isIncomplete = false;
    await this.drained();
    if (this.running > 0) this.faults.push('a request never ends');
    for (let round = 0; round < ROUNDS; round++) {
      const rows = await vault.list(FISCAL_WORK, { limit: 100 });
      if (rows.length === 0) return;
      schedule.now = Math.max(schedule.now, Math.min(...rows.map(({ dueAt = 0 }) => dueAt))) + 1;
      const process = this.processes[round % this.processes.length];
      if (!process?.isWorking) process?.work();
      await this.drained();
    }
  }

  private async drained(): Promise<void> {
    const { schedule } = this.shop;
    for (let steps = 0; steps < 5_000; steps++) {
      schedule.now += 5;
      if (!(await schedule.step(() => 0))) return;
    }
    this.faults.push('it does not come to rest');
  }
}

/** What went wrong with one seed, and what happened. */
export async function explored(
  seed: number,
): Promise<{ readonly faults: readonly string[]; readonly story: readonly string[] }> {
  const exploration = new Exploration(seed);
  await exploration.run();
  return { faults: exploration.faults, story: exploration.shop.schedule.story };
}
