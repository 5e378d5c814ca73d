import { projectors as all } from '../../../projections/index.js';
import { NO_FISCAL_SETTINGS } from '../../../src/features/contracts/fiscal-settings.js';
import type { StoreFacts } from '../../../src/features/contracts/feature.js';
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

export const STORE = '01a1fe3e-9906-738c-84d5-0000000000aa';

/** What nobody asks about goods is not projected. */
export const projectors = all.filter(({ collection: { name } }) => name !== 'audit-tree');
export const collections = projectors.map(({ collection }) => collection);
const names = collections.map(({ name }) => name);

interface Waiter {
  readonly actor: Actor;
  readonly collections: readonly string[];
  readonly position: Position;
  settle(): void;
  fail(error: unknown): void;
}

/** What the processes of a shop share. */
export class Shop {
  readonly draws: Draws;
  readonly schedule: Schedule;
  readonly vault: MemoryVault;
  readonly log: SharedLog;
  readonly reads = new ProjectedReads();
  /** One process owns the data: rows go with the events. */
  readonly isAlone: boolean;
  readonly errors: unknown[] = [];
  readonly facts: Recorded<InventoryEvent>[] = [];
  /** How many answers of the stores get lost. */
  lossy: number;
  readonly snapshots = new Map<string, Snapshot>();
  /** How much all lanes of a process may hold. */
  readonly laneRoom: number;
  state: Inventory = inventory.decider.initial;
  private applier: Promise<Applier>;
  private waiters: Waiter[] = [];
  /** Given to wishes so far. */
  marks = 0;
  private folded = 0;

  constructor(readonly seed: number) {
    this.draws = new Draws(seed);
    this.schedule = new Schedule(this.draws, 0);
    const now = () => this.schedule.now;
    this.vault = new MemoryVault(now);
    this.log = new SharedLog(this.vault, now);
    this.isAlone = this.draws.chance(0.35);
    this.lossy = 0;
    this.laneRoom = this.draws.of([2_000_000, 2_000_000, 60, 1]);
    this.applier = storeApplier(this.reads, projectors, 'log');
  }

  readonly storeFacts: StoreFacts = {
    id: STORE,
    slug: 'loja',
    legalName: 'Padaria Aurora Ltda',
    tradeName: 'Aurora',
    taxId: null,
    timeZone: 'America/Sao_Paulo',
    segment: 'BAKERY',
    modules: { production: true, scaleCode: true, orders: true },
    activityCode: null,
    plan: { apiAccess: true },
    requireTwoFactor: false,
    fiscal: NO_FISCAL_SETTINGS,
  };

  readonly logged = (error: unknown): void => {
    if (!(error instanceof Dead)) this.errors.push(error);
  };

  eventsOf<E extends DomainEvent>({ events }: Pick<StreamType<unknown, unknown, E>, 'events'>, stream: string) {
    return this.log.events.filter((stored) => stored.stream === stream).map((stored) => recordedEvent(events, stored));
  }

  /** Takes what was appended to the stock into account. */
  look(): void {
    for (; this.folded < this.log.events.length; this.folded++) {
      const stored = this.log.events[this.folded] as StoredEvent;
      if (stored.stream !== `inventory-${STORE}`) continue;
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

  waitFor(actor: Actor, names: readonly string[], position: Position): Promise<boolean> {
    if (actor.isDead) return Promise.reject(new Dead());
    if (this.hasReached(names, position)) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      const settle = () => {
        resolve(true);
      };
      this.waiters.push({ actor, collections: names, position, settle, fail: reject });
    });
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
    for (const waiter of ready) waiter.settle();
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
