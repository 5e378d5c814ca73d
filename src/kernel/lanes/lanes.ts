import { RowConflict } from '../../ports/event-store.js';
import type { Vault } from '../../ports/vault.js';
import type { StreamType } from '../events/decider.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import type { LaneServices } from './lane.js';
import type { CommandEnvelope, Executed } from './decision.js';
import { Lane } from './lane.js';
import type { Head } from './head.js';
import { decodeEvent } from './head.js';

const IDLE_SNAPSHOT_EVENTS = 500;

type AnyLane = Lane<unknown, unknown, DomainEvent>;

/** The lanes of this process, one a stream; those long unused leave memory. */
export class Lanes {
  private readonly lanes = new Map<string, { readonly lane: AnyLane; weight: number }>();
  private weight = 0;

  constructor(
    private readonly services: LaneServices & {
      readonly vault: Vault;
      /** Commands that recorded these events are answered after it. */
      beforeAnswer?(events: readonly Recorded<DomainEvent>[]): Promise<void> | undefined;
    },
    private readonly maximumWeight = 2_000_000,
  ) {}

  async execute<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    command: C,
    envelope: CommandEnvelope,
  ): Promise<Executed<E>> {
    const { store, vault } = this.services;
    let inline = envelope;
    if (envelope.rows && !store.storesRows) {
      // Rows first: one without its events is inert, events without their rows would not be.
      if (!(await vault.write(envelope.rows))) throw new RowConflict();
      const { rows: _, ...rest } = envelope;
      inline = rest;
    }
    const lane = this.lane(type, stream);
    try {
      const executed = await lane.execute(command, inline);
      const held = this.services.beforeAnswer?.(executed.events);
      if (held) await held;
      return executed;
    } finally {
      this.weigh(stream);
    }
  }

  /** The state at the head of a stream. */
  async current<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Promise<Head<S>> {
    const head = await this.lane(type, stream).current();
    this.weigh(stream);
    return head;
  }

  /** Events of a stream by their revisions, in that order. */
  async eventsAt<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    stream: string,
    revisions: readonly number[],
  ): Promise<readonly Recorded<E>[]> {
    const { store } = this.services;
    const pages = await Promise.all(revisions.map((from) => store.readStream(stream, { from, limit: 1 })));
    return pages.flat().map((stored) => decodeEvent(type, stored));
  }

  /** Keeps the states of idle lanes, so that the next start is quick. */
  async snapshotIdle(minimumAge?: number): Promise<void> {
    for (const { lane } of [...this.lanes.values()]) {
      if (lane.idle) await lane.snapshot(IDLE_SNAPSHOT_EVENTS, minimumAge);
    }
  }

  get size(): number {
    return this.lanes.size;
  }

  private lane<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stream: string): Lane<S, C, E> {
    const known = this.lanes.get(stream);
    if (known) {
      this.lanes.delete(stream);
      this.lanes.set(stream, known);
      return known.lane as Lane<S, C, E>;
    }
    const lane = new Lane(stream, type, this.services);
    this.lanes.set(stream, { lane: lane, weight: 0 });
    return lane;
  }

  private weigh(stream: string): void {
    const entry = this.lanes.get(stream);
    if (!entry) return;
    const weight = entry.lane.weight;
    this.weight += weight - entry.weight;
    entry.weight = weight;
    if (this.weight <= this.maximumWeight) return;
    for (const [name, { lane, weight: freed }] of this.lanes) {
      if (this.weight <= this.maximumWeight) return;
      if (!lane.idle) continue;
      void lane.snapshot(IDLE_SNAPSHOT_EVENTS).catch(() => undefined);
      this.lanes.delete(name);
      this.weight -= freed;
    }
  }
}
