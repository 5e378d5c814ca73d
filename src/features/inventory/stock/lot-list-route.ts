import { z } from 'zod';
import type { HoldingDocument } from '../../../../projections/inventory/holdings.js';
import { holdings } from '../../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots } from '../../../../projections/inventory/lots.js';
import { toIso } from '../../../kernel/values/clock.js';
import { endOf, isoRange, queryMoment } from '../../../kernel/values/days.js';
import { defined } from '../../../kernel/values/defined.js';
import { freeText, id, name, queryBoolean } from '../../../kernel/values/fields.js';
import type { ListQuery } from '../../../kernel/routes/lists.js';
import { listAnswer, listQuery, pagesOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import { comparableCode } from '../events.js';
import { lotCode } from '../fields.js';
import { heldLot } from './answers.js';
import { NAME_LENGTH } from './bodies.js';
import { hiddenLots } from './costs.js';
import { heldRow, lotDocument } from './lot-answers.js';
import { lotsFound, MOST_PRODUCTS } from './lot-search.js';
import type { StockServices } from './services.js';
import { viewing } from './services.js';
import { documentOf } from '../../../kernel/routes/stored-records.js';
import { cursorAt, placeAt } from '../../../kernel/routes/list-cursors.js';

const query = listQuery.extend({
  variantId: id.optional(),
  locationId: id.optional(),
  lotId: id.optional(),
  lotCode: lotCode.optional(),
  q: freeText(NAME_LENGTH)
    .optional()
    .meta({
      description: `The beginning of a code or of the product’s words; of more than ${String(MOST_PRODUCTS)} products with such words, the first by name`,
    }),
  supplier: name(NAME_LENGTH).optional(),
  expiresBefore: queryMoment.optional().meta({ description: 'A date means the end of that day' }),
  status: z.enum(['AVAILABLE', 'BLOCKED']).optional(),
  includeEmpty: queryBoolean.optional().meta({ description: 'Also what is spent' }),
});
type Asked = z.output<typeof query>;

interface Row {
  readonly lot: LotDocument;
  readonly holding: HoldingDocument;
}

interface Page {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

const LOTS_AT_ONCE = 1_000;

/** The numbers of the lots that entered at a moment: those of one receipt, or more. */
async function enteredAt(context: RequestContext, receivedAt: string): Promise<readonly number[]> {
  const entered: number[] = [];
  const sort = { column: 'receivedAt', direction: 'asc' } as const;
  const query = { equal: { receivedAt }, sort, limit: LOTS_AT_ONCE };
  for await (const page of pagesOf((at) => context.reads.find(lots, { ...query, ...at }))) {
    entered.push(...page.map((record) => lotDocument(record).entered));
  }
  return entered;
}

/** Lots are numbered in the order of their entry, so that a time of entry is a place among the numbers. */
async function enteredRange(context: RequestContext, asked: ListQuery, timeZone: string) {
  if (asked.from === undefined && asked.to === undefined) return undefined;
  const { from, to } = isoRange(asked, timeZone);
  const edge = async (direction: 'asc' | 'desc', range: { readonly from?: string; readonly to?: string }) => {
    const sort = { column: 'receivedAt', direction } as const;
    const { items } = await context.reads.find(lots, { range: { column: 'receivedAt', ...range }, sort, limit: 1 });
    return items[0] ? enteredAt(context, lotDocument(items[0]).receivedAt) : [];
  };
  const [first, last] = await Promise.all([
    from === undefined ? [0] : edge('asc', { from }),
    to === undefined ? [Number.MAX_SAFE_INTEGER] : edge('desc', { to }),
  ]);
  return { from: Math.min(...first, Number.MAX_SAFE_INTEGER), to: Math.max(...last, -1) };
}

type Range = Awaited<ReturnType<typeof enteredRange>>;

const holdingOf = (record: StoredRecord): HoldingDocument => documentOf(holdings, record);

/** By what holdings know themselves. */
async function heldPage(context: RequestContext, asked: Asked, range: Range): Promise<Page> {
  const { cursor, limit, includeEmpty = false, variantId, locationId, lotId, lotCode: code } = asked;
  const page = await context.reads.find(holdings, {
    equal: defined({
      variantId,
      locationId,
      lotId,
      code: code === undefined ? undefined : comparableCode(code),
      left: includeEmpty ? undefined : 1,
    }),
    ...(range === undefined ? {} : { range: { column: 'entered', ...range } }),
    sort: { column: 'entered', direction: 'asc' },
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const held = page.items.map(holdingOf);
  const found = await context.reads.getMany(lots, [...new Set(held.map((holding) => holding.lotId))]);
  const byId = new Map(found.map((record) => [record.id, lotDocument(record)]));
  const rows = held.flatMap((holding) => {
    const lot = byId.get(holding.lotId);
    return lot ? [{ lot, holding }] : [];
  });
  return { rows, nextCursor: page.nextCursor };
}

const placeOf = ({ lot, holding }: Row): string => `${String(lot.entered)} ${holding.locationId}`;
const cursorOf = (row: Row): string => cursorAt(LIST, placeOf(row));
const LIST = 'lots';
const CURSOR = /^(\d{1,15}) (\S*)$/;

function afterCursor(cursor: string | undefined): { readonly entered: number; readonly locationId: string } {
  if (cursor === undefined) return { entered: 0, locationId: '' };
  const [entered, locationId = ''] = placeAt(LIST, cursor, CURSOR);
  return { entered: Number(entered), locationId };
}

/** By what lots alone know: page by page until there are enough rows, so that a page is never empty with another behind it. */
async function searchedPage(context: RequestContext, asked: Asked, range: Range, timeZone: string): Promise<Page> {
  const { q, supplier, expiresBefore, status, variantId, lotCode: code, lotId, locationId, limit } = asked;
  const after = afterCursor(asked.cursor);
  const onlyLeft = asked.includeEmpty !== true;
  const until = expiresBefore === undefined ? undefined : toIso(endOf(expiresBefore, timeZone));
  const search = { q, supplier, expiresBefore: until, status, variantId, lotCode: code, onlyLeft };
  const rows: Row[] = [];
  for await (const found of lotsFound(context, search, Math.max(after.entered, range?.from ?? 0))) {
    const wanted = found.filter(
      (lot) => (lotId === undefined || lot.lotId === lotId) && lot.entered <= (range?.to ?? Infinity),
    );
    for (const row of await rowsOf(context, wanted, onlyLeft)) {
      if (locationId !== undefined && row.holding.locationId !== locationId) continue;
      if (row.lot.entered === after.entered && row.holding.locationId <= after.locationId) continue;
      rows.push(row);
    }
    if (rows.length > limit) break;
  }
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: last && rows.length > limit ? cursorOf(last) : null };
}

/** The locations of each lot in the order of their ids. */
async function rowsOf(context: RequestContext, found: readonly LotDocument[], onlyLeft: boolean): Promise<Row[]> {
  if (found.length === 0) return [];
  const byLot = new Map<string, HoldingDocument[]>();
  const pages = pagesOf((at) =>
    context.reads.find(holdings, {
      oneOf: { column: 'lotId', values: found.map(({ lotId }) => lotId) },
      ...(onlyLeft ? { equal: { left: 1 } } : {}),
      sort: { column: 'lotId', direction: 'asc' },
      limit: 200,
      ...at,
    }),
  );
  for await (const page of pages) {
    for (const holding of page.map(holdingOf)) {
      byLot.set(holding.lotId, [...(byLot.get(holding.lotId) ?? []), holding]);
    }
  }
  return found.flatMap((lot) =>
    (byLot.get(lot.lotId) ?? [])
      .sort((a, b) => (a.locationId < b.locationId ? -1 : 1))
      .map((holding) => ({ lot, holding })),
  );
}

export const listLots = ({ stores }: StockServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/stock/lots',
    summary: 'Lists lots, a row for each location at which they lie, in the order of their entry',
    description:
      'from and to speak of the time of entry. Rows with nothing left come with includeEmpty alone. A code is found however it is spelt. Costs of what production made need production.costs.',
    request: { query },
    response: { status: 200, schema: listAnswer(heldLot) },
    async handle({ query: asked }, context) {
      const timeZone = await timeZoneOf(stores, context.storeId);
      const range = await enteredRange(context, asked, timeZone);
      const { q, supplier, expiresBefore, status } = asked;
      const isSearch = [q, supplier, expiresBefore, status].some((one) => one !== undefined && one !== '');
      const page = isSearch
        ? await searchedPage(context, asked, range, timeZone)
        : await heldPage(context, asked, range);
      const moment = { at: context.at, timeZone };
      const hidden = await hiddenLots(
        context,
        page.rows.map(({ lot }) => lot.lotId),
      );
      const items = page.rows.map(({ lot, holding }) => heldRow(lot, holding, moment, hidden));
      return { body: { items, nextCursor: page.nextCursor } };
    },
  });
