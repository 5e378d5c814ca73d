import type { FeesRecalculated } from '../../../../projections/card-fees/card-payments.js';
import { changesOfSale } from '../../../../projections/card-fees/card-payments.js';
import type { SaleDocument, ShownPayment } from '../../../../projections/sales/sales.js';
import { salesProjector } from '../../../../projections/sales/sales.js';
import type { DomainEvent, Recorded } from '../../../kernel/events/event.js';
import type { AuditedRecord } from '../../contracts/audited-record.js';
import { projectedRecord } from '../../contracts/audited-record.js';
import { withFigures } from './costs.js';

const sales = projectedRecord('sale', salesProjector, 'number');

const isRecalculation = (event: Recorded<DomainEvent>): event is FeesRecalculated => event.type === 'FeesRecalculated';

/** The read model keeps fees in force apart from sales. */
function withRecalculatedFees(sale: SaleDocument, event: FeesRecalculated): SaleDocument {
  if (sale.cardPlace === null) return sale;
  const changes = new Map(changesOfSale(event, sale.cardPlace, sale.id).map((change) => [change.payment, change]));
  const { accountId, accountName } = event.data;
  const payments = sale.payments.map((payment, index): ShownPayment => {
    const change = changes.get(index);
    if (!change) return payment;
    return {
      ...payment,
      fee: change.fee,
      feePercent: change.to.feePercent.toNumber(),
      feePending: false,
      accountId,
      accountName,
      fixedFee: change.to.fixedFee.toNumber(),
      previousFee: payment.fee,
      previousFeePercent: payment.feePercent,
    };
  });
  return { ...sale, payments };
}

/** A sale with what it cost and left, which is taken away again from those who may not see costs. */
export const pastSale: AuditedRecord = {
  ...sales,
  keepsName: true,
  evolve(before, event, id) {
    if (!isRecalculation(event)) return sales.evolve(before, event, id);
    return before === undefined ? before : withRecalculatedFees(before as SaleDocument, event);
  },
  show(state, id) {
    const shown = sales.show(state, id);
    return shown && withFigures(shown as SaleDocument, (state as SaleDocument).costs);
  },
};
