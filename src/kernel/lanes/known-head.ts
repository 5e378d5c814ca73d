import type { EventStore, StoredEvent } from '../../ports/event-store.js';
import { HistoryNotWhole } from '../../ports/event-store.js';
import type { StreamType } from '../events/decider.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import type { EarlierRun } from './decision.js';
import type { Freshness } from './freshness.js';
import { alwaysFresh, neverFresh } from './freshness.js';
import type { Head } from './head.js';
import { KeyedCommands, advance, decodeEvent, emptyHead, expectRevision, fold, searchBack } from './head.js';
import type { LaneSnapshots } from './snapshots.js';

export interface HeadServices {
  readonly store: EventStore;
  readonly snapshots?: LaneSnapshots;
  /** Without it every look at a head that others may have moved is a read. */
  readonly freshness?: Freshness;
}

/** What this process knows of one stream: its folded state, and whether there may be more. */
export class KnownHead<S, C, E extends DomainEvent> {
  private head: Head<S> | undefined;
  private keyed = new KeyedCommands(0);
  private loading: Promise<Head<S>> | undefined;
  private catchingUp: Promise<unknown> | undefined;
  /** Settles with an append that is on its way. */
  private appending: Promise<unknown> | undefined;
  /** The newest revision that this process has heard of, from whomever. */
  private heardOf = -1;
  private doubted = false;
  private readonly freshness: Freshness;

  constructor(
    private readonly stream: string,
    private readonly type: StreamType<S, C, E>,
    private readonly services: HeadServices,
  ) {
    this.freshness = services.freshness ?? (services.store.exclusive ? alwaysFresh : neverFresh);
  }

  get loaded(): Head<S> | undefined {
    return this.head;
  }

  get keys(): KeyedCommands {
    return this.keyed;
  }

  /** The head, where it is known without asking or reading that nothing stands behind it. */
  get settled(): Head<S> | undefined {
    return this.freshness === alwaysFresh && !this.doubted && this.head && this.heardOf <= this.head.revision
      ? this.head
      : undefined;
  }

  /** What the log holds now is unknown: it is read again. */
  forget(): void {
    this.head = undefined;
  }

  /** Somebody may have shortened the stream: what is known of it is read again before it is used again. */
  doubt(): void {
    this.doubted = true;
  }

  /** The state after everything that was in the log when the freshness was asked for. */
  async current(freshness = this.freshness): Promise<Head<S>> {
    this.settleDoubt();
    const known = this.head ?? (this.loading && (await this.loading));
    if (!known) return this.load();
    return (await freshness()) ? this.newest() : this.readOn(known);
  }

  /** The state after everything that this process has heard of. */
  newest(): Promise<Head<S>> {
    this.settleDoubt();
    return this.upTo(this.heardOf);
  }

  /** Whether nothing stands behind a head, now. */
  async isNewest({ revision }: Head<S>): Promise<boolean> {
    if (await this.freshness()) return this.heardOf <= revision;
    return (await this.services.store.readStream(this.stream, { from: revision + 1, limit: 1 })).length === 0;
  }

  /** To be told of every event of the stream, in order; what follows the head is taken in at once unless the lane is at work. */
  hear(event: StoredEvent, isLaneIdle: boolean): void {
    this.heardOf = Math.max(this.heardOf, event.revision);
    if (!isLaneIdle || this.catchingUp || this.head?.revision !== event.revision - 1) return;
    try {
      this.head = fold(this.type, this.head, this.keyed, event);
    } catch {
      // The command that needs it will read it, and hear why that fails.
    }
  }

  /** An append that begins at a head and, when it succeeds, leads to the one that it resolves to. */
  async appended(append: () => Promise<Head<S>>): Promise<Head<S>> {
    const appending = append();
    this.appending = appending.catch(() => undefined);
    try {
      return (this.head = await appending);
    } finally {
      this.appending = undefined;
    }
  }

  /** Reads what is new, whether this process has heard of it or not. */
  async refresh(): Promise<void> {
    await this.readOn(await this.load());
  }

  /** What a keyed command has recorded; nothing when it has not run yet. */
  async recordedBy({ keyed, commandId, repeatSince }: EarlierRun): Promise<readonly Recorded<E>[]> {
    if (keyed !== true) return [];
    const { store } = this.services;
    const range = this.keyed.find(commandId);
    if (range) {
      const limit = range.last - range.first + 1;
      const events = await store.readStream(this.stream, { from: range.first, limit });
      for (const [index, event] of events.entries()) expectRevision(event, range.first + index);
      return events.map((event) => decodeEvent(this.type, event));
    }
    if (repeatSince === undefined) return [];
    return searchBack(store, this.stream, this.type, commandId, repeatSince, this.keyed.knownFrom - 1);
  }

  private settleDoubt(): void {
    if (this.doubted) this.head = undefined;
    this.doubted = false;
  }

  private load(): Promise<Head<S>> {
    if (this.head) return Promise.resolve(this.head);
    this.loading ??= this.loadNow().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  private async loadNow(): Promise<Head<S>> {
    const { store, snapshots } = this.services;
    const kept = this.type.snapshot && (await snapshots?.load(this.stream, this.type.snapshot, store));
    this.keyed = kept?.keys ?? new KeyedCommands(0);
    return (this.head = await this.advance(kept?.head ?? emptyHead(this.type)));
  }

  private advance(head: Head<S>): Promise<Head<S>> {
    return advance(this.services.store, this.stream, this.type, head, this.keyed);
  }

  /** The head once it has that revision: from the log, unless it comes with an append of this process. */
  private async upTo(revision: number): Promise<Head<S>> {
    for (;;) {
      const head = await this.load();
      if (head.revision >= revision) return head;
      const underWay = this.appending ?? this.catchingUp;
      if (underWay) await underWay.catch(() => undefined);
      else return this.catchUp(head, revision);
    }
  }

  private async catchUp(from: Head<S>, revision: number): Promise<Head<S>> {
    const reading = this.readOn(from);
    this.catchingUp = reading;
    try {
      const newest = await reading;
      if (newest.revision < revision) throw new HistoryNotWhole(this.stream, newest.revision + 1);
      return newest;
    } finally {
      this.catchingUp = undefined;
    }
  }

  private async readOn(head: Head<S>): Promise<Head<S>> {
    const newest = await this.advance(head);
    if (this.head === head) this.head = newest;
    return newest;
  }
}
