import { z } from 'zod';
import type { SaleDocument } from '../../../../projections/sales/sales.js';
import { sales } from '../../../../projections/sales/sales.js';
import { defined } from '../../../kernel/values/defined.js';
import { id, pathId, queryInteger } from '../../../kernel/values/fields.js';
import { listAnswer, listQuery, rangeOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import { saleRecord } from './answers.js';
import { withCosts } from './costs.js';
import { salesWithFeesInForce } from './fees-in-force.js';
import type { SaleServices } from './services.js';
import { viewing } from './services.js';
import { found, revisionOf } from '../../../kernel/routes/stored-records.js';

const MOST_NUMBER = 999_999_999;

const query = listQuery.extend({
  customerId: id.optional(),
  status: z.enum(['COMPLETED', 'CANCELLED']).optional(),
  number: queryInteger(1, MOST_NUMBER).optional().meta({ description: 'The sale with this number' }),
});

/** The sales with the fees in force and their customers' names; a read gives each for all. */
async function shownSales(
  { customers }: SaleServices,
  context: RequestContext,
  records: readonly StoredRecord[],
): Promise<readonly object[]> {
  const sold = await salesWithFeesInForce(context.reads, records);
  const known = sold.flatMap(({ customerId }) => customerId ?? []);
  const found = known.length === 0 ? undefined : await customers.byIds(context, [...new Set(known)]);
  return sold.map((sale, index) => {
    const { costs } = JSON.parse(records[index]?.hidden ?? '{}') as Pick<SaleDocument, 'costs'>;
    return { ...withCosts(context, sale, costs), customerName: found?.get(sale.customerId ?? '')?.name ?? null };
  });
}

export const listSales = (services: SaleServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/sales',
    summary: 'Lists the sales, the newest first',
    description:
      'from and to speak of when they occurred; the cancelled ones are among them. cost and margin, by sale and by line, are what the goods cost that did not come back, and what was paid for them less that.',
    request: { query },
    response: { status: 200, schema: listAnswer(saleRecord) },
    async handle({ query: { cursor, limit, customerId, status, number, ...period } }, context) {
      const page = await context.reads.find(sales, {
        equal: defined({ customerId, status, number }),
        ...rangeOf('occurredAt', period, await timeZoneOf(services.stores, context.storeId)),
        sort: { column: 'occurredAt', direction: 'desc' },
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const items = await shownSales(services, context, page.items);
      return { body: { items, nextCursor: page.nextCursor } };
    },
  });

export const readSale = (services: SaleServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/sales/{id}',
    summary: 'Gives one sale with its entity tag',
    request: { params: z.strictObject({ id: pathId }) },
    response: { status: 200, schema: saleRecord, etag: true },
    async handle({ params }, context) {
      const record = found(await context.reads.get(sales, params.id));
      const [sale] = await shownSales(services, context, [record]);
      return { body: sale, etag: revisionOf(record) };
    },
  });
