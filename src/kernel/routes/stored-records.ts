import type { RecordCollection, StoredRecord } from '../../ports/read-models.js';
import { NOT_FOUND, Rejection } from '../events/rejection.js';
import { RawJson } from './route.js';
import type { Reply } from './route.js';

/** Records of read models on their way into answers. */

type Stored = Pick<StoredRecord, 'body' | 'hidden'>;

/** Refuses with 404 what there is not. */
export function found<T>(record: T | undefined): T {
  if (record === undefined) throw new Rejection(NOT_FOUND);
  return record;
}

/** The revision of the record's own last change, which becomes its entity tag. */
export const revisionOf = ({ hidden }: Stored): number =>
  (JSON.parse(hidden) as { readonly revision: number }).revision;

/** The record as it is stored, with its entity tag. */
export function recordReply(record: Stored | undefined): Reply {
  const { body, hidden } = found(record);
  return { body: new RawJson(body), etag: revisionOf({ body, hidden }) };
}

/** What the projector made: the members that are answered and those that are hidden. */
export const wholeDocument = ({ body, hidden }: Stored): object =>
  Object.assign(JSON.parse(body) as object, JSON.parse(hidden) as object);

/** The same, as the type that the collection tells. */
export const documentOf = <D extends object>(_collection: RecordCollection<D>, record: Stored): D =>
  wholeDocument(record) as D;
