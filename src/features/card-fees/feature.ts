import { feeJobsProjector } from '../../../projections/card-fees/fee-jobs.js';
import { PositionTokens } from '../../kernel/routes/position-tokens.js';
import { memoise } from '../../kernel/values/memoise.js';
import { foldedRecord, projectedRecord } from '../contracts/audited-record.js';
import { monthWritten } from '../../kernel/events/history.js';
import type { AuditedRecord } from '../contracts/audited-record.js';
import type { Feature, FeatureServices } from '../contracts/feature.js';
import { accountRoutes } from './account-routes.js';
import { accountOf } from './answers.js';
import { autoAdjustRoutes } from './auto-adjust-routes.js';
import { cardFeeBook } from './book.js';
import { configurationRoutes } from './configuration-routes.js';
import { cardFees } from './decider.js';
import type { CardFees } from './domain/state.js';
import { withFirst } from './domain/state.js';
import { cardFeeEvents } from './events.js';
import { FeeWork } from './fee-work.js';
import { jobRoutes } from './job-routes.js';
import { monthRoutes } from './month-routes.js';

/** One for each service: its routes write down what its background does. */
const workOf = memoise((services: FeatureServices) => new FeeWork(services));

function accountRecord(fees: CardFees, id: string) {
  const account = fees.accounts.get(id);
  return account && accountOf(fees, account);
}

const jobs = projectedRecord('feeJob', feeJobsProjector, 'month');

/** A recalculation is called after its month. */
const pastJob: AuditedRecord = {
  ...jobs,
  keepsName: true,
  nameOf: (shown) => monthWritten(jobs.nameOf(shown) ?? ''),
};

export const cardFeesFeature: Feature = {
  name: 'card-fees',
  provides: () => ({ cardFees: cardFeeBook }),
  events: [cardFeeEvents],
  records: [
    foldedRecord('cardAccount', cardFees, accountRecord, { changedBy: ['cardAccount', 'cardBrand'] }),
    foldedRecord('cardBrand', cardFees, ({ brands }, id) => brands.get(id), {
      given: ({ id }) => withFirst(cardFees.decider.initial, id),
    }),
    pastJob,
  ],
  viewing: { cardAccount: 'cardFees.view', cardBrand: 'cardFees.view', feeJob: 'cardFees.view' },
  routes(services) {
    const own = { ...services, work: workOf(services), positions: new PositionTokens(services.tokenSecret) };
    return [...configurationRoutes, ...accountRoutes, ...autoAdjustRoutes(own), ...jobRoutes(own), ...monthRoutes(own)];
  },
  work: (services) => ({ schedule: workOf(services).background }),
};
