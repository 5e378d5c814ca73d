import { z } from 'zod';
import { rejection } from '../../kernel/events/rejection.js';

export const FORMULA_INVALID = rejection(400, 'FORMULA_INVALID', 'The formula does not add up', {
  percentsOfWhole: z.array(z.object({ componentVariantId: z.uuid(), percent: z.number() })),
});
export const DENSITY_REQUIRED = rejection(400, 'DENSITY_REQUIRED', 'A density is needed to turn litres into kilograms');
export const CHANGE_REASON_REQUIRED = rejection(
  400,
  'CHANGE_REASON_REQUIRED',
  'In the industrial segment a changed formula needs its reason',
);
export const COSTS_NOT_YOURS = rejection(403, 'COSTS_NOT_YOURS', 'Costs are set only by those who may see them');
export const VARIANT_NOT_ALLOWED = rejection(
  409,
  'VARIANT_NOT_ALLOWED',
  'Services and kits are neither used nor made by a recipe',
);
export const COMPONENT_INACTIVE = rejection(409, 'COMPONENT_INACTIVE', 'A component is not active');
export const RECIPE_CYCLE = rejection(409, 'RECIPE_CYCLE', 'The product would be made of itself');
export const RECIPE_CHANGED = rejection(409, 'RECIPE_CHANGED', 'The recipe changed at the same time; try again');
export const VERSION_NOT_DRAFT = rejection(409, 'VERSION_NOT_DRAFT', 'The version is not a draft');
export const DRAFT_CORRUPTED = rejection(
  409,
  'DRAFT_CORRUPTED',
  'The draft is not what was saved, or a component is no longer there',
  { variantIds: z.array(z.uuid()).meta({ description: 'Components that are no longer there' }) },
);
export const DRAFT_LIMIT = rejection(409, 'DRAFT_LIMIT', 'The recipe has as many drafts as it may have');
export const FACTOR_NOT_COMPUTABLE = rejection(
  409,
  'FACTOR_NOT_COMPUTABLE',
  'The density of the recipe or the package volume of the product is missing',
  { missing: z.array(z.enum(['unitVolumeLiters', 'densityKgPerL'])) },
);
