import { customersProjector } from '../../../projections/customers/customers.js';
import { projectedRecord } from '../contracts/audited-record.js';
import type { Feature } from '../contracts/feature.js';
import { customerEvents } from './events.js';
import { CustomerRecords } from './directory.js';
import { customerRoutes } from './customer-routes.js';

export const customersFeature: Feature = {
  name: 'customers',
  provides: ({ vault }) => ({ customers: new CustomerRecords(vault) }),
  routes: (services) => customerRoutes(services),
  events: [customerEvents],
  viewing: { customer: 'customers.view' },
  records: [projectedRecord('customer', customersProjector, 'name', ['revision'])],
};
