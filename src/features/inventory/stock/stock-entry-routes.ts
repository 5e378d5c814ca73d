import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots } from '../../../../projections/inventory/lots.js';
import { recordsOf } from '../../../../projections/inventory/stock-records.js';
import { toIso } from '../../../kernel/values/clock.js';
import { endOf } from '../../../kernel/values/days.js';
import { readNamed } from '../../../kernel/routes/named-records.js';
import { COMMAND_TOO_LARGE, notFoundAt } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Reply, Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import type { StoredRecord } from '../../../ports/read-models.js';
import { LOT_NOT_FOUND, NOT_KEPT_IN_STOCK } from '../../contracts/stock-keeper.js';
import type { Recorded } from '../../../kernel/events/event.js';
import { inventory } from '../decider.js';
import type { InventoryEvent } from '../events.js';
import type { AdjustedItem, NamedLot, ReceivedItem } from './domain/stock-decisions.js';
import { locationChooser } from '../locations/choice.js';
import { withHistory } from '../history-lookup.js';
import { INSUFFICIENT_STOCK } from '../rejections.js';
import { adjustmentAnswer, receiptAnswer, transferAnswer } from './answers.js';
import { withoutHiddenCosts } from './costs.js';
import type { NewAdjustment, NewReceipt } from './bodies.js';
import { newAdjustment, newReceipt, newTransfer } from './bodies.js';
import { expectGoods, expiryFirst } from './goods.js';
import { withExpiryDays } from './lot-answers.js';
import type { StockServices } from './services.js';
import { managing } from './services.js';

/** What a command wrote, from its own fact: as its list and its record give it. */
async function recordReply(
  { stores }: Pick<StockServices, 'stores'>,
  context: RequestContext,
  events: readonly Recorded<InventoryEvent>[],
): Promise<Reply> {
  const [record] = events.flatMap(recordsOf);
  if (!record) throw new Error('nothing was recorded');
  const { kind: _, revision, ...shown } = record;
  const timeZone = await timeZoneOf(stores, context.storeId);
  const [body] = await withoutHiddenCosts(context, withExpiryDays([shown], timeZone));
  return { body, etag: revision };
}

const receivedItems = (context: RequestContext, items: NewReceipt['items'], timeZone: string): ReceivedItem[] =>
  items.map(({ lotCode = null, expiresAt, ...item }) => ({
    ...item,
    lotId: context.newId(),
    lotCode,
    expiresAt: expiresAt === undefined ? null : toIso(endOf(expiresAt, timeZone)),
  }));

export const receiveGoods = (services: StockServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: '/stock/receipts',
    operationId: 'receiveStock',
    summary: 'Receives goods: each item is a lot',
    description:
      'What was sold or used without being there is made good first, the oldest debt first; only the rest stays in the lot. The average cost moves with the entry.',
    request: { body: newReceipt },
    response: { status: 201, schema: receiptAnswer, etag: true },
    rejections: [NOT_KEPT_IN_STOCK, COMMAND_TOO_LARGE],
    async handle({ body }, context) {
      const earlier = await context.earlierEvents(inventory);
      if (earlier) return recordReply(services, context, earlier);
      const choose = await locationChooser(context, 'defaultId');
      const locationId = choose(body.locationId, 'locationId');
      await expectGoods(services.catalogue, context, body.items);
      const { supplier = null, document = null } = body;
      const receiptId = context.newId();
      const items = receivedItems(context, body.items, await timeZoneOf(services.stores, context.storeId));
      const command = { type: 'receive', receiptId, locationId, supplier, document, items } as const;
      return recordReply(services, context, (await context.execute(inventory, command)).events);
    },
  });

/** As commands name a lot, also one of which nothing is left. */
export function namedLot({ body, hidden }: StoredRecord): NamedLot {
  const { lotId, lotCode, variantId, expiresAt } = JSON.parse(body) as LotDocument;
  const { entered } = JSON.parse(hidden) as LotDocument;
  return { lotId, lotCode, variantId, expiresAt, entered };
}

