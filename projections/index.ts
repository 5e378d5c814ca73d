import type { Projector } from '../src/kernel/projections/projector.js';
import { auditEventsProjector } from './audit/audit-events.js';
import { auditTreeProjector } from './audit/audit-tree.js';
import { averageCostsProjector } from './inventory/average-costs.js';
import { brandsProjector } from './brands/brands.js';
import { cancelledSalesProjector, cardPaymentsProjector, usedCardBrandsProjector } from './card-fees/card-payments.js';
import { feeJobsProjector } from './card-fees/fee-jobs.js';
import { categoriesProjector } from './categories/categories.js';
import { customersProjector } from './customers/customers.js';
import { fiscalDocumentsProjector } from './fiscal/documents.js';
import { holdingsProjector } from './inventory/holdings.js';
import { kitsProjector } from './products/kits.js';
import { lotCodesProjector } from './inventory/lot-codes.js';
import { lotGraphProjector } from './traceability/lot-graph.js';
import { lotsProjector } from './inventory/lots.js';
import { ordersProjector } from './production/orders.js';
import { productsProjector } from './products/products.js';
import { recipeSummariesProjector, recipesProjector } from './recipes/recipes.js';
import { recipeVersionsProjector } from './recipes/recipe-versions.js';
import { recallDrillsProjector } from './traceability/recall-drills.js';
import { soldLotsProjector } from './traceability/sold-lots.js';
import { salesProjector } from './sales/sales.js';
import { stockRecordsProjector } from './inventory/stock-records.js';
import { stockProjector } from './inventory/stock.js';
import { tagsProjector } from './tags/tags.js';
import { usageProjector } from './planning/usage.js';
import { variantsProjector } from './products/variants.js';

export const projectors: readonly Projector[] = [
  categoriesProjector,
  brandsProjector,
  tagsProjector,
  productsProjector,
  variantsProjector,
  kitsProjector,
  lotCodesProjector,
  ordersProjector,
  recipeSummariesProjector,
  recipeVersionsProjector,
  recipesProjector,
  stockProjector,
  stockRecordsProjector,
  averageCostsProjector,
  customersProjector,
  lotsProjector,
  holdingsProjector,
  lotGraphProjector,
  soldLotsProjector,
  usageProjector,
  salesProjector,
  cardPaymentsProjector,
  cancelledSalesProjector,
  usedCardBrandsProjector,
  feeJobsProjector,
  auditEventsProjector,
  auditTreeProjector,
  fiscalDocumentsProjector,
  recallDrillsProjector,
];
