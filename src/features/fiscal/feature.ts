import { foldedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { fiscalEvents } from './events.js';
import { keptDocuments } from './documents/kept-documents.js';
import { WorkRows } from './issuing/work-rows.js';
import { pastDocument } from './past-documents.js';
import { officeOf, settingsOf } from './office.js';
import { taxRuleEvents } from './rules/events.js';
import { givenRules, taxRuleDirectory } from './rules/tax-rule-book.js';
import { answerOf } from './rules/tax-rule-routes.js';
import { FiscalWatch } from './watching/fiscal-watch.js';
import type { TaxRules } from './rules/tax-rule-decider.js';
import { taxRules } from './rules/tax-rule-decider.js';

const TWO_SECONDS = 2_000;

function pastRule(own: TaxRules, id: string) {
  const known = own.get(id);
  return known ? answerOf(known.rule) : undefined;
}

export const fiscalFeature: Feature = {
  name: 'fiscal',
  provides: (services) => ({
    fiscalSettings: settingsOf(services),
    taxRules: taxRuleDirectory(services.stores),
    documents: {
      statusOf: (context, documentId) => officeOf(services).statusOf(context, documentId),
      keptOf: keptDocuments,
    },
  }),
  watch: ({ stores, vault, clock }) => new FiscalWatch({ stores, work: new WorkRows(vault, clock), clock }),
  routes: (services) => officeOf(services).routes(),
  work: (services) => ({
    schedule: {
      schedules: [
        {
          name: 'fiscal documents',
          when: TWO_SECONDS,
          run: (_fence, stopping) => officeOf(services).work(stopping),
        },
      ],
    },
  }),
  events: [fiscalEvents, taxRuleEvents],
  records: [pastDocument, foldedRecord('taxRule', taxRules, pastRule, { given: givenRules })],
  viewing: { document: 'fiscal.view', taxRule: 'fiscal.view' },
};
