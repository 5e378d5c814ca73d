import { z } from 'zod';
import { products } from '../../../../projections/products/products.js';
import type { SalesTotals, SummedBy } from '../../../../projections/sales/parts/sales-totals.js';
import { SUMMED_BY, idsOfDays, keyOfTotals } from '../../../../projections/sales/parts/sales-totals.js';
import { sales } from '../../../../projections/sales/sales.js';
import { Rejection, rejection } from '../../../kernel/events/rejection.js';
import { totalsOf } from '../../../kernel/projections/projector.js';
import { TABLE_FORMATS, TABLE_TYPES, tableReply } from '../../../kernel/files/table.js';
import { pagesOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { RawJsonBytes, route } from '../../../kernel/routes/route.js';
import { batchesOf } from '../../../kernel/values/batches.js';
import { dayOf, daysBetween, daysLater, momentRange, queryMoment } from '../../../kernel/values/days.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { PAYMENT_METHODS } from '../events.js';
import { summaryRow } from './answers.js';
import type { SummaryRow } from './sales-summary-table.js';
import { summaryColumns } from './sales-summary-table.js';
import type { SaleServices } from './services.js';
import { viewing } from './services.js';

const MOST_DAYS = 400;
const USUAL_DAYS = 30;
const PAGE = 1_000;
const PERIOD_TOO_LONG = rejection(400, 'PERIOD_TOO_LONG', 'The period is longer than a summary may be');

const PAYMENT_LABELS: Readonly<Record<(typeof PAYMENT_METHODS)[number], string>> = {
  CASH: 'Dinheiro',
  DEBIT: 'Débito',
  CREDIT: 'Crédito',
  PIX: 'Pix',
  OTHER: 'Outros',
};

/** What people call what is summed by. */
interface Summed {
  readonly label: string;
  readonly unit?: string;
}

const PAYMENTS: ReadonlyMap<string, Summed> = new Map(
  Object.entries(PAYMENT_LABELS).map(([key, label]) => [key, { label }]),
);

interface Days {
  readonly first: string;
  readonly last: string;
}

function daysOf(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  { at, timeZone }: { readonly at: string; readonly timeZone: string },
): Days {
  const { from, before } = momentRange(asked, timeZone);
  const last = dayOf(before === Infinity ? Date.parse(at) : before - 1, timeZone);
  const first = from === -Infinity ? daysLater(last, 1 - USUAL_DAYS) : dayOf(from, timeZone);
  return { first, last };
}

/** From the first day with sales to the last one: who asks for all that there is names a period far wider than that. */
async function tradedDays({ reads }: RequestContext, days: Days): Promise<Days> {
  const edge = async (direction: 'asc' | 'desc') => {
    const range = { column: 'id', ...idsOfDays('day', days.first, days.last) };
    const { items } = await reads.find(totalsOf(sales), { range, sort: { column: 'id', direction }, limit: 1 });
    return items[0] && keyOfTotals(items[0].id);
  };
  const [first = days.first, last = days.first] = [await edge('asc'), await edge('desc')];
  if (daysBetween(first, last) < MOST_DAYS) return { first, last };
  throw new Rejection(PERIOD_TOO_LONG, `a summary is of ${String(MOST_DAYS)} days at most`, {
    errors: [{ path: 'from', message: 'is too long ago for one summary' }],
  });
}

/** The sums of all days by key, in the order of the first day of each. */
async function summed({ reads }: RequestContext, by: SummedBy, { first, last }: Days) {
  const sums = new Map<string, Record<keyof SalesTotals, Decimal>>();
  const query = { range: { column: 'id', ...idsOfDays(by, first, last) } };
  const read = (at: { readonly cursor?: string }) =>
    reads.find(totalsOf(sales), { ...query, ...at, sort: { column: 'id', direction: 'asc' }, limit: PAGE });
  for await (const page of pagesOf(read)) {
    for (const { id, body } of page) {
      const totals = JSON.parse(body) as SalesTotals;
      const before = sums.get(keyOfTotals(id));
      const added = (counter: keyof SalesTotals) =>
        Decimal.from(totals[counter] ?? 0).plus(before?.[counter] ?? Decimal.zero);
      sums.set(keyOfTotals(id), {
        sales: added('sales'),
        quantity: added('quantity'),
        gross: added('gross'),
        returned: added('returned'),
      });
    }
  }
  return sums;
}

/** What people call products, and what they count them in, by their ids. */
async function productsOf({ reads }: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, Summed>> {
  const named = new Map<string, Summed>();
  for (const some of batchesOf(ids, PAGE)) {
    for (const { id, body } of await reads.getMany(products, some)) {
      const { description, saleUnit } = JSON.parse(body) as { readonly description: string; readonly saleUnit: string };
      named.set(id, { label: description, unit: saleUnit });
    }
  }
  return named;
}

async function rowsOf(context: RequestContext, by: SummedBy, days: Days): Promise<readonly SummaryRow[]> {
  const sums = await summed(context, by, days);
  const named = by === 'product' ? await productsOf(context, [...sums.keys()]) : PAYMENTS;
  const rows = [...sums].map(([key, { sales: count, quantity, gross, returned }]) => ({
    key,
    label: key,
    sales: count.toNumber(),
    ...(by === 'product' ? { quantity: quantity.toNumber() } : {}),
    ...named.get(key),
    gross: gross.toNumber(),
    returned: returned.toNumber(),
    net: gross.minus(returned).toNumber(),
  }));
  return by === 'day' ? rows : rows.sort((a, b) => b.net - a.net || (a.label < b.label ? -1 : 1));
}

async function* allRows(context: RequestContext, by: SummedBy, days: Days): AsyncGenerator<readonly SummaryRow[]> {
  yield await rowsOf(context, by, days);
}

export const summariseSales = ({ stores }: SaleServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/sales/summary',
    operationId: 'summariseSales',
    summary: 'Sums the sales of a period by day, by product or by way of payment',
    description: `Whole days of the store, at most ${String(MOST_DAYS)} from the first to the last with sales; without \`from\` the ${String(USUAL_DAYS)} days up to \`to\`, without \`to\` up to today. Sales count on the day on which they occurred, in the time zone that the store had when they were recorded (lists go by the one it has now), with all that came back of them; cancelled ones count nowhere. Days without sales are left out. By payment, what came back is taken from the last payment of its sale first. Days come in their order, the others by what they brought.`,
    request: {
      query: z.strictObject({
        from: queryMoment.optional(),
        to: queryMoment.optional(),
        by: z.enum(SUMMED_BY).default('day'),
        format: z.enum(TABLE_FORMATS).default('json'),
      }),
    },
    response: {
      status: 200,
      schema: z.object({ items: z.array(summaryRow) }).meta({ id: 'SalesSummary' }),
      alternatives: TABLE_TYPES,
    },
    rejections: [PERIOD_TOO_LONG],
    async handle({ query: { by, format, ...period } }, context) {
      const timeZone = await timeZoneOf(stores, context.storeId);
      const asked = daysOf(period, { at: context.at, timeZone });
      const isLong = daysBetween(asked.first, asked.last) >= MOST_DAYS;
      const days = isLong ? await tradedDays(context, asked) : asked;
      if (format !== 'json') {
        const fileName = `sales-by-${by}-${asked.first}-${asked.last}`;
        const columns = summaryColumns[by];
        return tableReply(format, { fileName, title: 'Vendas', columns, rows: allRows(context, by, days) }, timeZone);
      }
      const make = async () => Buffer.from(JSON.stringify({ items: await rowsOf(context, by, days) }));
      const collections = by === 'product' ? [sales, products] : [sales];
      const key = JSON.stringify(['summary', by, days]);
      return { body: new RawJsonBytes(await context.reads.kept({ collections }, key, make)) };
    },
  });
