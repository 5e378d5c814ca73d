import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots, lotsProjector, remainingOf } from '../../../../projections/inventory/lots.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { AuditedRecord, PastMoment, PastState } from '../../contracts/audited-record.js';
import { projectedRecord } from '../../contracts/audited-record.js';
import { lotDocument, shownLot, withExpiryDays } from './lot-answers.js';
import { movements } from './movements.js';

const ROWS_AT_ONCE = 5_000;

/** What was left of it, at all locations: what there is now, where nothing moved since. Otherwise the ledger's rows are added up, between its entry and the moment. */
async function quantityAt(context: RequestContext, lot: LotDocument, at: string): Promise<number> {
  const { lotId, variantId, receivedAt } = lot;
  const record = await context.reads.get(lots, lotId);
  const present = record && lotDocument(record);
  if (present && at >= present.movedAt) return remainingOf(present).toNumber();
  let left = Decimal.zero;
  const until = { variantId, lotId, range: { from: receivedAt, to: at } };
  for await (const some of movements(context, until, 'asc', ROWS_AT_ONCE)) {
    left = left.plus(Decimal.sum(some.map(({ quantity }) => quantity)));
  }
  return left.toNumber();
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
