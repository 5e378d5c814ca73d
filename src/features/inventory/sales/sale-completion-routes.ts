import { saleAfter } from '../../../../projections/sales/sales.js';
import { COMMAND_TOO_LARGE, Rejection, notFoundAt } from '../../../kernel/events/rejection.js';
import { CARD_BRAND_INACTIVE, TOO_MANY_INSTALLMENTS } from '../../contracts/card-fee-book.js';
import { LOT_NOT_FOUND, NOT_KEPT_IN_STOCK } from '../../contracts/stock-keeper.js';
import { expiryFirst } from '../stock/goods.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { inventory } from '../decider.js';
import type { CompleteSale, SoldLine } from './domain/sale-decisions.js';
import { locationChooser } from '../locations/choice.js';
import { withHistory } from '../history-lookup.js';
import {
  DISCOUNT_TOO_HIGH,
  INSUFFICIENT_STOCK,
  KIT_EMPTY,
  OCCURRED_IN_FUTURE,
  PAYMENTS_MISMATCH,
  PRODUCT_INACTIVE,
  TOTAL_TOO_HIGH,
} from '../rejections.js';
import type { PricedItem } from './amounts.js';
import { expectPaid, pricedItems, saleTime } from './amounts.js';
import { saleAnswer } from './answers.js';
import type { NewSale } from './bodies.js';
import { newSale } from './bodies.js';
import { GoodsOfOne, expectSold, kitsAmong, readGoods } from './goods.js';
import { paymentsOf } from './payments.js';
import type { SaleServices } from './services.js';
import { documentReply, selling } from './services.js';

/** The most goods of all lines together, kits taken apart. */
const MOST_GOODS = 5_000;

type Asked = Omit<CompleteSale, 'knownCodes'>;

/** What the request wants, with everything that the decision does not know by itself. */
async function commandOf(services: SaleServices, context: RequestContext, body: NewSale): Promise<Asked> {
  const items = pricedItems(body);
  const total = expectPaid(items, body);
  const { customerId = null, allowNegativeStock = false } = body;
  const zone = await timeZoneOf(services.stores, context.storeId);
  const { occurredAt, occurredOn } = saleTime(body.occurredAt, context.at, zone);
  const choose = await locationChooser(context, 'defaultId');
  const locationId = choose(body.locationId, 'locationId');
  if (customerId !== null && !(await services.customers.has(context, customerId))) throw notFoundAt('customerId');
  const known = await readGoods(
    services.catalogue,
    context,
    items.map(({ variantId }) => variantId),
  );
  const lines = linesOf(known, items);
  const payments = await paymentsOf(services.cardFees, context, body);
  return {
    type: 'completeSale',
    saleId: context.newId(),
    customerId,
    locationId,
    occurredAt,
    occurredOn,
    lines,
    kits: kitsAmong(known),
    payments,
    total,
    allowNegativeStock,
    expiryFirst: expiryFirst(known),
  };
}

function linesOf(known: Awaited<ReturnType<typeof readGoods>>, items: readonly PricedItem[]): SoldLine[] {
  expectSold(known, items);
  const goodsOfOne = new GoodsOfOne(known);
  let room = MOST_GOODS;
  return items.map(({ variantId, quantity, unitPrice, discount, total, lotCode = null }) => {
    const facts = known.get(variantId);
    const goods = goodsOfOne.times(variantId, quantity);
    room -= goods.length;
    if (room < 0) throw new Rejection(COMMAND_TOO_LARGE);
    return {
      variantId,
      productId: facts?.productId ?? '',
      description: facts?.description ?? '',
      unit: facts?.saleUnit ?? '',
      quantity,
      unitPrice,
      discount,
      total,
      lotCode,
      goods,
    };
  });
}

/** The command that completes a sale. */
const SALE = 'sale';

const namedCodes = (lines: readonly SoldLine[]) =>
  lines.flatMap(({ variantId, lotCode }) => (lotCode === null ? [] : [{ variantId, lotCode }]));

export const completeSale = (services: SaleServices): Route =>
  route({
    ...selling,
    method: 'post',
    path: '/sales',
    summary:
      'Completes a sale: takes the goods from their lots, the first that entered first, or that expires first where the product says so',
    description:
      'A line costs quantity × unitPrice − discount in cents, half up. Lots that are blocked or expired are left alone. A kit takes its parts, a service takes nothing. Inactive products are refused. A card payment gets its fee from the active machine: amount × percent + fixed part, in cents, half up; without a rate it is pending, and the sale is made all the same.',
    request: { body: newSale },
    response: { status: 201, schema: saleAnswer, etag: true },
    rejections: [
      PAYMENTS_MISMATCH,
      DISCOUNT_TOO_HIGH,
      TOTAL_TOO_HIGH,
      OCCURRED_IN_FUTURE,
      LOT_NOT_FOUND,
      INSUFFICIENT_STOCK,
      PRODUCT_INACTIVE,
      KIT_EMPTY,
      NOT_KEPT_IN_STOCK,
      COMMAND_TOO_LARGE,
      CARD_BRAND_INACTIVE,
      TOO_MANY_INSTALLMENTS,
    ],
    async handle({ body }, context) {
      const earlier = await context.earlierEvents(inventory, SALE);
      if (earlier) return documentReply(context, earlier.reduce(saleAfter, undefined));
      const asked = await commandOf(services, context, body);
      const codes = namedCodes(asked.lines);
      const { events } = await withHistory(async () => {
        const knownCodes = await services.lotCodes.find(context, codes);
        return context.execute(inventory, { knownCodes, ...asked }, { name: SALE });
      });
      return documentReply(context, events.reduce(saleAfter, undefined));
    },
  });
