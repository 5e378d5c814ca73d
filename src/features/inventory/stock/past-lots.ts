import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots, lotsProjector, remainingOf } from '../../../../projections/inventory/lots.js';
import { stockMovements } from '../../../../projections/inventory/stock-movements.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { AuditedRecord, PastMoment, PastState } from '../../contracts/audited-record.js';
import { projectedRecord } from '../../contracts/audited-record.js';
import { lotDocument, shownLot, withExpiryDays } from './lot-answers.js';

/** Sums of binary numbers are rounded to what quantities have. */
const QUANTITY_DECIMALS = 6;

/** What was left of it, at all locations: what there is now, where nothing moved since. Otherwise the ledger's rows are added up, between its entry and the moment. */
async function quantityAt(context: RequestContext, lot: LotDocument, at: string): Promise<number> {
  const { lotId, variantId, receivedAt } = lot;
  const record = await context.reads.get(lots, lotId);
  const present = record && lotDocument(record);
  if (present && at >= present.movedAt) return remainingOf(present).toNumber();
  const { sum } = await context.reads.summarise(
    stockMovements,
    { equal: { variantId, lotId }, range: { column: 'at', from: receivedAt, to: at } },
    { sum: ['quantity'] },
  );
  return Number((sum['quantity'] ?? 0).toFixed(QUANTITY_DECIMALS));
}

/** A lot with what was left of it, and who had blocked or released it why. */
export const pastLot: AuditedRecord = {
  ...projectedRecord('lot', lotsProjector, 'lotCode'),
  async complete(context, { state }, moment) {
    const lot = state as LotDocument;
    return { ...shownLot(lot, moment), quantity: await quantityAt(context, lot, moment.at), marks: lot.marks };
  },
};

/** Records of goods that entered have the last days on which those may be used. */
export const withPastExpiryDays = {
  complete: (_: RequestContext, { shown }: PastState, { timeZone }: PastMoment): Promise<object> =>
    Promise.resolve(withExpiryDays([shown], timeZone)[0] ?? shown),
};