async function adjustedItems(
  { reads }: StockServices,
  context: RequestContext,
  items: NewAdjustment['items'],
): Promise<AdjustedItem[]> {
  const ids = new Set(items.flatMap(({ lotId }) => lotId ?? []));
  const found = await readNamed(reads, context, lots, [...ids]);
  const known = new Map(found.map((record) => [record.id, namedLot(record)]));
  const isOwn = ({ lotId, variantId }: NewAdjustment['items'][number]): boolean =>
    lotId === undefined || known.get(lotId)?.variantId === variantId;
  const unknown = items.flatMap((item, index) => (isOwn(item) ? [] : [`items[${String(index)}].lotId`]));
  if (unknown.length > 0) throw notFoundAt(...unknown);
  return items.map(({ lotId, unitCost = null, ...item }) => ({
    ...item,
    unitCost,
    lot: known.get(lotId ?? '') ?? null,
    newLotId: context.newId(),
  }));
}

export const adjustStock = (services: StockServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: '/stock/adjustments',
    operationId: 'adjustStock',
    summary: 'Corrects the stock: what was found, lost or spoilt',
    description:
      'What is taken away without naming a lot leaves the lots that entered first, or expire first where the product says so, but none that is blocked or expired. What is added without naming one is a new lot. At an inactive location goods can only be taken away.',
    request: { body: newAdjustment },
    response: { status: 201, schema: adjustmentAnswer, etag: true },
    rejections: [NOT_KEPT_IN_STOCK, INSUFFICIENT_STOCK, COMMAND_TOO_LARGE],
    async handle({ body }, context) {
      const earlier = await context.earlierEvents(inventory);
      if (earlier) return recordReply(services, context, earlier);
      const choose = await locationChooser(context, 'defaultId');
      const onlyLess = body.items.every(({ quantity }) => quantity.isNegative);
      const locationId = choose(body.locationId, 'locationId', onlyLess);
      const goods = await expectGoods(services.catalogue, context, body.items);
      const adjustmentId = context.newId();
      const items = await adjustedItems(services, context, body.items);
      const { reason, countId = null } = body;
      const what = { reason, countId, locationId, items, expiryFirst: expiryFirst(goods) };
      const command = { type: 'adjust', adjustmentId, ...what } as const;
      return recordReply(services, context, (await context.execute(inventory, command)).events);
    },
  });

/** The command that moves goods. */
const TRANSFER = 'transfer';

export const transferGoods = (services: StockServices): Route =>
  route({
    ...managing,
    method: 'post',
    path: '/stock/transfers',
    operationId: 'transferStock',
    summary: 'Moves goods between locations; they stay in their lots',
    description:
      'Entry order, cost, expiry and block go with them. Goods can leave an inactive location, but not come to it.',
    request: { body: newTransfer },
    response: { status: 201, schema: transferAnswer, etag: true },
    rejections: [NOT_KEPT_IN_STOCK, INSUFFICIENT_STOCK, LOT_NOT_FOUND, COMMAND_TOO_LARGE],
    async handle({ body }, context) {
      const earlier = await context.earlierEvents(inventory, TRANSFER);
      if (earlier) return recordReply(services, context, earlier);
      const choose = await locationChooser(context, 'defaultId');
      const fromLocationId = choose(body.fromLocationId, 'fromLocationId', true);
      const toLocationId = choose(body.toLocationId, 'toLocationId');
      const goods = await expectGoods(services.catalogue, context, body.items);
      const transferId = context.newId();
      const items = body.items.map(({ lotCode = null, ...item }) => ({ ...item, lotCode }));
      const codes = items.flatMap(({ variantId, lotCode }) => (lotCode === null ? [] : [{ variantId, lotCode }]));
      const what = { items, expiryFirst: expiryFirst(goods) };
      const asked = { type: 'transfer', transferId, fromLocationId, toLocationId, ...what } as const;
      const { events } = await withHistory(async () => {
        const knownCodes = await services.lotCodes.find(context, codes);
        return context.execute(inventory, { ...asked, knownCodes }, { name: TRANSFER });
      });
      return recordReply(services, context, events);
    },
  });
