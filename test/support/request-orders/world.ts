import { setImmediate as turn } from 'node:timers/promises';
import { projectors } from '../../../projections/index.js';
import type { Feature } from '../../../src/features/contracts/feature.js';
import { STORES_STREAM, stores } from '../../../src/features/stores/decider.js';
import type { StreamType } from '../../../src/kernel/events/decider.js';
import type { DomainEvent } from '../../../src/kernel/events/event.js';
import { metaOf, momentOf, recordedEvent } from '../../../src/kernel/events/recorded.js';
import { Rejection } from '../../../src/kernel/events/rejection.js';
import { newId } from '../../../src/kernel/values/ids.js';
import { RowConflict, StoreUnavailable } from '../../../src/ports/event-store.js';
import { openedStore } from '../opened-store.js';
import { Draws } from '../fiscal-orders/draws.js';
import { Dead, Schedule } from '../fiscal-orders/schedule.js';
import { MemoryVault } from '../memory-vault.js';
import type { Told } from './asking.js';
import { beginTimers, moment, nextRing, ring } from './drawn-timers.js';
import type { Ground, Outside } from './ground.js';
import { NOTHING_OUTSIDE } from './ground.js';
import { LogReads } from './log-reads.js';
import { ServiceProcess } from './service-process.js';
import { SharedLog } from './shared-log.js';

const MOST_STEPS = 20_000;
/** So often in a row nobody may wait for a turn while something is under way: what passes by itself has passed long before. */
const MOST_IDLE = 2_000;

/** What rings within this time is waited for. */
const SOON = 1_000;

/** Later than anybody waits with a second look, and than it may take. */
const LOOKED_AGAIN = 70_000;
const MOST_STEPS_OF_LOOK = 80;

const isAnswer = (error: unknown): boolean =>
  [Dead, Rejection, StoreUnavailable, RowConflict].some((kind) => error instanceof kind);

/** Processes of the service on what they share, and what is asked of them. */
export class World implements Ground {
  readonly draws: Draws;
  readonly schedule: Schedule;
  readonly vault: MemoryVault;
  readonly log: SharedLog;
  readonly areServers: boolean;
  readonly reads;
  /** Errors that somebody would read in the log of the service. */
  readonly errors: unknown[] = [];
  readonly outside: Outside;
  lossy = 0;
  /** Up to where the log was when nobody was in the middle of anything. */
  quietAt = 0;
  deaths = 0;
  /** Whether a request stood still for so long that it left the rest to those who take a second look. */
  hasLeftRest = false;
  processes: ServiceProcess[] = [];
  private readonly running = new Set<Promise<void>>();
  private focus: string | undefined;
  private names = 0;

  constructor(
    seed: number,
    readonly features: readonly Feature[],
    outsideOf: (world: World) => Outside = () => NOTHING_OUTSIDE,
  ) {
    this.draws = new Draws(seed);
    this.areServers = this.draws.chance(0.6);
    this.schedule = new Schedule(this.draws, 0);
    const now = () => this.schedule.now;
    beginTimers(now);
    this.vault = new MemoryVault(now);
    this.log = new SharedLog(this.vault, now);
    this.reads = new LogReads(this.log, projectors, features).asReadModels();
    this.outside = outsideOf(this);
    this.processes = Array.from({ length: this.areServers ? 2 : 1 }, () => this.started());
  }

  readonly logged = (error: unknown): void => {
    if (!(error instanceof Dead || error instanceof StoreUnavailable)) this.errors.push(error);
  };

  any(): ServiceProcess {
    return this.draws.of(this.processes);
  }

  get isBusy(): boolean {
    return this.running.size > 0;
  }

  /** Whether nothing was lost: no process died or stood still for long, and no answer of a server. */
  get isWhole(): boolean {
    return this.deaths === 0 && this.lossy === 0 && !this.hasLeftRest;
  }

  die(): void {
    const dying = this.any();
    this.deaths += 1;
    this.schedule.kill(dying);
    dying.close();
    this.processes = this.processes.map((process) => (process === dying ? this.started() : process));
  }

  /** The others mostly stand still for a while. */
  favour({ name }: ServiceProcess): void {
    this.focus = name;
  }

  readonly favourNobody = (): void => {
    this.focus = undefined;
  };

