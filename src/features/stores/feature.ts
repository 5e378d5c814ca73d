import { foldedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import type { Stores } from './decider.js';
import { stores } from './decider.js';
import { storeEvents } from './events.js';
import { storeRoutes } from './store-routes.js';

/** A store as its settings are shown. */
function shown({ byId }: Stores, id: string): object | undefined {
  const store = byId.get(id);
  if (!store) return undefined;
  const { revision: _, ...settings } = store;
  return settings;
}

const storeRecord = foldedRecord('store', stores, shown, { nameMember: 'tradeName' });

export const storesFeature: Feature = {
  name: 'stores',
  routes: ({ fiscalSettings }) => storeRoutes(fiscalSettings),
  events: [storeEvents],
  records: [storeRecord],
  viewing: { store: 'authenticated' },
};
