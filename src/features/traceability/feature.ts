import { recallDrillsProjector } from '../../../projections/traceability/recall-drills.js';
import { projectedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { drillEvents } from './drills/events.js';
import { traceabilityRoutes } from './traceability-routes.js';

export const traceabilityFeature: Feature = {
  name: 'traceability',
  routes: traceabilityRoutes,
  events: [drillEvents],
  viewing: { recallDrill: 'reports.view' },
  records: [{ ...projectedRecord('recallDrill', recallDrillsProjector, 'lotCode'), keepsName: true }],
};
