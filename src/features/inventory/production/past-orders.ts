import type { OrderDocument } from '../../../../projections/production/orders.js';
import { ordersProjector } from '../../../../projections/production/orders.js';
import type { AuditedRecord } from '../../contracts/audited-record.js';
import { projectedRecord } from '../../contracts/audited-record.js';
import { withExpiryDay } from './answers.js';

/** A production order, whose stages are named with it. */
export const pastOrder: AuditedRecord = {
  ...projectedRecord('order', ordersProjector, 'number'),
  complete: (_context, { shown }, { timeZone }) => Promise.resolve(withExpiryDay(shown as OrderDocument, timeZone)),
  keepsName: true,
  partsOf: (shown) => (shown as OrderDocument).stages.map(({ stageId, name }) => ({ id: stageId, name })),
};
