import type { Scalar } from '../../../ports/read-models.js';
import type { Sql } from './conditions.js';

/** A query as statements, so that any thread that has the file open can run it. */
export interface Plan {
  /** One after the other until there are enough rows. */
  readonly steps: readonly Sql[];
  readonly rows: number;
  /** How many columns a row has. */
  readonly width: number;
  /** Where `probe` finds fewer than `few` records, these are quicker steps to the same rows. */
  readonly sparse?: { readonly probe: Sql; readonly few: number; readonly steps: readonly Sql[] };
}

/** What a row of `read.db` is made of. */
export type Cells = readonly Scalar[];
