import { averageCosts } from '../../../../projections/inventory/average-costs.js';
import { wordOfId } from '../../../../projections/inventory/parts/id-words.js';
import type { StockDocument } from '../../../../projections/inventory/stock.js';
import { stock, wordOfDebt } from '../../../../projections/inventory/stock.js';
import { isoRange, queryMoment } from '../../../kernel/values/days.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { id, queryBoolean } from '../../../kernel/values/fields.js';
import { listAnswer, listQuery } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { cursorAt, placeAt } from '../../../kernel/routes/list-cursors.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import { balanceAnswer } from './answers.js';
import { producedVariants } from './costs.js';
import { lastBalances } from './movements.js';
import type { StockServices } from './services.js';
import { viewing } from './services.js';
import type { z } from 'zod';

const query = listQuery
  .omit({ from: true, to: true })
  .extend({
    variantId: id.optional(),
    locationId: id.optional(),
    at: queryMoment.optional().meta({ description: 'As of this moment; of a date its end. Now where it is left out' }),
    belowZero: queryBoolean.optional().meta({ description: 'Only what is owed now; not with at' }),
  })
  .refine(({ at, belowZero }) => at === undefined || belowZero !== true, {
    path: ['belowZero'],
    error: 'is for the present alone',
  });
type Asked = z.output<typeof query>;
type Balance = z.output<typeof balanceAnswer>;
type Place = Pick<Balance, 'variantId' | 'locationId'>;

const LIST = 'balances';
const PLACE = /^(\S+) (\S+)$/;

const cursorOf = ({ variantId, locationId }: Place): string => cursorAt(LIST, `${variantId} ${locationId}`);

function placeOf(cursor: string): Place {
  const [variantId = '', locationId = ''] = placeAt(LIST, cursor, PLACE);
  return { variantId, locationId };
}

const isBeyond = (row: Place, end: Place): boolean =>
  row.variantId > end.variantId || (row.variantId === end.variantId && row.locationId > end.locationId);

function rowsOf({ body, hidden }: StoredRecord): Balance[] {
  const { variantId, averageCost } = JSON.parse(body) as StockDocument;
  const { balances } = JSON.parse(hidden) as StockDocument;
  return Object.entries(balances)
    .map(([locationId, quantity]) => ({
      variantId,
      locationId,
      quantity: Decimal.from(quantity).toNumber(),
      averageCost,
    }))
    .sort((a, b) => (a.locationId < b.locationId ? -1 : 1));
}

/** A row for each variant and location; of the variants as many as fill the page and tell whether there are more. */
async function presentBalances(context: RequestContext, asked: Asked) {
  const { variantId, locationId, limit, cursor, belowZero = false } = asked;
  const end = cursor === undefined ? undefined : placeOf(cursor);
  const records =
    variantId === undefined
      ? await recordsFrom(context, asked, end?.variantId)
      : await context.reads.getMany(stock, [variantId]);
  const rows = records
    .flatMap(rowsOf)
    .filter((row) => locationId === undefined || row.locationId === locationId)
    .filter(({ quantity }) => !belowZero || quantity < 0)
    .filter((row) => end === undefined || isBeyond(row, end));
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last && rows.length > limit ? cursorOf(last) : null };
}

async function recordsFrom(
  context: RequestContext,
  { locationId, belowZero = false, limit }: Asked,
  from: string | undefined,
): Promise<readonly StoredRecord[]> {
  const word = belowZero ? wordOfDebt(locationId) : locationId && wordOfId(locationId);
  const { items } = await context.reads.find(stock, {
    equal: { moved: 1 },
    ...(from === undefined ? {} : { range: { column: 'variantId', from } }),
    ...(word === undefined ? {} : { words: word }),
    sort: { column: 'variantId', direction: 'asc' },
    limit: limit + 2,
  });
  return items;
}

/** The same rows as they were; those that did not exist yet are missing. */
async function balancesAt(context: RequestContext, rows: readonly Balance[], upTo: string): Promise<Balance[]> {
  const variantIds = [...new Set(rows.map(({ variantId }) => variantId))];
  const [known, costs] = await Promise.all([
    lastBalances(context, rows, upTo),
    context.reads.lastRows(averageCosts, {
      by: ['variantId'],
      keys: variantIds.map((variantId) => [variantId]),
      column: 'at',
      upTo,
    }),
  ]);
  const quantityOf = new Map(known.map((one) => [cursorOf(one), one.balance.toNumber()]));
  const costOf = new Map(costs.map((row) => [row.variantId, Number(row.averageCost)]));
  return rows.flatMap(({ variantId, locationId }) => {
    const quantity = quantityOf.get(cursorOf({ variantId, locationId }));
    return quantity === undefined
      ? []
      : [{ variantId, locationId, quantity, averageCost: costOf.get(variantId) ?? null }];
  });
}

/** Pages of the present rows until one has rows that were there then: a page is never empty with another behind it. */
async function pastBalances(context: RequestContext, asked: Asked, upTo: string) {
  let cursor = asked.cursor;
  for (;;) {
    const page = await presentBalances(context, { ...asked, cursor });
    const items = await balancesAt(context, page.items, upTo);
    if (items.length > 0 || page.nextCursor === null) return { items, nextCursor: page.nextCursor };
    cursor = page.nextCursor;
  }
}

/** The average cost of what was ever produced is a cost of production. */
async function visible(context: RequestContext, rows: readonly Balance[]): Promise<readonly Balance[]> {
  const produced = await producedVariants(
    context,
    rows.map(({ variantId }) => variantId),
  );
  if (produced.size === 0) return rows;
  return rows.map(({ averageCost, ...row }) => (produced.has(row.variantId) ? row : { ...row, averageCost }));
}

export const listBalances = ({ stores }: StockServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/stock/balances',
    summary: 'Lists what each location holds of each variant, now or at any past moment',
    description:
      'Negative where goods are owed. The average cost is that of the variant over all locations. Of a past moment a page may have fewer rows than its limit while there are more, but never none. The average of what was ever produced needs production.costs.',
    request: { query },
    response: { status: 200, schema: listAnswer(balanceAnswer) },
    async handle({ query: asked }, context) {
      if (asked.at === undefined) {
        const page = await presentBalances(context, asked);
        return { body: { ...page, items: await visible(context, page.items) } };
      }
      const { to = asked.at } = isoRange({ to: asked.at }, await timeZoneOf(stores, context.storeId));
      const page = await pastBalances(context, asked, to);
      return { body: { ...page, items: await visible(context, page.items) } };
    },
  });
