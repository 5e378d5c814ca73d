import { fiscalDocuments } from '../../../../projections/fiscal/documents.js';
import type { FiscalRecord } from '../../../../projections/fiscal/documents.js';
import { sales } from '../../../../projections/sales/sales.js';
import { pagesOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { KeptDocument } from '../../contracts/sales-to-tax.js';

const PAGE = 200;

/** The documents with a number that a customer's sales were taxed with, the newest sales first: tax law asks for them when the person is gone. */
export async function keptDocuments(context: RequestContext, customerId: string): Promise<readonly KeptDocument[]> {
  const found: KeptDocument[] = [];
  const sort = { column: 'occurredAt', direction: 'desc' } as const;
  const query = { equal: { customerId }, sort, limit: PAGE };
  for await (const page of pagesOf((at) => context.reads.findBodies(sales, { ...query, ...at }))) {
    const ids = page.map((body) => (JSON.parse(body) as { readonly id: string }).id);
    if (ids.length > 0) found.push(...(await documentsOf(context, ids)));
  }
  return found;
}

async function documentsOf(context: RequestContext, saleIds: readonly string[]): Promise<readonly KeptDocument[]> {
  const found: KeptDocument[] = [];
  const sort = { column: 'createdAt', direction: 'desc' } as const;
  const query = { oneOf: { column: 'saleId', values: saleIds }, sort, limit: PAGE };
  for await (const page of pagesOf((at) => context.reads.findBodies(fiscalDocuments, { ...query, ...at }))) {
    for (const body of page) {
      const { id, saleId, model, series, number, accessKey, status } = JSON.parse(body) as FiscalRecord;
      if (number !== null) found.push({ id, saleId, model, series, number, accessKey, status });
    }
  }
  return found;
}
