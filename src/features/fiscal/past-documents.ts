import type { FiscalRecord } from '../../../projections/fiscal/documents.js';
import { fiscalDocumentsProjector } from '../../../projections/fiscal/documents.js';
import type { AuditedRecord } from '../contracts/audited-record.js';
import { projectedRecord } from '../contracts/audited-record.js';
import { called } from './history.js';

export const pastDocument: AuditedRecord = {
  ...projectedRecord('document', fiscalDocumentsProjector, 'number'),
  nameOf: (shown) => called(shown as FiscalRecord),
};
