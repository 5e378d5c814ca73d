import { z } from 'zod';
import type { SaleDocument } from '../../../../projections/sales/sales.js';
import { sales } from '../../../../projections/sales/sales.js';
import { defined } from '../../../kernel/values/defined.js';
import { memoise } from '../../../kernel/values/memoise.js';
import { id, pathId, queryInteger } from '../../../kernel/values/fields.js';
import { listAnswer, listQuery, rangeOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { RawJson, route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import { saleRecord } from './answers.js';
import { withFigures } from './costs.js';
import { recalculatedSales } from './fees-in-force.js';
import type { SaleServices } from './services.js';
import { viewing } from './services.js';
import { found, revisionOf } from '../../../kernel/routes/stored-records.js';

const MOST_NUMBER = 999_999_999;

const query = listQuery.extend({
  customerId: id.optional(),
  status: z.enum(['COMPLETED', 'CANCELLED']).optional(),
  number: queryInteger(1, MOST_NUMBER).optional().meta({ description: 'The sale with this number' }),
});

interface SaleParts {
  readonly sale: SaleDocument;
  readonly hidden: Pick<SaleDocument, 'costs' | 'cardPlace'>;
}

const partsOf = ({ body, hidden }: StoredRecord): SaleParts => ({
  sale: JSON.parse(body) as SaleDocument,
  hidden: JSON.parse(hidden) as SaleParts['hidden'],
});

/**
 * A sale as it is stored. What is shown of it is worked out once, for who may see costs and for who may not. Lists keep many: of what is worked out
 * the text alone stays.
 */
class StoredSale {
  readonly customerId: string | null;
  readonly cardPlace: string | null;
  private readonly texts = new Map<boolean, string>();
  private unpacked: SaleParts | undefined;

  constructor(private readonly record: StoredRecord) {
    this.unpacked = partsOf(record);
    this.customerId = this.unpacked.sale.customerId;
    this.cardPlace = this.unpacked.hidden.cardPlace;
  }

  get id(): string {
    return this.record.id;
  }

  /** Its JSON without the brace that closes it. */
  shown(context: RequestContext, recalculated?: (sale: SaleDocument) => SaleDocument): string {
    const seesCosts = context.may('production.costs');
    if (recalculated) return this.textOf(seesCosts, recalculated);
    let text = this.texts.get(seesCosts);
    if (text === undefined) {
      text = seesCosts ? this.textOf(seesCosts) : this.record.body.slice(0, -1);
      this.texts.set(seesCosts, text);
    }
    this.unpacked = undefined;
    return text;
  }

  private textOf(seesCosts: boolean, recalculated = (sale: SaleDocument) => sale): string {
    const { sale, hidden } = this.unpacked ?? partsOf(this.record);
    const shown = recalculated(sale);
    return openJson(seesCosts ? withFigures(shown, hidden.costs) : shown);
  }
}

const openJson = (object: object): string => JSON.stringify(object).slice(0, -1);

const storedSale = memoise((record: StoredRecord) => new StoredSale(record));

/** The JSON of sales with the fees in force and their customers' names; a read gives each for all. */
async function shownSales(
  { customers }: SaleServices,
  context: RequestContext,
  records: readonly StoredRecord[],
): Promise<readonly string[]> {
  const stored = records.map(storedSale);
  const known = [...new Set(stored.flatMap(({ customerId }) => customerId ?? []))];
  const [recalculated, people] = await Promise.all([
    recalculatedSales(context.reads, stored),
    known.length === 0 ? undefined : customers.byIds(context, known),
  ]);
  return stored.map((one) => {
    const name = people?.get(one.customerId ?? '')?.name ?? null;
    return `${one.shown(context, recalculated.get(one.id))},"customerName":${JSON.stringify(name)}}`;
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
      return { body: new RawJson(`{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(page.nextCursor)}}`) };
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
      return { body: new RawJson(found(sale)), etag: revisionOf(record) };
    },
  });
