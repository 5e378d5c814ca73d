import { z } from 'zod';
import { returnOf, saleAfter, sales } from '../../../../projections/sales/sales.js';
import type { SaleDocument } from '../../../../projections/sales/sales.js';
import type { Recorded } from '../../../kernel/events/event.js';
import { pathId, textOrNull } from '../../../kernel/values/fields.js';
import {
  COMMAND_TOO_LARGE,
  NOT_FOUND,
  Rejection,
  notFoundAt,
  saidWhenTooLarge,
} from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { START } from '../../../ports/event-store.js';
import { inventory } from '../decider.js';
import { saleKey } from '../ledger/touched-revisions.js';
import type { KnownHistory } from '../ledger/known-history.js';
import type { CancelSale, ReturnSale } from './domain/sale-returns.js';
import type { InventoryEvent } from '../events.js';
import { isStale, historyOf, recordOf, withHistory } from '../history-lookup.js';
import { CANCELLATION_TOO_LARGE, RETURN_EXCEEDS_SOLD, SALE_FULLY_RETURNED } from '../rejections.js';
import type { Catalogue } from '../../contracts/catalogue.js';
import type { DocumentsOfSales } from '../../contracts/sales-to-tax.js';
import { DOCUMENT_AUTHORIZED, DOCUMENT_LIVE, SALE_CANCELLED } from '../../contracts/sales-to-tax.js';
import { returnAnswer, saleAnswer } from './answers.js';
import { cancellation, newReturn } from './bodies.js';
import { withFeesInForce } from './fees-in-force.js';
import type { SaleServices } from './services.js';
import { documentReply, selling } from './services.js';

const params = z.strictObject({ id: pathId });

type Facts = readonly Recorded<InventoryEvent>[];

interface Outcome {
  readonly sale: SaleDocument | undefined;
  readonly events: Facts;
}

const saleOf = ({ events }: KnownHistory<Recorded<InventoryEvent>>): SaleDocument | undefined =>
  events.reduce<SaleDocument | undefined>((sale, { event }) => saleAfter(sale, event), undefined);

/** Decides on everything that was recorded of a sale, however old it is. */
const decideOn = (
  context: RequestContext,
  saleId: string,
  commandOf: (past: KnownHistory<InventoryEvent>) => ReturnSale | CancelSale,
): Promise<Outcome> =>
  withHistory(
    async () => {
      const begins = (event: InventoryEvent): boolean => event.type === 'SaleCompleted' && event.data.saleId === saleId;
      const past = await historyOf(context, { key: saleKey(saleId), id: saleId, collection: sales, begins });
      const before = saleOf(past);
      const stale = isStale(context, before);
      const { events } = await context.execute(inventory, commandOf({ ...past, stale }), { name: 'sale' });
      return { sale: events.reduce(saleAfter, before), events };
    },
    recordOf(context, saleId),
  );

/** An id of no variant was never sold; the refusal says where it stands. */
async function withKnownVariants<T>(
  catalogue: Catalogue,
  context: RequestContext,
  items: readonly { readonly variantId: string }[],
  giveBack: () => Promise<T>,
): Promise<T> {
  try {
    return await giveBack();
  } catch (error) {
    if (!(error instanceof Rejection && error.kind === RETURN_EXCEEDS_SOLD)) throw error;
    const ids = items.map(({ variantId }) => variantId);
    const known = await catalogue.labels(context, ids);
    const unknown = ids.flatMap((id, index) => (known.has(id) ? [] : [`items[${String(index)}].variantId`]));
    throw unknown.length === 0 ? error : notFoundAt(...unknown);
  }
}

export const returnSale = ({ catalogue }: SaleServices): Route =>
  route({
    ...selling,
    method: 'post',
    path: '/sales/{id}/returns',
    ifMatch: true,
    operationId: 'returnSale',
    summary: 'Takes goods of a sale back: to the lots that they came from, the last taken first',
    description:
      'What was sold on several lines comes back from the last of them. The answer says what to refund; parts of a line add up to its total. What is still owed is forgiven first.',
    request: { params, body: newReturn },
    response: { status: 201, schema: returnAnswer, etag: true },
    rejections: [RETURN_EXCEEDS_SOLD, SALE_CANCELLED, COMMAND_TOO_LARGE],
    async handle({ params: { id: saleId }, body }, context) {
      const { items } = body;
      const reason = textOrNull(body.reason);
      const returnId = context.newId();
      const { events } = await withKnownVariants(catalogue, context, items, () =>
        decideOn(context, saleId, (past) => ({ type: 'returnSale', saleId, returnId, reason, items, past })),
      );
      const [event] = events;
      if (event?.type !== 'SaleReturned') throw new Rejection(NOT_FOUND);
      return { body: { ...returnOf(event), saleId }, etag: event.revision };
    },
  });

/** When a document holds the sale, the refusal says whether it is on its way or authorized. */
async function explained<T>(
  documents: DocumentsOfSales,
  context: RequestContext,
  cancel: () => Promise<T>,
): Promise<T> {
  try {
    return await cancel();
  } catch (error) {
    if (!(error instanceof Rejection && error.kind === DOCUMENT_LIVE)) throw error;
    const { documentId } = error.extra;
    const status = await documents.statusOf(context, String(documentId));
    throw status === 'AUTHORIZED' ? new Rejection(DOCUMENT_AUTHORIZED, undefined, { documentId }) : error;
  }
}

export const cancelSale = ({ documents }: SaleServices): Route =>
  route({
    ...selling,
    method: 'post',
    path: '/sales/{id}/cancel',
    ifMatch: true,
    summary: 'Cancels a sale: what was not returned yet goes back to the lots that it came from',
    request: { params, body: cancellation },
    response: { status: 200, schema: saleAnswer, etag: true },
    rejections: [SALE_CANCELLED, SALE_FULLY_RETURNED, DOCUMENT_LIVE, DOCUMENT_AUTHORIZED, CANCELLATION_TOO_LARGE],
    async handle({ params: { id: saleId }, body: { reason } }, context) {
      const { sale } = await explained(documents, context, () =>
        saidWhenTooLarge(CANCELLATION_TOO_LARGE, () =>
          decideOn(context, saleId, (past) => ({ type: 'cancelSale', saleId, reason, past })),
        ),
      );
      return documentReply(context, await withFeesInForce(context.readsPast(START), sale));
    },
  });