  /** Begins what somebody asks of a process; refusals are answers. */
  begin(process: ServiceProcess, what: string, work: (process: ServiceProcess) => Promise<unknown>): void {
    const { schedule } = this;
    schedule.tell(process, `BEGINS ${what}`);
    const running = work(process).then(
      (told) => {
        if ((told as Partial<Told> | null | undefined)?.status === 503) this.hasLeftRest = true;
        schedule.tell(process, `HAS DONE ${what}: ${JSON.stringify(told ?? null).slice(0, 120)}`);
      },
      (error: unknown) => {
        schedule.tell(process, `HAS NOT DONE ${what}: ${String(error)}`);
        if (!isAnswer(error)) this.errors.push(error);
      },
    );
    this.running.add(running);
    void running.finally(() => this.running.delete(running));
  }

  /** Lets one of those go on who wait; false where nobody does, and nothing is under way. */
  async step(): Promise<boolean> {
    const { draws, schedule } = this;
    for (let idle = 0; ; idle++) {
      await turn();
      ring();
      for (const { ports } of this.processes) ports.listen();
      if (schedule.isQuiet) this.quietAt = this.log.events.length;
      if (this.rangBefore()) continue;
      if (!schedule.isIdle) break;
      if (!this.isBusy && idle > 3) return false;
      if (idle > MOST_IDLE) throw new Error('it hangs: something is under way, and nobody waits for a turn');
      if (idle > 20) await moment();
    }
    if (draws.chance(0.03)) this.focus = draws.chance(0.5) ? undefined : this.any().name;
    return schedule.step((count) => draws.under(count), this.focus);
  }

  /** Lets the time come at which the next timer rings, where nobody has a turn before and somebody waits for it, or it is near. */
  private rangBefore(): boolean {
    const { schedule } = this;
    const next = nextRing();
    const isBefore = next !== undefined && next <= schedule.nextTurn;
    if (!isBefore || (schedule.isIdle && !this.isBusy && next > schedule.now + SOON)) return false;
    schedule.now = Math.max(schedule.now, next);
    return true;
  }

  async settle(): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      if (!(await this.step())) return;
      this.schedule.now += 1;
    }
    throw new Error('it does not come to rest');
  }

  /** Lets everything come to its end, also what was left undone, and what is put off by who dies while looking after that. */
  async comeToRest(): Promise<void> {
    await this.settle();
    await this.lookAgain();
    this.schedule.tell(undefined, '---- calm');
    this.schedule.isCalm = true;
    for (let looks = 0; looks < 2; looks++) await this.lookAgain();
  }

  /** Each process finishes what was left undone; unless it is calm, one of them may die meanwhile. */
  private async lookAgain(): Promise<void> {
    const { draws, schedule } = this;
    schedule.now += LOOKED_AGAIN;
    for (const each of this.processes) this.begin(each, 'to look again', (process) => process.lookAgain());
    if (!schedule.isCalm && draws.chance(0.3)) {
      for (let steps = draws.under(MOST_STEPS_OF_LOOK); steps > 0; steps--) await this.step();
      this.die();
    }
    await this.settle();
  }

  /** Lets everything go on until something has come to its end. */
  async done<T>(work: Promise<T>): Promise<T> {
    const end = { isReached: false };
    const reach = () => {
      end.isReached = true;
    };
    work.then(reach, reach);
    for (let steps = 0; !end.isReached && steps < MOST_STEPS; steps++) await this.step();
    if (!end.isReached) throw new Error('it does not come to its end');
    return work;
  }

  async newStore(slug: string, requireTwoFactor = false): Promise<string> {
    const id = newId(this.schedule.now);
    const store = openedStore(id, slug, requireTwoFactor);
    const context = this.any().contextOf(id);
    await this.done(context.executeOn(stores, STORES_STREAM, { type: 'create', store }, { storeId: id }));
    return id;
  }

  /** Whether a request recorded anything. */
  hasRecorded({ requestId }: Pick<Told, 'requestId'>): boolean {
    return this.log.events.some((stored) => metaOf(stored).requestId === requestId);
  }

  /** What a stream comes to, by its first events alone, or by all. */
  state<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string, count = Infinity): S {
    const { decider, events } = type;
    const first = this.log.of(stream).slice(0, count);
    return first.reduce((state, stored) => {
      const event = recordedEvent(events, stored);
      return decider.evolve(state, event, momentOf(event));
    }, decider.initial);
  }

  private started(): ServiceProcess {
    this.names += 1;
    return new ServiceProcess(this, `P${String(this.names)}`);
  }
}
