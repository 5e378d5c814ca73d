import { z } from 'zod';
import type { HoldingDocument } from '../../../../projections/inventory/holdings.js';
import { holdings } from '../../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots } from '../../../../projections/inventory/lots.js';
import { isoRange } from '../../../kernel/values/days.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { defined } from '../../../kernel/values/defined.js';
import { readNamed } from '../../../kernel/routes/named-records.js';
import { id, pathId, queryBoolean } from '../../../kernel/values/fields.js';
import type { ListQuery } from '../../../kernel/routes/lists.js';
import { listAnswer, listQuery } from '../../../kernel/routes/lists.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { Reply, RequestContext, Route } from '../../../kernel/routes/route.js';
import { RawJson, route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import { inventory } from '../decider.js';
import { comparableCode } from '../events.js';
import { lotCode } from '../fields.js';
import type { HeldLot } from './answers.js';
import { heldLot, lotAnswer, unitCostOf } from './answers.js';
import { lotMark } from './bodies.js';
import { namedLot } from './stock-entry-routes.js';
import type { StockServices } from './services.js';
import { managing, viewing } from './services.js';

const query = listQuery.extend({
  variantId: id.optional(),
  locationId: id.optional(),
  lotId: id.optional(),
  lotCode: lotCode.optional(),
  includeEmpty: queryBoolean.optional().meta({ description: 'Also what is spent' }),
});

/** Lots are numbered in the order of their entry, so that a time of entry is a place among the numbers. */
async function enteredRange(context: RequestContext, asked: ListQuery, timeZone: string) {
  if (asked.from === undefined && asked.to === undefined) return {};
  const { from, to } = isoRange(asked, timeZone);
  const edge = async (direction: 'asc' | 'desc', range: { readonly from?: string; readonly to?: string }) => {
    const sort = { column: 'receivedAt', direction } as const;
    const { items } = await context.reads.find(lots, { range: { column: 'receivedAt', ...range }, sort, limit: 1 });
    return items[0] && namedLot(items[0]).entered;
  };
  const [first, last] = await Promise.all([
    from === undefined ? 0 : edge('asc', { from }),
    to === undefined ? Number.MAX_SAFE_INTEGER : edge('desc', { to }),
  ]);
  return { range: { column: 'entered', from: first ?? Number.MAX_SAFE_INTEGER, to: last ?? -1 } };
}

const holdingOf = ({ body, hidden }: StoredRecord): HoldingDocument =>
  ({ ...JSON.parse(body), ...JSON.parse(hidden) }) as HoldingDocument;

function rowOf({ locationId, quantity, exact }: HoldingDocument, lot: StoredRecord): HeldLot {
  const shown = JSON.parse(lot.body) as LotDocument;
  const { totalsByCause: fates } = JSON.parse(lot.hidden) as LotDocument;
  // What is spent is shown at what it entered with.
  const worth = quantity === 0 ? fates.entered : exact;
  const unitCost = worth
    ? unitCostOf({ quantity: Decimal.from(worth.quantity), value: Decimal.from(worth.value) })
    : null;
  return { ...shown, locationId, quantity, unitCost };
}

export const listLots = ({ stores }: StockServices): Route =>
  route({
    ...viewing,
    method: 'get',
    path: '/stock/lots',
    summary: 'Lists lots, a row for each location at which they lie, in the order of their entry',
    description: 'from and to speak of the time of entry. Rows with nothing left come with includeEmpty alone.',
    request: { query },
    response: { status: 200, schema: listAnswer(heldLot) },
    async handle({ query: asked }, context) {
      const { cursor, limit, includeEmpty = false, from: _, to: __, lotCode: code, ...equal } = asked;
      const given = defined({ ...equal, code: code === undefined ? undefined : comparableCode(code) });
      const page = await context.reads.find(holdings, {
        equal: { ...given, ...(includeEmpty ? {} : { left: 1 }) },
        ...(await enteredRange(context, asked, await timeZoneOf(stores, context.storeId))),
        sort: { column: 'entered', direction: 'asc' },
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const held = page.items.map(holdingOf);
      const found = await context.reads.getMany(lots, [...new Set(held.map(({ lotId }) => lotId))]);
      const byId = new Map(found.map((record) => [record.id, record]));
      const items = held.flatMap((holding) => {
        const lot = byId.get(holding.lotId);
        return lot ? [rowOf(holding, lot)] : [];
      });
      return { body: { items, nextCursor: page.nextCursor } };
    },
  });

async function lotReply(context: RequestContext, lotId: string): Promise<Reply> {
  const lot = await context.reads.get(lots, lotId);
  if (!lot) throw new Rejection(NOT_FOUND);
  const { revision } = JSON.parse(lot.hidden) as LotDocument;
  return { body: new RawJson(lot.body), etag: revision };
}

const marking = (services: StockServices, type: 'block' | 'release', summary: string): Route =>
  route({
    ...managing,
    method: 'post',
    path: `/stock/lots/{lotId}/${type}`,
    summary,
    request: { params: z.strictObject({ lotId: pathId }), body: lotMark },
    response: { status: 200, schema: lotAnswer, etag: true },
    async handle({ params: { lotId }, body: { reason } }, context) {
      const [record] = await readNamed(services.reads, context, lots, [lotId]);
      if (!record) throw new Rejection(NOT_FOUND);
      await context.execute(inventory, { type, lot: namedLot(record), reason });
      return lotReply(context, lotId);
    },
  });

export const blockLot = (services: StockServices): Route =>
  marking(services, 'block', 'Blocks a lot at all locations, also what of it comes back later');
export const releaseLot = (services: StockServices): Route =>
  marking(services, 'release', 'Lets a blocked lot be sold and used again');
