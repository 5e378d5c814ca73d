import type { HoldingDocument } from '../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../projections/inventory/lots.js';
import type { VariantLabel } from '../contracts/catalogue.js';
import type { Decimal } from '../../kernel/values/decimal.js';
import type { Known } from '../../ports/read-models.js';
import type { LotLife } from './domain/mass-balance.js';
import type { Reached } from './graph-walk.js';
import type { LotLabel } from './lots.js';
import type { CountedLot } from './sold-rows.js';

/** What is left of a lot at a location. */
export type Held = Pick<HoldingDocument, 'lotId' | 'locationId' | 'quantity'>;

/** What lots add up to. */
export interface Sum {
  readonly sold: Decimal;
  readonly returned: Decimal;
  readonly life: LotLife;
  readonly inStock: Decimal;
  readonly held: readonly Held[];
}

/** What lots of one product add up to. */
export interface ProductSum extends Sum {
  readonly variantId: string;
}

/** All that a recall says of each of its lots, be they thousands. */
export interface KnownLot extends LotLabel, CountedLot, ProductSum {
  /** Tells it from what was known of this lot before, and of all others: who remembers it need not hold the lot. */
  readonly version: number;
}

/** Where one lot or order leads to. */
export interface Led {
  /** Each once, in the order in which it was written: as it was found the last time, or by its id. */
  to: readonly (Known<Led> | string)[];
  /** It was found in so many rows: rows are added, and none of them changes. */
  readonly rows: number;
  /** What a recall found of it the last time, if it is a lot. */
  lot?: Known<KnownLot | null>;
}

/** The lots that a recall is about: those with the code, and those that were made with them through any number of orders. */
export interface Found {
  /** As it was first written. */
  readonly lotCode: string;
  readonly matched: readonly LotDocument[];
  readonly walked: Reached<Known<Led>>;
}

/** What is known of each of them, in their order. */
export interface KnownLots {
  readonly lots: readonly KnownLot[];
}

/** What is known of their products. */
export interface KnownProducts {
  readonly facts: ReadonlyMap<string, VariantLabel>;
}
