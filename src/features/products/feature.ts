import type { Feature } from '../contracts/feature.js';
import { ProductCatalogue } from './catalogue.js';
import { productRecord } from './past-products.js';
import { variantRecord } from './past-variants.js';
import { codeEvents, kitEvents, productEvents } from './events.js';
import { readByGtin } from './code-routes.js';
import { labelRoutes } from './label-routes.js';
import { listRoutes } from './list-routes.js';
import { memberRoutes } from './member-routes.js';
import { writeRoutes } from './write-routes.js';

export const productsFeature: Feature = {
  name: 'products',
  provides: ({ reads, knownVariants }) => ({ catalogue: new ProductCatalogue(reads, knownVariants) }),
  routes: ({ reads, catalogue, stock, taxRules }) => [
    ...listRoutes,
    ...memberRoutes,
    readByGtin,
    ...labelRoutes(catalogue),
    ...writeRoutes({ reads, catalogue, stock, taxRules }),
  ],
  events: [productEvents, kitEvents, codeEvents.codec],
  viewing: { product: 'products.view', variant: 'products.view' },
  records: [productRecord, variantRecord],
};
