import { sales } from '../../../projections/sales/sales.js';
import type { Model } from '../../../src/features/fiscal/events.js';
import { modelKey, workOf } from '../../../src/features/fiscal/issuing/wishes.js';
import { inventory } from '../../../src/features/inventory/decider.js';
import type { InventoryEvent } from '../../../src/features/inventory/events.js';
import { historyOf, withHistory } from '../../../src/features/inventory/history-lookup.js';
import type { KnownHistory } from '../../../src/features/inventory/ledger/known-history.js';
import { saleKey } from '../../../src/features/inventory/ledger/touched-revisions.js';
import { Rejection } from '../../../src/kernel/events/rejection.js';
import type { StoreContext } from '../../../src/kernel/routes/request-context.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { RowConflict } from '../../../src/ports/event-store.js';
import type { Process, RequestIdentity } from './process.js';
import type { Shop } from './shop.js';

/** What people ask of a process, as the routes do it. */
export interface Request {
  readonly what: string;
  run(process: Process, context: StoreContext): Promise<unknown>;
}

/** Refusals are answers; anything else but a death is told. */
export async function requested(shop: Shop, process: Process, { what, run }: Request, identity: RequestIdentity) {
  const { schedule } = shop;
  const asked = identity.repeatSince === undefined ? what : `${what}, once more`;
  schedule.tell(process, `BEGINS to ${asked}`);
  try {
    await run(process, process.contextOf(identity));
    schedule.tell(process, `HAS DONE: ${asked}`);
  } catch (error) {
    schedule.tell(process, `HAS NOT DONE: ${asked}: ${String(error)}`);
    if (!(error instanceof Rejection || error instanceof RowConflict)) shop.logged(error);
  }
}

export const issue = (saleId: string, model: Model, contingency: boolean): Request => ({
  what: `issue ${String(model)} of sale ${saleId.slice(-1)}${contingency ? ' offline' : ''}`,
  async run({ desk }, context) {
    const wish = { saleId, model, contingency, contingencyReason: undefined };
    const { ended } = await desk.issue(context, await desk.newIdFor(context), wish);
    await ended;
  },
});

export const transmit = (documentId: string): Request => ({
  what: `transmit ${documentId.slice(-4)}`,
  async run({ desk }, context) {
    const document = await desk.known(context, documentId);
    const isTransmitted = await desk.transmittedBefore(context, document);
    const { ended } = isTransmitted ? desk.followed(context, document) : await desk.transmit(context, document);
    await ended;
  },
});

export const cancelDocument = (shop: Shop, documentId: string): Request => ({
  what: `cancel ${documentId.slice(-4)}`,
  async run({ desk }, context) {
    const store = shop.facts;
    const document = await desk.known(context, documentId);
    if (document.facts.status !== 'AUTHORIZED') return;
    const within = store.fiscal.cancelMinutes[modelKey(document.facts.model)] * 60_000;
    const asked = { reason: 'Cliente desistiu da compra', within };
    await desk.transmission.requestCancellation(context, store, document, asked);
    await desk.cancelRequested(context, store, documentId).ended;
  },
});

export const giveUpNumber = (shop: Shop, documentId: string): Request => ({
  what: `give up the number of ${documentId.slice(-4)}`,
  async run({ desk, issuing }, context) {
    const store = shop.facts;
    const document = await desk.known(context, documentId);
    const answer = await desk.voiding.void(context, store, document, 'Numero pulado por engano');
    if (answer === 'unheard') await issuing.work.postpone(workOf(store, document), 'asking');
  },
});

/** Decides on a sale with its history, anew where that was overtaken. */
function decideOn(
  context: StoreContext,
  saleId: string,
  commandOn: (past: KnownHistory<InventoryEvent>) => Parameters<typeof inventory.decider.decide>[1],
): Promise<unknown> {
  const begins = (event: InventoryEvent): boolean => event.type === 'SaleCompleted' && event.data.saleId === saleId;
  return withHistory(async () => {
    const past = await historyOf(context, { key: saleKey(saleId), id: saleId, collection: sales, begins });
    return context.execute(inventory, commandOn(past), { name: 'sale' });
  }, undefined);
}

export const cancelSale = (saleId: string): Request => ({
  what: `cancel sale ${saleId.slice(-1)}`,
  run: (_, context) => decideOn(context, saleId, (past) => ({ type: 'cancelSale', saleId, reason: 'Desistiu', past })),
});

export const returnGoods = (shop: Shop, saleId: string, quantity: 1 | 2): Request => ({
  what: `return ${String(quantity)} of sale ${saleId.slice(-1)}`,
  run(_, context) {
    const returnId = context.newId();
    const items = [{ variantId: shop.variantOf(saleId), quantity: Decimal.from(String(quantity)) }];
    return decideOn(context, saleId, (past) => ({ type: 'returnSale', saleId, returnId, reason: null, items, past }));
  },
});
