import type { Position, StoredEvent } from '../../ports/event-store.js';
import type { Checkpoint, Generation, ProjectionStore } from '../../ports/read-models.js';
import type { BatchOutcome } from './engine.js';
import { applyBatch, checkpointOf } from './engine.js';
import type { Projector } from './projector.js';
import { collectionsTouched } from './projector.js';

/** Which collections, all of which have come as far as `after` at least, take these events. */
export interface Batch {
  readonly generation: Generation;
  readonly collections: readonly string[];
  /** How far those of them are that have come further: they take only what stands beyond. */
  readonly further?: ReadonlyMap<string, Position>;
  /** Those that none of these events concern, and that have come as far: their checkpoints go along. */
  readonly passed?: readonly string[];
  readonly after: Position;
  readonly events: readonly StoredEvent[];
}

/** Evolves documents and writes them: in this process, or behind a message to a worker. */
export interface Applier {
  readonly collections: readonly { readonly name: string; readonly version: number }[];
  /** The collections that events of some types concern. */
  readonly touchedBy: (types: Iterable<string>) => readonly string[];
  /** A batch waits until those before it are applied, whoever gave them. */
  readonly oneByOne?: true;
  checkpoints(): Promise<readonly Checkpoint[]>;
  /** Until it can work, where it is not at work yet: waiting for what it writes begins then. */
  awake?(): Promise<unknown> | undefined;
  apply(batch: Batch): Promise<BatchOutcome>;
  /** Moves a checkpoint past an event without applying it. */
  pass(collection: string, position: Position): Promise<void>;
  beginRebuild(collection: string): Promise<void>;
  switchRebuild(collection: string): Promise<void>;
}

/** Applies in this process, on any store. Several processes may do so on one store at once: the positions of the documents guard them. */
export async function storeApplier(
  store: ProjectionStore,
  projectors: readonly Projector[],
  logId: string,
): Promise<Applier> {
  const byName = new Map(projectors.map((projector) => [projector.collection.name, projector]));
  if (byName.size < projectors.length) throw new Error('two projectors write the same collection');
  const find = (name: string): Projector => {
    const projector = byName.get(name);
    if (!projector) throw new Error(`there is no collection ${name}`);
    return projector;
  };
  const collections = projectors.map(({ collection }) => collection);
  await store.prepare(collections);
  return {
    collections: collections.map(({ name, version }) => ({ name, version })),
    checkpoints: () => store.checkpoints(),
    touchedBy: collectionsTouched(projectors),
    apply: ({ collections: names, passed = [], events, ...where }) =>
      applyBatch(store, names.map(find), events, { ...where, logId, passed: passed.map(find) }),
    pass: (name, position) => store.commit([], [checkpointOf(find(name), { generation: 'live', logId }, position)]),
    beginRebuild: (name) => store.beginRebuild(find(name).collection),
    switchRebuild: (name) => store.switchRebuild(find(name).collection),
  };
}
