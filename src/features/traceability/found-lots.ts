import type { LotDocument } from '../../../projections/inventory/lots.js';
import type { VariantLabel } from '../contracts/catalogue.js';
import type { Reached } from './graph-walk.js';
import type { ListedLot } from './lots.js';
import type { CountedLot } from './sold-rows.js';

/** The lots that a recall is about: those with the code, and those that were made with them through any number of orders. */
export interface Found {
  /** As it was first written. */
  readonly lotCode: string;
  readonly matched: readonly LotDocument[];
  readonly walked: Reached;
}

/** What is known of each of them. */
export interface KnownLots {
  readonly lots: ReadonlyMap<string, ListedLot>;
  readonly counts: readonly CountedLot[];
}

/** What is known of their products. */
export interface KnownProducts {
  readonly facts: ReadonlyMap<string, VariantLabel>;
}
