import type { StoredEvent } from '../../ports/event-store.js';
import { HistoryNotWhole, RowConflict } from '../../ports/event-store.js';
import type { Vault, VaultWrite } from '../../ports/vault.js';
import { newVersion } from '../../ports/vault.js';
import type { StreamType } from '../events/decider.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import { Rejection } from '../events/rejection.js';
import { batchesOf } from '../values/batches.js';
import { boundedCache } from '../values/bounded-cache.js';
import type { LaneServices } from './lane.js';
import type { CommandEnvelope, EarlierRun, Executed } from './decision.js';
import { Lane } from './lane.js';
import type { Freshness } from './freshness.js';
import type { Head } from './head.js';
import { decodeEvent } from './head.js';

const IDLE_SNAPSHOT_EVENTS = 500;
/** So many events are remembered, whatever their streams: who goes on with a record asks for what was recorded of it a moment ago. */
const MOST_HEARD = 2_000;
/**
 * So many lanes of streams that do not exist stay: whoever asks whether a name is free takes it the next moment, and each store has some
 * of which it never recorded anything, such as its locations, that every command looks at.
 */
const MOST_EMPTY = 1_024;

const NO_ROWS: readonly VaultWrite[] = [];

type AnyLane = Lane<unknown, unknown, DomainEvent>;

interface Entry {
  readonly lane: AnyLane;
  weight: number;
  /** Since its turn to leave memory came last: then it stays until its next turn. */
  wasAskedFor: boolean;
}

/** What commands ask of the lanes. */
export type CommandLanes = Pick<
  Lanes,
  'freshness' | 'recent' | 'execute' | 'settled' | 'current' | 'recordedBy' | 'eventsAt'
>;

/** Events that are so close to one another are read with those between them. */
const NEAR = 3;
const RUNS_AT_ONCE = 100;

/** The lanes of this process, one a stream; those long unused leave memory. */
export class Lanes {
  /** A question whose answer serves many looks at heads; undefined where each look asks for itself. */
  readonly freshness: Freshness | undefined;
  /** For what may be as old as the last proof that this process hears of everything: a moment. */
  readonly recent: Freshness | undefined;
  /** Whose turn to leave memory comes first stands first. */
  private readonly lanes = new Map<string, Entry>();
  private readonly notWhole = new Map<string, HistoryNotWhole>();
  private weight = 0;
  private readonly heard = boundedCache<StoredEvent>(MOST_HEARD);
  /** Streams that did not exist when they were last looked at, in the same order. */
  private readonly empty = new Set<string>();

  constructor(
    private readonly services: LaneServices & {
      readonly vault: Vault;
      readonly recent?: Freshness;
      /** Called when a stream is first found to lack events. */
      onShortened?(error: HistoryNotWhole): void;
      /** Commands that recorded these events are answered after it. */
      beforeAnswer?(events: readonly Recorded<DomainEvent>[]): Promise<void> | undefined;
    },
    private readonly maximumWeight = 2_000_000,
  ) {
    this.freshness = services.freshness;
    this.recent = services.recent;
  }

