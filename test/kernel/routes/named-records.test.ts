import { expect, test } from '@jest/globals';
import { readNamed } from '../../../src/kernel/routes/named-records.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import type { ReadModels, RecordCollection } from '../../../src/ports/read-models.js';

const record = (id: string) => ({ id, body: '{}', hidden: '{}' });

const shelf: RecordCollection = { kind: 'records', name: 'shelf', version: 1, hidden: [], columns: {}, indexes: [] };

test('records stand in the order in which they are named, also those that were written a moment ago', async () => {
  const among = (known: readonly string[]) => (ids: readonly string[]) =>
    Promise.resolve(ids.filter((id) => known.includes(id)).map(record));
  const early = among(['b', 'd']);
  const reads = { getMany: (_, _store, ids) => early(ids) } as Partial<ReadModels> as ReadModels;
  const behindTheLastWrite = among(['a', 'b', 'c', 'd']);
  const context = {
    storeId: 'store',
    reads: { getMany: (_: unknown, ids: readonly string[]) => behindTheLastWrite(ids) },
  } as unknown as RequestContext;
  const found = await readNamed(reads, context, shelf, ['a', 'b', 'x', 'c', 'd']);
  expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});
