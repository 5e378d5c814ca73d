import type { Checkpoint, CollectionWrites, Generation, ProjectionStore } from '../../ports/read-models.js';
import type { Position, StoredEvent } from '../../ports/event-store.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { RebuildReplaced } from '../../ports/read-models.js';
import { DecodedBatch } from './batch.js';
import { writesOf } from './evolution.js';
import { indexAfter } from './index-after.js';
import type { Projector } from './projector.js';
import { messageOf } from '../values/message-of.js';

const TRIES = 3;

/** An event that a projector cannot take: the projector stops before it. */
export interface PoisonEvent {
  readonly position: Position;
  readonly stream: string;
  readonly type: string;
  readonly reason: string;
}

/** How far each projector came, by the name of its collection. */
export type BatchOutcome = ReadonlyMap<string, { readonly position: Position; readonly poison?: PoisonEvent }>;

/**
 * Applies events, in their order, for projectors that have all come as far as `after` at least: one write for all of them. When that
 * fails the batch is cut down to the event and the projector that are to blame: that projector alone stops before that event.
 * Rejects with StoreUnavailable, having changed nothing that a repetition would not change again, when the store is away, and with
 * RebuildReplaced when what is built is not this process's any more.
 */
export async function applyBatch(
  store: ProjectionStore,
  projectors: readonly Projector[],
  events: readonly StoredEvent[],
  where: {
    readonly generation: Generation;
    readonly logId: string;
    readonly after: Position;
    readonly further?: ReadonlyMap<string, Position>;
    /** None of the events concern these. */
    readonly passed: readonly Projector[];
  },
): Promise<BatchOutcome> {
  const batch = new DecodedBatch(events);
  const outcome = new Map<string, { position: Position; poison?: PoisonEvent }>();
  const reached = ({ collection: { name } }: Projector): Position =>
    outcome.get(name)?.position ?? where.further?.get(name) ?? where.after;

  const commit = async (some: readonly Projector[], first: number, end: number): Promise<void> => {
    const last = events[end - 1];
    if (!last) return;
    const taking = some.filter((projector) => reached(projector) < last.position);
    const writes: CollectionWrites[] = [];
    for (const projector of taking) {
      const next = Math.max(first, indexAfter(events, reached(projector)));
      const made = await writesOf(store, projector, where.generation, batch, { first: next, end });
      if (made) writes.push(made);
    }
    await store.commit(
      writes,
      [...taking, ...where.passed].map((projector) => checkpointOf(projector, where, last.position)),
    );
    for (const { collection } of taking) outcome.set(collection.name, { position: last.position });
  };

  /** False when the projector, then only one, stopped. */
  const apply = async (some: readonly Projector[], first: number, end: number): Promise<boolean> => {
    const single = end - first === 1 && some.length === 1;
    let failure: unknown;
    for (let attempt = 0; attempt < (single ? TRIES : 1); attempt++) {
      try {
        await commit(some, first, end);
        return true;
      } catch (error) {
        if (error instanceof StoreUnavailable || error instanceof RebuildReplaced) throw error;
        failure = error;
      }
    }
    if (some.length > 1) {
      for (const projector of some) await apply([projector], first, end);
      return true;
    }
    if (!single) {
      const middle = (first + end) >> 1;
      return (await apply(some, first, middle)) && (await apply(some, middle, end));
    }
    stop(some[0], events[first], failure);
    return false;
  };

  const stop = (projector: Projector | undefined, event: StoredEvent | undefined, failure: unknown): void => {
    if (!projector || !event) return;
    const { position, stream, type } = event;
    const reason = messageOf(failure);
    outcome.set(projector.collection.name, {
      position: reached(projector),
      poison: { position, stream, type, reason },
    });
  };

  await apply(projectors, 0, events.length);
  return outcome;
}

export const checkpointOf = (
  { collection }: Projector,
  { generation, logId }: { readonly generation: Generation; readonly logId: string },
  position: Position,
): Checkpoint => ({ collection: collection.name, version: collection.version, generation, logId, position });
