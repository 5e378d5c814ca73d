import { fiscalDocuments } from '../../../../projections/fiscal/documents.js';
import type { FiscalRecord } from '../../../../projections/fiscal/documents.js';
import { sales } from '../../../../projections/sales/sales.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { KeptDocument } from '../../contracts/sales-to-tax.js';

const PAGE = 200;

/** The documents with a number that a customer's sales were taxed with, the newest sales first: tax law asks for them when the person is gone. */
export async function keptDocuments(context: RequestContext, customerId: string): Promise<readonly KeptDocument[]> {
  const found: KeptDocument[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await context.reads.findBodies(sales, {
      sort: { column: 'occurredAt', direction: 'desc' },
      equal: { customerId },
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const ids = page.items.map((body) => (JSON.parse(body) as { readonly id: string }).id);
    if (ids.length > 0) found.push(...(await documentsOf(context, ids)));
    cursor = page.nextCursor;
  }
  return found;
}

async function documentsOf(context: RequestContext, saleIds: readonly string[]): Promise<readonly KeptDocument[]> {
  const found: KeptDocument[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await context.reads.findBodies(fiscalDocuments, {
      sort: { column: 'createdAt', direction: 'desc' },
      limit: PAGE,
      oneOf: { column: 'saleId', values: saleIds },
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const body of page.items) {
      const { id, saleId, model, series, number, accessKey, status } = JSON.parse(body) as FiscalRecord;
      if (number !== null) found.push({ id, saleId, model, series, number, accessKey, status });
    }
    cursor = page.nextCursor;
  }
  return found;
}
