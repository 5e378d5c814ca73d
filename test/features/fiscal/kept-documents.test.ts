import { expect, test } from '@jest/globals';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { keptDocuments } from '../../../src/features/fiscal/documents/kept-documents.js';
import { sales } from '../../../projections/sales/sales.js';

const SALES = 450;
/** Of the first sale: each was refused and written anew. */
const TRIES = 230;

const soldIds = Array.from({ length: SALES }, (_, index) => `sale-${String(index)}`);
const documentOf = (saleId: string, index: number, number: number | null) => ({
  id: `${saleId}-${String(index)}`,
  saleId,
  model: 65,
  series: 1,
  number,
  accessKey: number === null ? null : String(number),
  status: number === null ? 'FAILED' : 'AUTHORIZED',
});
const documents = soldIds.flatMap((saleId, at) =>
  Array.from({ length: at === 0 ? TRIES : 1 }, (_, index) => documentOf(saleId, index, at * 1_000 + index)),
);
const withoutNumber = documentOf('sale-7', 1, null);

interface Asked {
  readonly limit: number;
  readonly cursor?: string;
  readonly oneOf?: { readonly values: readonly string[] };
}

const context = {
  reads: {
    findBodies(collection: unknown, { limit, cursor = '0', oneOf }: Asked) {
      const found =
        collection === sales
          ? soldIds.map((id) => ({ id }))
          : [...documents, withoutNumber].filter(({ saleId }) => oneOf?.values.includes(saleId));
      const end = Number(cursor) + limit;
      const items = found.slice(Number(cursor), end).map((record) => JSON.stringify(record));
      return Promise.resolve({ items, nextCursor: end < found.length ? String(end) : null });
    },
  },
} as unknown as RequestContext;

test('who was erased after hundreds of sales is told each of their documents that has a number', async () => {
  expect(await keptDocuments(context, 'customer')).toEqual(documents);
});
