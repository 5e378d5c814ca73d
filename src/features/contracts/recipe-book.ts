import type { Decimal } from '../../kernel/values/decimal.js';
import type { Commands } from '../../kernel/lanes/commands.js';

interface RecipeCopyItem {
  readonly componentVariantId: string;
  /** For one batch in the component's own unit, before loss; percentages are resolved. */
  readonly quantity: Decimal;
  readonly lossPercent: Decimal;
  readonly costKind: 'MATERIAL' | 'PACKAGING';
}

interface RecipeCopyStage {
  readonly name: string;
  readonly required: boolean;
  readonly workCenter: string | null;
  readonly standardMinutes: Decimal | null;
  readonly laborRatePerHour: Decimal | null;
}

/** The version in force of a recipe, as an order copies it. */
export interface RecipeCopy {
  readonly recipeId: string;
  readonly version: number;
  readonly name: string;
  readonly finishedVariantId: string;
  readonly yieldQty: Decimal;
  readonly expectedLossPercent: Decimal;
  readonly items: readonly RecipeCopyItem[];
  readonly stages: readonly RecipeCopyStage[];
  readonly byproducts: readonly {
    readonly variantId: string;
    readonly quantityPerBatch: Decimal;
    readonly costSharePercent: Decimal;
  }[];
}

/** The recipes as production sees them. */
export interface RecipeBook {
  /** Undefined when there is none, or it is not active. */
  inForce(context: Commands, recipeId: string): Promise<RecipeCopy | undefined>;
  /** The versions in force of all active recipes, by name. */
  active(context: Commands): Promise<readonly RecipeCopy[]>;
  /** What the active recipes make, by-products apart. */
  finished(context: Commands): Promise<ReadonlySet<string>>;
}
