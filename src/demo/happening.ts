import type { InventoryCommand } from '../features/inventory/decider.js';
import type { RecipeCopy } from '../features/contracts/recipe-book.js';
import type { Chance } from './chance.js';
import type { Demand } from './demand.js';
import type { PriceCard } from './fees.js';
import type { Storeroom } from './storeroom.js';
import type { Decimal } from '../kernel/values/decimal.js';

export interface Trader {
  readonly storeId: string;
  readonly locationId: string;
  readonly customerIds: readonly string[];
  readonly timeZone: string;
  /** Nothing happens later; milliseconds since 1970. */
  readonly until: number;
  readonly variantIdOf: (sku: string) => string;
  readonly productIdOf: (sku: string) => string;
  /** What a card payment costs. */
  readonly priceCard: PriceCard;
  /** The versions in force, by the SKU of what they make. */
  readonly recipes: ReadonlyMap<string, RecipeCopy>;
}

/** Whose days they are, and what they are made of. */
export interface Business {
  readonly trader: Trader;
  /** The id of what has the name in this store. */
  readonly idOf: (name: string) => string;
  readonly chance: Chance;
  readonly room: Storeroom;
  readonly demand: Demand;
}

/** One thing that happens: a command as it is, or one about an earlier sale, order or lot. */
export type Happening = { readonly at: number } & (
  | { readonly command: InventoryCommand }
  | { readonly cancels: string }
  | { readonly reverses: string; readonly reason: string; readonly partial: boolean }
  | { readonly returns: string; readonly returnId: string; readonly variantId: string; readonly quantity: Decimal }
  | { readonly blocks: string; readonly variantId: string; readonly reason: string }
);
