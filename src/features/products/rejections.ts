import type { RejectionKind } from '../../kernel/events/rejection.js';
import { rejection } from '../../kernel/events/rejection.js';

export const GTIN_INVALID = rejection(
  400,
  'GTIN_INVALID',
  'A GTIN has 8, 12, 13 or 14 digits, of which the last is right',
);
export const GTIN_TAKEN = rejection(409, 'GTIN_TAKEN', 'Another variant of the store has this GTIN');
export const SKU_TAKEN = rejection(409, 'SKU_TAKEN', 'Another product or variant of the store has this SKU');
export const PRICE_TOO_HIGH = rejection(400, 'PRICE_TOO_HIGH', 'Cost and margin make a price that is too high');
export const PRODUCT_HAS_GRID = rejection(
  409,
  'PRODUCT_HAS_GRID',
  'The product has a grid: its variants have the barcodes',
);
export const VARIANT_EXISTS = rejection(409, 'VARIANT_EXISTS', 'The product has a variant like this one');
/** Not declared, since nobody hears of it: that variant is prepared as well. */
export const VARIANT_NOT_PREPARED: RejectionKind = {
  status: 409,
  code: 'VARIANT_NOT_PREPARED',
  title: 'A variant was added meanwhile',
};
export const LAST_VARIANT = rejection(409, 'LAST_VARIANT', 'A product has at least one variant');
export const TOO_MANY_VARIANTS = rejection(409, 'TOO_MANY_VARIANTS', 'A product has at most 200 variants');
export const KIT_CYCLE = rejection(409, 'KIT_CYCLE', 'A kit cannot hold itself, not even within its parts');
export const KIT_TOO_DEEP = rejection(409, 'KIT_TOO_DEEP', 'Kits within kits are at most 20 deep');
export const KIT_TOO_LARGE = rejection(
  409,
  'KIT_TOO_LARGE',
  'A kit takes at most 5,000 parts, those of kits within it each time that they occur',
);
export const KIT_OF_SERVICE = rejection(409, 'KIT_OF_SERVICE', 'A service is no part of a kit');
export const DEFAULT_NCM_MISSING = rejection(409, 'DEFAULT_NCM_MISSING', 'The category has no valid NCM to apply');
