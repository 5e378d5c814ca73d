import type { Feature } from '../contracts/feature.js';
import { ProductCatalogue } from './catalogue.js';
import { productRecord } from './past-products.js';
import { variantRecord } from './past-variants.js';
import { codeEvents, kitEvents, productEvents } from './events.js';
import { readByGtin } from './code-routes.js';
import { labelRoutes } from './label-routes.js';
import { listRoutes } from './list-routes.js';
import { memberRoutes } from './member-routes.js';
import { unfinishedChangesOf } from './unfinished-changes.js';
import { writeRoutes } from './write-routes.js';

export const productsFeature: Feature = {
  name: 'products',
  provides: ({ reads, knownVariants }) => ({ catalogue: new ProductCatalogue(reads, knownVariants) }),
  routes: (services) => [
    ...listRoutes,
    ...memberRoutes,
    readByGtin,
    ...labelRoutes(services.catalogue),
    ...writeRoutes({ ...services, unfinished: unfinishedChangesOf(services) }),
  ],
  work: (services) => ({ schedule: unfinishedChangesOf(services).background }),
  events: [productEvents, kitEvents, codeEvents.codec],
  viewing: { product: 'products.view', variant: 'products.view' },
  records: [productRecord, variantRecord],
};
