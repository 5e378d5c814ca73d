import { projectors } from '../../../projections/index.js';
import type { InventoryEvent } from '../../../src/features/inventory/events.js';
import { inventory } from '../../../src/features/inventory/decider.js';
import type { Inventory } from '../../../src/features/inventory/ledger/state.js';
import type { StreamType } from '../../../src/kernel/events/decider.js';
import type { DomainEvent, Recorded } from '../../../src/kernel/events/event.js';
import { momentOf, recordedEvent } from '../../../src/kernel/events/recorded.js';
import type { Applier } from '../../../src/kernel/projections/applier.js';
import { storeApplier } from '../../../src/kernel/projections/applier.js';
import type { Position, StoredEvent } from '../../../src/ports/event-store.js';
import type { Snapshot } from '../../../src/ports/snapshots.js';
import { MemoryVault } from '../memory-vault.js';
import { Draws } from '../fiscal-orders/draws.js';
import type { Actor } from '../fiscal-orders/schedule.js';
import { Dead, Schedule } from '../fiscal-orders/schedule.js';
import { ProjectedReads } from './projected-reads.js';
import { SharedLog } from './shared-log.js';

const STORE = '01a1fe3e-9906-738c-84d5-0000000000aa';
export const OTHER_STORE = '01a1fe3e-9906-738c-84d5-0000000000bb';

export const collections = projectors.map(({ collection }) => collection);
const names = collections.map(({ name }) => name);

interface Waiter {
  readonly actor: Actor;
  readonly collections: readonly string[];
  readonly position: Position;
  readonly until: number;
  settle(isShown: boolean): void;
  fail(error: unknown): void;
}

/** What the processes of a shop share, as one of its stores sees it. */
export class Shop {
  readonly draws: Draws;
  readonly schedule: Schedule;
  readonly vault: MemoryVault;
  readonly log: SharedLog;
  readonly reads: ProjectedReads;
  /** One process owns the data: rows go with the events. */
  readonly isAlone: boolean;
  readonly errors: unknown[];
  readonly facts: Recorded<InventoryEvent>[] = [];
  /** How many answers of the stores get lost. */
  lossy = 0;
  readonly snapshots: Map<string, Snapshot>;
  /** How much all lanes of a process may hold. */
  readonly laneRoom: number;
  state: Inventory = inventory.decider.initial;
  private readonly applier: Promise<Applier>;
  private waiters: Waiter[] = [];
  /** How often a process has given up waiting for the read models. */
  readonly impatience = new Map<Actor, number>();
  /** Given to wishes so far. */
  marks = 0;
  private folded = 0;

  constructor(
    readonly seed: number,
    readonly storeId = STORE,
    shared?: Shop,
  ) {
    this.draws = shared?.draws ?? new Draws(seed);
    this.schedule = shared?.schedule ?? new Schedule(this.draws, 0);
    const now = () => this.schedule.now;
    this.vault = shared?.vault ?? new MemoryVault(now);
    this.log = shared?.log ?? new SharedLog(this.vault, now);
    this.reads = shared?.reads ?? new ProjectedReads();
    this.errors = shared?.errors ?? [];
    this.snapshots = shared?.snapshots ?? new Map<string, Snapshot>();
    this.isAlone = shared?.isAlone ?? this.draws.chance(0.35);
    this.laneRoom = shared?.laneRoom ?? this.draws.of([2_000_000, 2_000_000, 60, 1]);
    this.applier = shared?.applier ?? storeApplier(this.reads, projectors, 'log');
  }

  /** The same processes, as another store sees them. */
  beside(storeId: string): Shop {
    return new Shop(this.seed, storeId, this);
  }

  readonly logged = (error: unknown): void => {
    if (!(error instanceof Dead)) this.errors.push(error);
  };

  /** What was recorded of the store in the stream of a category, or in that of one of its records. */
  eventsOf<S, C, E extends DomainEvent>({ events, category }: StreamType<S, C, E>, id?: string) {
    const stream = [category, this.storeId, ...(id === undefined ? [] : [id])].join('-');
    return this.log.events.filter((stored) => stored.stream === stream).map((stored) => recordedEvent(events, stored));
  }

  /** Takes what was appended to the stock into account. */
  look(): void {
    for (; this.folded < this.log.events.length; this.folded++) {
      const stored = this.log.events[this.folded] as StoredEvent;
      if (stored.stream !== `inventory-${this.storeId}`) continue;
      const event = recordedEvent(inventory.events, stored);
      this.facts.push(event);
      this.state = inventory.decider.evolve(this.state, event, momentOf(event));
    }
  }

  // ---- read models

  readonly names = names;

  get isProjected(): boolean {
    const { head } = this.log;
    return collections.every(({ name }) => this.reads.reached(name) >= head);
  }

  hasReached(names: readonly string[], position: Position): boolean {
    return names.every((name) => this.reads.reached(name) >= position);
  }

  waitFor(actor: Actor, names: readonly string[], position: Position, patience: number): Promise<boolean> {
    if (actor.isDead) return Promise.reject(new Dead());
    if (this.hasReached(names, position)) return Promise.resolve(true);
    return new Promise((settle, fail) => {
      const until = this.schedule.now + patience;
      this.waiters.push({ actor, collections: names, position, until, settle, fail });
    });
  }

  /** Whoever has waited for longer than it wanted to goes on without. */
  giveUp(): void {
    const { now } = this.schedule;
    const late = this.waiters.filter(({ until }) => until < now);
    this.waiters = this.waiters.filter(({ until }) => until >= now);
    for (const { actor, settle } of late) {
      this.impatience.set(actor, (this.impatience.get(actor) ?? 0) + 1);
      settle(false);
    }
  }

  forget(actor: Actor): void {
    const own = this.waiters.filter((waiter) => waiter.actor === actor);
    this.waiters = this.waiters.filter((waiter) => waiter.actor !== actor);
    for (const waiter of own) waiter.fail(new Dead());
  }

  get somebodyWaits(): boolean {
    return this.waiters.length > 0;
  }

  /** Some collections go on, by some events. */
  async project(names: readonly string[], most = Infinity): Promise<void> {
    const positions = new Map(names.map((name) => [name, this.reads.reached(name)]));
    const after = [...positions.values()].sort()[0];
    if (after === undefined) return;
    const events = this.log.after(after, most);
    if (events.length === 0) return;
    const outcome = await (
      await this.applier
    ).apply({ generation: 'live', collections: names, further: positions, after, events });
    for (const [name, { poison }] of outcome) if (poison) this.errors.push(new Error(`${name}: ${poison.reason}`));
    const [ready, others] = [
      this.waiters.filter((waiter) => this.hasReached(waiter.collections, waiter.position)),
      this.waiters.filter((waiter) => !this.hasReached(waiter.collections, waiter.position)),
    ];
    this.waiters = others;
    for (const waiter of ready) waiter.settle(true);
  }

  projectSome(): Promise<void> {
    const { draws } = this;
    const wanted = this.waiters.flatMap((waiter) => waiter.collections);
    const one = wanted.length > 0 && draws.chance(0.7) ? draws.of(wanted) : draws.of(collections).name;
    const names = draws.chance(0.3)
      ? collections.map(({ name }) => name).filter((name) => name === one || draws.chance(0.5))
      : [one];
    return this.project(names, 1 + draws.under(6));
  }
}
