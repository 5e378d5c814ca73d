import { foldedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { stores } from './decider.js';
import { storeEvents } from './events.js';
import { storeRoutes } from './store-routes.js';

/** A store as its settings are shown. */
const storeRecord = foldedRecord('store', stores, ({ byId }, id) => byId.get(id), 'tradeName');

export const storesFeature: Feature = {
  name: 'stores',
  routes: ({ fiscalSettings }) => storeRoutes(fiscalSettings),
  events: [storeEvents],
  records: [storeRecord],
  viewing: { store: 'authenticated' },
};
