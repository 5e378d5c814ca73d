import { auditFeature } from './audit/feature.js';
import type { Feature } from './contracts/feature.js';
import { authFeature } from './auth/feature.js';
import { brandsFeature } from './brands/feature.js';
import { cardFeesFeature } from './card-fees/feature.js';
import { categoriesFeature } from './categories/feature.js';
import { customersFeature } from './customers/feature.js';
import { fiscalFeature } from './fiscal/feature.js';
import { installationFeature } from './installation/feature.js';
import { inventoryFeature } from './inventory/feature.js';
import { liveFeature } from './live/feature.js';
import { planningFeature } from './planning/feature.js';
import { productsFeature } from './products/feature.js';
import { recipesFeature } from './recipes/feature.js';
import { storesFeature } from './stores/feature.js';
import { tagsFeature } from './tags/feature.js';
import { traceabilityFeature } from './traceability/feature.js';
import { webhooksFeature } from './webhooks/feature.js';

/** Every feature of the service, one line each. */
export const features: readonly Feature[] = [
  installationFeature,
  storesFeature,
  authFeature,
  categoriesFeature,
  brandsFeature,
  tagsFeature,
  productsFeature,
  inventoryFeature,
  recipesFeature,
  customersFeature,
  cardFeesFeature,
  traceabilityFeature,
  planningFeature,
  fiscalFeature,
  webhooksFeature,
  auditFeature,
  liveFeature,
];
