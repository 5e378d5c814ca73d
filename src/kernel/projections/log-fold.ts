import type { CollectionWrites, Generation, ProjectionStore, RecordCollection } from '../../ports/read-models.js';
import type { DecodedBatch, Span } from './batch.js';
import type { LogEvent, LogFold } from './log-event.js';

const NO_STORE = '';

/**
 * What some events make of the fold. Where a commit may happen in part the other documents are written before the
 * head: after a crash between the two the head says what is to be folded again, and doing so gives the same documents.
 */
export async function foldWrites(
  store: ProjectionStore,
  collection: RecordCollection<never>,
  fold: LogFold,
  generation: Generation,
  batch: DecodedBatch,
  { first, end }: Span,
): Promise<CollectionWrites | undefined> {
  const load = async (ids: readonly string[]) => {
    const loaded = await store.load(
      collection,
      generation,
      ids.map((id) => ({ store: NO_STORE, id })),
    );
    return (id: string) => loaded.get(`${NO_STORE}/${id}`);
  };
  const head = (await load([fold.head]))(fold.head);
  const events: LogEvent[] = [];
  for (let index = first; index < end; index++) {
    const stored = batch.events[index];
    if (stored && stored.position > (head?.position ?? '')) events.push(batch.logEvent(index));
  }
  const last = events.at(-1);
  if (!last) return undefined;
  const documents = new Map<string, object>();
  if (head?.document) documents.set(fold.head, head.document);
  const needed = fold.needs(head?.document);
  const others = await load(needed);
  for (const id of needed) {
    const document = others(id)?.document;
    if (document) documents.set(id, document);
  }
  const { position } = last.stored;
  const write = (id: string, document: object) => ({ store: NO_STORE, id, document, position });
  const changed = fold.fold(documents, events);
  if (store.commitsWhole === true) {
    return { collection, generation, records: [...changed].map(([id, document]) => write(id, document)), rows: [] };
  }
  const records = [...changed].filter(([id]) => id !== fold.head).map(([id, document]) => write(id, document));
  await store.commit([{ collection, generation, records, rows: [] }], []);
  const headDocument = changed.get(fold.head);
  return headDocument && { collection, generation, records: [write(fold.head, headDocument)], rows: [] };
}
