import type { EventStore, Position, StoredEvent } from '../../ports/event-store.js';
import { HistoryNotWhole, START } from '../../ports/event-store.js';
import { CHAIN_START } from '../events/chain.js';
import type { StreamType } from '../events/decider.js';
import type { DomainEvent, EventMeta, Recorded } from '../events/event.js';
import { metaOf, momentOf, recordedEvent } from '../events/recorded.js';

/** Revisions whose idempotent commands a lane remembers; older ones are searched in the stream. */
const HORIZON = 10_000;
const PAGE = 1_000;

/** Everything a lane knows of its stream as of one committed revision. */
export interface Head<S> {
  readonly state: S;
  readonly revision: number;
  readonly position: Position;
  /** The hash of the last event: the next one is chained to it. */
  readonly hash: string;
  readonly at: string;
}

export const emptyHead = <S, C, E extends DomainEvent>(type: StreamType<S, C, E>): Head<S> => ({
  state: type.decider.initial,
  revision: -1,
  position: START,
  hash: CHAIN_START,
  at: '',
});

export const decodeEvent = <S, C, E extends DomainEvent>(type: StreamType<S, C, E>, stored: StoredEvent): Recorded<E> =>
  recordedEvent(type.events, stored);

/** Commands that came with an idempotency key, by id: the revisions that they produced. */
export class KeyedCommands {
  private readonly ranges = new Map<string, { readonly first: number; last: number }>();

  constructor(
    /** Every keyed command from this revision on is known. */
    private from: number,
  ) {}

  static restore(from: number, entries: readonly (readonly [string, number, number])[]): KeyedCommands {
    const keys = new KeyedCommands(from);
    for (const [id, first, last] of entries) keys.ranges.set(id, { first, last });
    return keys;
  }

  get knownFrom(): number {
    return this.from;
  }

  add(meta: EventMeta, revision: number): void {
    if (meta.keyed !== true) return;
    const range = this.ranges.get(meta.causationId);
    // A read that began earlier may come to what is known from an append.
    if (range) range.last = Math.max(range.last, revision);
    else this.ranges.set(meta.causationId, { first: revision, last: revision });
    this.forget(revision - HORIZON);
  }

  find(commandId: string): { readonly first: number; readonly last: number } | undefined {
    return this.ranges.get(commandId);
  }

  entries(): (readonly [string, number, number])[] {
    return [...this.ranges].map(([id, { first, last }]) => [id, first, last] as const);
  }

  private forget(before: number): void {
    for (const [id, { first, last }] of this.ranges) {
      if (first >= before) break;
      this.ranges.delete(id);
      this.from = Math.max(this.from, last + 1);
    }
  }
}

/** The head with the event that follows it. Throws HistoryNotWhole when something is missing between them. */
export function fold<S, C, E extends DomainEvent>(
  type: StreamType<S, C, E>,
  head: Head<S>,
  keys: KeyedCommands,
  stored: StoredEvent,
): Head<S> {
  expectRevision(stored, head.revision + 1);
  const event = decodeEvent(type, stored);
  keys.add(event.meta, event.revision);
  return {
    state: type.decider.evolve(head.state, event, momentOf(event)),
    revision: event.revision,
    position: event.position,
    hash: event.meta.hash,
    at: event.meta.at,
  };
}

/** What should stand at a revision stands there, or the stream has been shortened. */
export function expectRevision({ stream, revision }: StoredEvent, wanted: number): void {
  if (revision !== wanted) throw new HistoryNotWhole(stream, wanted);
}

/** Folds what the stream holds after the head. */
export async function advance<S, C, E extends DomainEvent>(
  store: EventStore,
  stream: string,
  type: StreamType<S, C, E>,
  head: Head<S>,
  keys: KeyedCommands,
): Promise<Head<S>> {
  let current = head;
  for (;;) {
    const page = await store.readStream(stream, { from: current.revision + 1, limit: PAGE });
    for (const stored of page) current = fold(type, current, keys, stored);
    if (page.length < PAGE) return current;
  }
}

/** What a keyed command recorded earlier, searched backwards down to the time at which its key was first used. */
export async function searchBack<S, C, E extends DomainEvent>(
  store: EventStore,
  stream: string,
  type: StreamType<S, C, E>,
  commandId: string,
  since: string,
  from: number,
): Promise<Recorded<E>[]> {
  const found: Recorded<E>[] = [];
  let next = from;
  while (next >= 0) {
    const page = await store.readStream(stream, { from: next, direction: 'backward', limit: PAGE });
    for (const stored of page) {
      expectRevision(stored, next);
      const meta = metaOf(stored);
      if (meta.causationId === commandId) found.unshift(decodeEvent(type, stored));
      else if (found.length > 0 || meta.at < since) return found;
      next = stored.revision - 1;
    }
    if (page.length === 0) throw new HistoryNotWhole(stream, next);
  }
  return found;
}
