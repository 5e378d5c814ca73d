import { wordsOf } from '../../kernel/values/words.js';
import type { Position } from '../../ports/event-store.js';
import type {
  LoadedRecord,
  RecordCollection,
  RecordWrite,
  RowKeys,
  RowWrite,
  Scalar,
  StoredRecord,
} from '../../ports/read-models.js';
import { keyOf } from '../../ports/read-models.js';

/** A record, or the tombstone of one: that has no store, so no query finds it. */
export interface RecordDocument {
  readonly _id: string;
  readonly position: Position;
  readonly store?: string;
  readonly body?: string;
  readonly hidden?: string;
  readonly words?: readonly string[];
  /** The values of the declared columns. */
  readonly c?: Readonly<Record<string, Scalar>>;
  /** The values of each key: an index of a list holds each of them. */
  readonly k?: RowKeys;
  readonly deletedAt?: number;
}

export interface RowDocument {
  readonly _id: string;
  readonly store: string;
  readonly c: Readonly<Record<string, Scalar>>;
  /** As of records. */
  readonly k?: RowKeys;
}

export function recordDocument(collection: RecordCollection<never>, write: RecordWrite, now: number): RecordDocument {
  const { store, position, document } = write;
  const _id = keyOf(write);
  if (document === undefined) return { _id, position, deletedAt: now };
  // The registry holds collections of all document types; this one's functions take what its own projector gave.
  const typed = collection as unknown as RecordCollection;
  const members = Object.entries(document);
  const apart: readonly string[] = typed.hidden;
  const known = new Map(members);
  return {
    _id,
    position,
    store,
    body: JSON.stringify(Object.fromEntries(members.filter(([name]) => !apart.includes(name)))),
    hidden: JSON.stringify(Object.fromEntries(apart.map((name) => [name, known.get(name)]))),
    c: Object.fromEntries(Object.entries(typed.columns).map(([name, column]) => [name, column.of(document, write.id)])),
    ...(typed.keys && {
      k: Object.fromEntries(Object.entries(typed.keys).map(([name, key]) => [name, key.of(document, write.id)])),
    }),
    ...(typed.words && { words: wordsOf(typed.words(document)) }),
  };
}

export function storedRecord({ _id, body, hidden }: RecordDocument, store: string): StoredRecord | undefined {
  if (body === undefined || hidden === undefined) return undefined;
  return { id: _id.slice(store.length + 1), body, hidden };
}

export function loadedRecord({ body, hidden, position }: RecordDocument): LoadedRecord {
  if (body === undefined || hidden === undefined) return { document: undefined, position };
  return { document: { ...(JSON.parse(body) as object), ...(JSON.parse(hidden) as object) }, position };
}

export const rowDocument = (write: RowWrite): RowDocument => ({
  _id: keyOf(write),
  store: write.store,
  c: write.values,
  ...(write.keys && { k: write.keys }),
});
