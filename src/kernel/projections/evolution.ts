import type { Position } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type {
  CollectionWrites,
  Generation,
  ProjectionStore,
  RecordCollection,
  RecordWrite,
  RowWrite,
} from '../../ports/read-models.js';
import { keyOf } from '../../ports/read-models.js';
import type { DecodedBatch, Span } from './batch.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import { foldWrites } from './log-fold.js';
import { TotalsChanges } from './totals.js';
import type { Projector, RecordHandler } from './projector.js';

interface Evolving {
  readonly key: string;
  readonly store: string;
  readonly id: string;
  document: object | undefined;
  /** The position of the last event that it saw. */
  position: Position;
  changed: boolean;
}

interface Touch {
  readonly event: Recorded<DomainEvent>;
  readonly handler: RecordHandler<object, Recorded<DomainEvent>>;
  readonly touched: readonly Evolving[];
}

const storeOf = (event: Recorded<DomainEvent>): string => event.meta.storeId ?? '';

/** What some events make of a projector's collection; `undefined` when they do not concern it. */
export async function writesOf(
  store: ProjectionStore,
  projector: Projector,
  generation: Generation,
  batch: DecodedBatch,
  span: Span,
): Promise<CollectionWrites | undefined> {
  const { collection } = projector;
  if (collection.kind === 'rows') {
    const rows = rowsOf(projector, batch, span);
    return rows.length === 0 ? undefined : { collection, generation, records: [], rows };
  }
  if (projector.fold) return foldWrites(store, collection, projector.fold, generation, batch, span);
  const documents = new Map<string, Evolving>();
  const touches = touchesOf(projector, batch, span, documents);
  if (touches.length === 0) return undefined;
  await load(store, collection, generation, documents);
  const changes = collection.totals && new TotalsChanges(collection.totals);
  for (const touch of touches) evolve(touch, changes);
  const records = [...documents.values()].filter(({ changed }) => changed).map(recordWrite);
  // Read after the documents: what a document has seen by now, these have seen too.
  const totals = (await changes?.writes(store, generation)) ?? [];
  return { collection, generation, totals, records, rows: [] };
}

function rowsOf(projector: Projector, batch: DecodedBatch, span: Span): RowWrite[] {
  if (projector.anyRows) return rowsOfAny(projector.anyRows, batch, span);
  const rows: RowWrite[] = [];
  for (let index = span.first; index < span.end; index++) {
    const handler = projector.rows.get(batch.events[index]?.type ?? '');
    if (!handler) continue;
    const event = batch.decode(index, projector);
    const { position } = event;
    for (const { key, values, keys } of handler(event)) {
      rows.push({ store: storeOf(event), id: `${position}:${key}`, values, keys, position });
    }
  }
  return rows;
}

function rowsOfAny(
  rowsOfEvent: NonNullable<Projector['anyRows']>,
  batch: DecodedBatch,
  { first, end }: Span,
): RowWrite[] {
  const rows: RowWrite[] = [];
  for (let index = first; index < end; index++) {
    const event = batch.logEvent(index);
    const { position } = event.stored;
    for (const { key, values, keys } of rowsOfEvent(event)) {
      rows.push({ store: event.meta.storeId ?? '', id: `${position}:${key}`, values, keys, position });
    }
  }
  return rows;
}

/** Gathers the documents that the events touch, each once. */
function touchesOf(
  projector: Projector,
  batch: DecodedBatch,
  { first, end }: Span,
  documents: Map<string, Evolving>,
): Touch[] {
  const touches: Touch[] = [];
  for (let index = first; index < end; index++) {
    const handler = projector.records.get(batch.events[index]?.type ?? '');
    if (!handler) continue;
    const event = batch.decode(index, projector);
    const touched = handler.ids(event).map((id) => evolvingIn(documents, storeOf(event), id));
    touches.push({ event, handler, touched });
  }
  return touches;
}

function evolvingIn(documents: Map<string, Evolving>, store: string, id: string): Evolving {
  const key = keyOf({ store, id });
  let evolving = documents.get(key);
  if (!evolving)
    documents.set(key, (evolving = { key, store, id, document: undefined, position: START, changed: false }));
  return evolving;
}

/** One read for the whole batch. */
async function load(
  store: ProjectionStore,
  collection: RecordCollection<never>,
  generation: Generation,
  documents: ReadonlyMap<string, Evolving>,
): Promise<void> {
  for (const [key, { document, position }] of await store.load(collection, generation, [...documents.values()])) {
    const evolving = documents.get(key);
    if (!evolving) continue;
    evolving.document = document;
    evolving.position = position;
  }
}

function evolve({ event, handler, touched }: Touch, changes: TotalsChanges | undefined): void {
  for (const evolving of touched) {
    // A document may be ahead of the checkpoint; what it has seen must not be applied to it again.
    if (evolving.position >= event.position) continue;
    const next = handler.evolve(evolving.document, event, evolving.id);
    if (next !== evolving.document) {
      evolving.changed = true;
      changes?.note(evolving.store, event.position, evolving.document, next);
    }
    evolving.document = next;
    evolving.position = event.position;
  }
}

const recordWrite = ({ key, store, id, document, position }: Evolving): RecordWrite => ({
  key,
  store,
  id,
  document,
  position,
});
