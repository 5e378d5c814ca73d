import type { SaleDocument } from '../../../../projections/sales/sales.js';
import { salesProjector } from '../../../../projections/sales/sales.js';
import type { AuditedRecord } from '../../contracts/audited-record.js';
import { projectedRecord } from '../../contracts/audited-record.js';
import { withFigures } from './costs.js';

const sales = projectedRecord('sale', salesProjector, 'number');

/** A sale with what it cost and left, which is taken away again from those who may not see costs. */
export const pastSale: AuditedRecord = {
  ...sales,
  show(state, id) {
    const shown = sales.show(state, id);
    return shown && withFigures(shown as SaleDocument, (state as SaleDocument).costs);
  },
};