  async execute<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    envelope: CommandEnvelope,
  ): Promise<Executed<E>> {
    const { store } = this.services;
    const { rows } = envelope;
    const apart = rows && !store.storesRows ? rows : NO_ROWS;
    if (apart !== NO_ROWS && (await envelope.mayRecord?.()) === false) throw new RowConflict();
    // Rows come first and go last: one without its events is inert, events without their rows would not be.
    const put = apart.flatMap((row) =>
      row.value === undefined ? [] : [{ ...row, firstVersion: row.firstVersion ?? newVersion() }],
    );
    if (put.length > 0) await this.writeApart(put);
    const lane = this.lane(type, stream);
    try {
      const executed = await this.watched(stream, () =>
        lane.execute(command, apart === NO_ROWS ? envelope : { ...envelope, rows: undefined }),
      );
      const { events, ended } = executed;
      if (apart !== NO_ROWS && events.length > 0)
        await this.writeApart(apart.filter(({ value }) => value === undefined));
      if (ended && !store.storesRows) await this.writeApart(ended);
      const held = this.services.beforeAnswer?.(executed.events);
      if (held) await held;
      return executed;
    } catch (error) {
      if (error instanceof Rejection) await this.takeBack(put);
      throw error;
    } finally {
      this.weigh(stream);
    }
  }

  private async writeApart(rows: readonly VaultWrite[]): Promise<void> {
    if (rows.length > 0 && !(await this.services.vault.write(rows))) throw new RowConflict();
  }

  /** What was refused leaves no secrets behind; whoever has written them since has another version. */
  private async takeBack(rows: readonly (VaultWrite & { readonly firstVersion: number })[]): Promise<void> {
    const { vault } = this.services;
    const gone = rows.filter(({ endsWhenRefused }) => endsWhenRefused);
    await Promise.allSettled(
      gone.map(({ kind, id, firstVersion }) => vault.write([{ kind, id, value: undefined, expected: firstVersion }])),
    );
  }

  /** The head of a stream where nothing has to be asked or read to know it: a command looks at some ten of them. */
  settled<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Head<S> | undefined {
    return this.lane(type, stream).settled;
  }

  /** The state at the head of a stream, as new as now or as the freshness that its reader asked for before. */
  current<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    freshness?: Freshness,
  ): Promise<Head<S>> {
    const lane = this.lane(type, stream);
    const { settled } = lane;
    return settled ? Promise.resolve(settled) : this.weighed(stream, () => lane.current(freshness));
  }

  /** What an earlier run of a keyed command recorded; nothing where there was none. */
  recordedBy<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: EarlierRun,
  ): Promise<readonly Recorded<E>[]> {
    return this.weighed(stream, () => this.lane(type, stream).recordedBy(command));
  }

  /** What fails leaves a lane behind as well. */
  private async weighed<T>(stream: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.watched(stream, work);
    } finally {
      this.weigh(stream);
    }
  }

  /** To be told of every event that anybody appends. */
  hear(event: StoredEvent): void {
    this.heard.set(placeOf(event.stream, event.revision), event);
    this.lanes.get(event.stream)?.lane.hear(event);
  }

  /** To be told of a stream that somebody may have shortened by hand. */
  doubt(stream: string): void {
    this.heard.clear();
    this.lanes.get(stream)?.lane.doubt();
  }

  /** Why streams that are not whole take no commands, as far as any was tried. */
  shortened(): readonly string[] {
    return [...this.notWhole.values()].map(({ message }) => message);
  }

  /** Events of a stream by their revisions, in that order. */
  async eventsAt<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    revisions: readonly number[],
  ): Promise<readonly Recorded<E>[]> {
    return this.watched(stream, async () => {
      const found = new Map<number, StoredEvent>();
      const missing: number[] = [];
      for (const revision of new Set(revisions)) {
        const heard = this.heard.get(placeOf(stream, revision));
        if (heard) found.set(revision, heard);
        else missing.push(revision);
      }
      for (const stored of await this.readRuns(stream, missing)) found.set(stored.revision, stored);
      return revisions.map((revision) => {
        const stored = found.get(revision);
        if (!stored) throw new HistoryNotWhole(stream, revision);
        return decodeEvent(type, stored);
      });
    });
  }

  /** Those that nearly follow one another are read together. */
  private async readRuns(stream: string, revisions: readonly number[]): Promise<readonly StoredEvent[]> {
    const runs: { readonly from: number; to: number }[] = [];
    for (const revision of revisions.toSorted((a, b) => a - b)) {
      const run = runs.at(-1);
      if (run && revision - run.to <= NEAR) run.to = revision;
      else runs.push({ from: revision, to: revision });
    }
    const found: StoredEvent[] = [];
    for (const some of batchesOf(runs, RUNS_AT_ONCE)) {
      const reads = some.map(({ from, to }) => this.services.store.readStream(stream, { from, limit: to - from + 1 }));
      for (const events of await Promise.all(reads)) found.push(...events);
    }
    return found;
  }

  private async watched<T>(stream: string, work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      if (this.notWhole.size > 0) this.notWhole.delete(stream);
      return done;
    } catch (error) {
      if (error instanceof HistoryNotWhole) {
        this.heard.clear();
        if (!this.notWhole.has(error.stream)) this.services.onShortened?.(error);
        this.notWhole.set(error.stream, error);
      }
      throw error;
    }
  }

  /** Keeps the states of idle lanes, so that the next start is quick. */
  async snapshotIdle(minimumAge?: number): Promise<void> {
    for (const { lane } of [...this.lanes.values()]) {
      if (lane.idle) await lane.snapshot(IDLE_SNAPSHOT_EVENTS, minimumAge);
    }
  }

  /** Commands that wait for their stream. */
  get waiting(): number {
    let count = 0;
    for (const { lane } of this.lanes.values()) count += lane.queued;
    return count;
  }

  get size(): number {
    return this.lanes.size;
  }

  private lane<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Lane<S, C, E> {
    const known = this.lanes.get(stream);
    if (known) {
      known.wasAskedFor = true;
      return known.lane as Lane<S, C, E>;
    }
    const lane = new Lane(stream, type, this.services);
    this.lanes.set(stream, { lane: lane, weight: 0, wasAskedFor: false });
    return lane;
  }

  /** Who asks for what does not exist must not fill the memory, nor push out the lanes of what does. */
  private keepFewEmpty(stream: string, lane: AnyLane): void {
    if (!lane.isEmpty) {
      this.empty.delete(stream);
      return;
    }
    this.empty.add(stream);
    if (this.empty.size <= MOST_EMPTY) return;
    for (const first of this.empty) {
      this.empty.delete(first);
      const entry = this.lanes.get(first);
      if (!entry?.lane.isEmpty) return;
      if (this.leaves(first, entry)) return;
      this.empty.add(first);
    }
  }

  /** It is its turn; who was asked for since the last one stays, and stands last now. */
  private leaves(stream: string, entry: Entry): boolean {
    this.lanes.delete(stream);
    if (entry.wasAskedFor) {
      entry.wasAskedFor = false;
      this.lanes.set(stream, entry);
      return false;
    }
    this.weight -= entry.weight;
    return true;
  }

  private weigh(stream: string): void {
    const entry = this.lanes.get(stream);
    if (!entry) return;
    const weight = entry.lane.weight;
    this.weight += weight - entry.weight;
    entry.weight = weight;
    this.keepFewEmpty(stream, entry.lane);
    if (this.weight <= this.maximumWeight) return;
    for (const [name, other] of this.lanes) {
      if (this.weight <= this.maximumWeight) return;
      if (!other.lane.idle || !this.leaves(name, other)) continue;
      void other.lane.snapshot(IDLE_SNAPSHOT_EVENTS).catch(() => undefined);
    }
  }
}

const placeOf = (stream: string, revision: number): string => `${stream}/${String(revision)}`;
