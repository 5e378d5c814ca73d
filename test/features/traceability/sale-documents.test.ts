import { expect, test } from '@jest/globals';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import type { SaleDocument } from '../../../src/features/traceability/sale-documents.js';
import { chosenOf, documentsOf } from '../../../src/features/traceability/sale-documents.js';

const withStatuses = (...statuses: readonly SaleDocument['status'][]): readonly SaleDocument[] =>
  statuses.map((status, index) => ({
    id: String(index),
    model: 65,
    series: 1,
    number: index + 1,
    accessKey: String(index),
    status,
  }));

test.each([
  ['the one that stands before one that was rejected since', withStatuses('AUTHORIZED', 'REJECTED'), 0],
  ['the one that stands after one that was cancelled', withStatuses('CANCELLED', 'AUTHORIZED'), 1],
  ['the newer of two that stand, also while it waits for the authority', withStatuses('AUTHORIZED', 'CONTINGENCY'), 1],
  ['one that waits for the authority before one that was given up', withStatuses('CONTINGENCY', 'VOIDED'), 0],
  ['the newest where none stands', withStatuses('CANCELLED', 'REJECTED'), 1],
])('a line with room for one document shows %s', (_what, documents, chosen) => {
  expect(chosenOf(documents)).toBe(documents[chosen]);
});

test('a sale without documents shows none', () => {
  expect(chosenOf()).toBeUndefined();
});

test('a sale has its documents with a number, the oldest first', async () => {
  const record = (number: number | null, second: number) => ({
    id: String(second),
    saleId: 'sale',
    model: 65,
    series: 1,
    number,
    accessKey: number === null ? null : String(number),
    status: number === null ? 'FAILED' : 'CANCELLED',
    createdAt: `2026-01-02T03:04:0${String(second)}.000Z`,
  });
  const items = [record(3, 4), record(null, 3), record(1, 1), record(2, 2)].map((one) => JSON.stringify(one));
  const reads = { findBodies: () => Promise.resolve({ items, nextCursor: null }) };
  const found = await documentsOf({ reads } as unknown as RequestContext, ['sale', 'sale']);
  expect(found.get('sale')?.map(({ number }) => number)).toEqual([1, 2, 3]);
});
