import { fiscalDocumentsProjector } from '../../../projections/fiscal/documents.js';
import { foldedRecord, projectedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { fiscalEvents } from './events.js';
import { officeOf } from './office.js';
import { taxRuleEvents } from './rules/events.js';
import { taxRules } from './rules/tax-rule-decider.js';

const EVERY_TWO_SECONDS = '*/2 * * * * *';

export const fiscalFeature: Feature = {
  name: 'fiscal',
  routes: (services) => officeOf(services).routes(),
  work: (services) => ({
    schedule: {
      schedules: [{ name: 'fiscal documents', when: EVERY_TWO_SECONDS, run: () => officeOf(services).work() }],
    },
  }),
  events: [fiscalEvents, taxRuleEvents],
  records: [
    projectedRecord('document', fiscalDocumentsProjector, 'number'),
    foldedRecord('taxRule', taxRules, (own, id) => own.get(id)?.rule, 'name'),
  ],
  viewing: { document: 'fiscal.view', taxRule: 'fiscal.view' },
};
