import type { ReadModels, RecordCollection, StoredRecord } from '../../ports/read-models.js';
import type { RequestContext } from './request-context.js';

/** Records that are asked for because a request names them. What is found needs no waiting; only what is missing is looked for again behind the last write. */
export async function readNamed(
  reads: ReadModels,
  context: RequestContext,
  collection: RecordCollection<never>,
  ids: readonly string[],
): Promise<readonly StoredRecord[]> {
  if (ids.length === 0) return [];
  const found = await reads.getMany(collection, context.storeId, ids);
  if (found.length === ids.length) return found;
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  return [...found, ...(await context.reads.getMany(collection, missing))];
}
