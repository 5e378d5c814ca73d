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

interface PastSale {
  readonly sale?: SaleDocument;
  /** Recalculations that another stream records, and that a process with a slower clock dated before the sale. */
  readonly early?: readonly FeesRecalculated[];
}

/** A sale with what it cost and left, which is taken away again from those who may not see costs. */
export const pastSale: AuditedRecord = {
  ...sales,
  keepsName: true,
  evolve(before, event, id): PastSale {
    const { sale, early = [] }: PastSale = before ?? {};
    if (isRecalculation(event)) {
      return sale ? { sale: withRecalculatedFees(sale, event) } : { early: [...early, event] };
    }
    const changed = sales.evolve(sale, event, id) as SaleDocument | undefined;
    return changed ? { sale: early.reduce(withRecalculatedFees, changed) } : { early };
  },
  show(state, id) {
    const { sale }: PastSale = state ?? {};
    return sale && withFigures(sales.show(sale, id) as SaleDocument, sale.costs);
  },
};
