import { z } from 'zod';
import { toIso } from '../../../kernel/values/clock.js';
import { dayOf, isoRange, queryMoment } from '../../../kernel/values/days.js';
import { id } from '../../../kernel/values/fields.js';
import { TABLE_FORMATS, TABLE_TYPES, tableReply } from '../../../kernel/files/table.js';
import { listQuery } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { cursorAt, placeAt } from '../../../kernel/routes/list-cursors.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { valuationAnswer } from './answers.js';
import type { StockServices } from './services.js';
import { viewing } from './services.js';
import { heldAt } from './valuation.js';
import { hiddenLots, PRODUCTION_COSTS } from './costs.js';
import type { HeldStock } from './held-stock.js';
import { namesOf } from './valuation-labels.js';
import type { Place, PlaceWorth, Shown, ValuationRow } from './valuation-rows.js';
import { placesOf, rowsOf, worthOf } from './valuation-rows.js';
import { rowColumns, totalSheets } from './valuation-table.js';
import { totalsOf } from './valuation-totals.js';

const query = listQuery.omit({ from: true, to: true }).extend({
  at: queryMoment.optional().meta({ description: 'As of this moment; of a date its end. Now where it is left out' }),
  by: z
    .enum(['place', 'lot'])
    .default('place')
    .meta({ description: 'A row for each variant and location, or for each of their lots' }),
  variantId: id.optional(),
  locationId: id.optional(),
  format: z.enum(TABLE_FORMATS).default('json').meta({ description: 'csv and xlsx hold all rows, without pages' }),
});
type Asked = z.output<typeof query>;

/** A past moment is in the key; of the present one it is enough that nothing moves. */
function valued(context: RequestContext, asked: Asked, timeZone: string) {
  const { at, variantId, locationId } = asked;
  const { to: upTo = toIso(Date.parse(context.at)) } = isoRange({ to: at }, timeZone);
  const isNow = at === undefined;
  const key = JSON.stringify(['valuation', isNow ? 'now' : upTo, variantId, locationId]);
  return heldAt(context, { upTo, isNow, variantId, locationId }, key);
}

/** The lots of a place are no places: a page of places that began behind one of them would leave the others out of the first. */
const listOf = (by: Asked['by']): string => `valuation by ${by}`;
const KEY = /^([0-9a-f-]{36}(?: [0-9a-f-]{36}){1,2})$/;

async function pageOf(held: HeldStock, { cursor, limit, by }: Asked) {
  const [after] = cursor === undefined ? [] : placeAt(listOf(by), cursor, KEY);
  const places: Place[] = [];
  for await (const some of placesOf(held.after(after), by)) {
    places.push(...some);
    if (places.length > limit) break;
  }
  const page = places.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = last && places.length > limit ? cursorAt(listOf(by), last.key) : null;
  return { page, nextCursor };
}

/** The lots of which the asker may not see the cost. */
async function hiddenIn(context: RequestContext, held: HeldStock): Promise<ReadonlySet<string>> {
  if (context.may(PRODUCTION_COSTS)) return new Set();
  const lotIds = new Set<string>();
  for await (const some of held.after()) for (const { lotId } of some) lotIds.add(lotId);
  return hiddenLots(context, [...lotIds]);
}

async function worthOfPlaces(held: HeldStock): Promise<readonly PlaceWorth[]> {
  const found: PlaceWorth[] = [];
  for await (const some of placesOf(held.after(), 'place')) for (const place of some) found.push(worthOf(place));
  return found;
}

const variantsOf = (worth: readonly { readonly variantId: string }[]): readonly string[] => [
  ...new Set(worth.map(({ variantId }) => variantId)),
];

async function* allRows(
  context: RequestContext,
  held: HeldStock,
  by: Asked['by'],
  shown: Shown,
): AsyncGenerator<readonly ValuationRow[]> {
  for await (const places of placesOf(held.after(), by)) yield await rowsOf(context, places, by, shown);
}

export const readValuation = (services: StockServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/stock/valuation',
    operationId: 'valueStock',
    summary: 'Says what the stock was worth at a moment, by variant and location or lot by lot, with its totals',
    description:
      'Lots are worth what is left of their cost, so that rows, totals and the ledger agree to the last decimal. Goods that are owed are in no lot and have no value here. Rows with lots that production made have no value without production.costs; then there are no totals, and `partial` is true.',
    request: { query },
    response: { status: 200, schema: valuationAnswer, alternatives: TABLE_TYPES },
    async handle({ query: asked }, context) {
      const timeZone = await timeZoneOf(services.stores, context.storeId);
      const { upTo, held } = await valued(context, asked, timeZone);
      const hidden = await hiddenIn(context, held);
      const locations = await services.locations.names(context);
      const isWhole = asked.format !== 'json' || asked.cursor === undefined;
      const { page, nextCursor } = await pageOf(held, asked);
      const worth = isWhole ? await worthOfPlaces(held) : page.map(worthOf);
      const nameOf = await namesOf(services, context, variantsOf(worth));
      const shown = { nameOf, locations, hidden, timeZone };
      const partial = hidden.size > 0;
      const totals = isWhole && !partial ? totalsOf(worth, nameOf, locations) : undefined;
      if (asked.format !== 'json') {
        const rows = allRows(context, held, asked.by, shown);
        const table = {
          fileName: `valuation-${dayOf(Date.parse(upTo), timeZone)}`,
          title: 'Estoque',
          columns: rowColumns(asked.by),
          rows,
        };
        return tableReply(asked.format, { ...table, more: totals ? totalSheets(totals) : [] }, timeZone);
      }
      const items = await rowsOf(context, page, asked.by, shown);
      return { body: { at: upTo, items, nextCursor, partial, ...(totals ? { totals } : {}) } };
    },
  });
