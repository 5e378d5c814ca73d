import { customersProjector } from '../../../projections/customers/customers.js';
import { projectedRecord } from '../contracts/audited-record.js';
import type { Feature, FeatureServices } from '../contracts/feature.js';
import { memoise } from '../../kernel/values/memoise.js';
import { customerEvents } from './events.js';
import { CustomerRecords } from './directory.js';
import { customerRoutes } from './customer-routes.js';
import { CustomerErasures } from './erasures.js';

/** One for each service: its routes write down what its background does. */
const erasuresOf = memoise((services: FeatureServices) => new CustomerErasures(services));

export const customersFeature: Feature = {
  name: 'customers',
  provides: ({ vault }) => ({ customers: new CustomerRecords(vault) }),
  routes: (services) => customerRoutes(services, erasuresOf(services)),
  work: (services) => ({ schedule: erasuresOf(services).background }),
  events: [customerEvents],
  viewing: { customer: 'customers.view' },
  records: [projectedRecord('customer', customersProjector, 'name', ['revision'])],
};
