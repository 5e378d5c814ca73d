import type { ReadModels, RecordCollection, StoredRecord } from '../../ports/read-models.js';
import type { RequestContext } from './request-context.js';

/** Records that are asked for because a request names them, in the order of the ids. What is found needs no waiting; only what is missing is looked for again behind the last write. */
export async function readNamed(
  reads: ReadModels,
  context: RequestContext,
  collection: RecordCollection<never>,
  ids: readonly string[],
): Promise<readonly StoredRecord[]> {
  if (ids.length === 0) return [];
  const found = await reads.getMany(collection, context.storeId, ids);
  if (found.length === ids.length) return found;
  const known = new Map(found.map((record) => [record.id, record]));
  const missing = ids.filter((id) => !known.has(id));
  for (const record of await context.reads.getMany(collection, missing)) known.set(record.id, record);
  return ids.flatMap((id) => known.get(id) ?? []);
}
