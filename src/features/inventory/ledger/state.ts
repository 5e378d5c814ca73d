import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { Holds } from '../../../kernel/patterns/holds.js';
import { NO_HOLDS } from '../../../kernel/patterns/holds.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { OrderPlan, Origin } from '../events.js';
import type { History } from './touched-revisions.js';
import { emptyHistory } from './touched-revisions.js';
import type { Holding, Lot } from './lots.js';
import { Lots } from './lots.js';

/** What was taken without being there and has not come in yet. */
export interface Debt extends Origin {
  readonly debtId: string;
  readonly locationId: string;
  readonly quantity: Decimal;
  /** At the cost that was known when it was taken. */
  readonly value: Decimal;
}

/** The moving average of a variant, kept as quantity and value; `last` outlives an empty stock. */
export interface MovingAverage {
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly last: Decimal;
}

export interface VariantStock {
  readonly lots: Lots;
  /** Oldest first. */
  readonly debts: readonly Debt[];
  readonly pool: MovingAverage;
  /** Lots less debts, of every location that it ever lay at. */
  readonly balances: readonly { readonly locationId: string; readonly quantity: Decimal }[];
}

export interface MarkedStage {
  readonly done: boolean;
  readonly notes: string | null;
}

export interface OpenOrder {
  readonly plan: OrderPlan;
  readonly started: boolean;
  /** Those that were marked, by id. */
  readonly stages: ImmutableMap<string, MarkedStage>;
}

/** What is open in a store's stock, and the traces of what was closed not long ago. */
export interface Inventory {
  readonly variants: ImmutableMap<string, VariantStock>;
  /** How many lots all variants have together. */
  readonly lotCount: number;
  /** Variants that were deleted before they ever moved, or are about to be. */
  readonly retired: Holds;
  /** Variants of goods that became a kit or a service before they ever moved, or are about to, or to be counted in another unit. */
  readonly unkept: Holds;
  /** What was sold and has no stock of its own: kits and services. */
  readonly soldUnkept: ImmutableSet<string>;
  /** Locations that ever held something. */
  readonly usedLocations: ImmutableSet<string>;
  /** Deleted locations: none of them ever held anything. */
  readonly retiredLocations: ImmutableSet<string>;
  readonly openOrders: ImmutableMap<string, OpenOrder>;
  readonly history: History;
  readonly lastSale: number;
  readonly lastOrder: number;
  /** The number of the lot that entered last. */
  readonly lastEntered: number;
}

const EMPTY_POOL: MovingAverage = { quantity: Decimal.zero, value: Decimal.zero, last: Decimal.zero };

const EMPTY_STOCK: VariantStock = {
  lots: Lots.none,
  debts: [],
  pool: EMPTY_POOL,
  balances: [],
};

export const EMPTY_INVENTORY: Inventory = {
  variants: ImmutableMap(),
  lotCount: 0,
  retired: NO_HOLDS,
  unkept: NO_HOLDS,
  soldUnkept: ImmutableSet(),
  usedLocations: ImmutableSet(),
  retiredLocations: ImmutableSet(),
  openOrders: ImmutableMap(),
  history: emptyHistory,
  lastSale: 0,
  lastOrder: 0,
  lastEntered: 0,
};

/**
 * The state with other members. All states are made by this one literal: each spread would give its copies a hidden class of their own, and
 * whatever reads them would be several times as slow.
 */
export function changed(state: Inventory, changes: Partial<Inventory>): Inventory {
  return {
    variants: changes.variants ?? state.variants,
    lotCount: changes.lotCount ?? state.lotCount,
    retired: changes.retired ?? state.retired,
    unkept: changes.unkept ?? state.unkept,
    soldUnkept: changes.soldUnkept ?? state.soldUnkept,
    usedLocations: changes.usedLocations ?? state.usedLocations,
    retiredLocations: changes.retiredLocations ?? state.retiredLocations,
    openOrders: changes.openOrders ?? state.openOrders,
    history: changes.history ?? state.history,
    lastSale: changes.lastSale ?? state.lastSale,
    lastOrder: changes.lastOrder ?? state.lastOrder,
    lastEntered: changes.lastEntered ?? state.lastEntered,
  };
}

/** The stock of a variant with other members, made in one place for the same reason. */
export function changedStock(stock: VariantStock, changes: Partial<VariantStock>): VariantStock {
  return {
    lots: changes.lots ?? stock.lots,
    debts: changes.debts ?? stock.debts,
    pool: changes.pool ?? stock.pool,
    balances: changes.balances ?? stock.balances,
  };
}

export const stockOf = (state: Inventory, variantId: string): VariantStock =>
  state.variants.get(variantId) ?? EMPTY_STOCK;

export const balanceAt = (stock: VariantStock, locationId: string): Decimal =>
  stock.balances.find((balance) => balance.locationId === locationId)?.quantity ?? Decimal.zero;

export const holdingAt = (lot: Lot, locationId: string): Holding | undefined =>
  lot.holdings.find((holding) => holding.locationId === locationId);

export const hasExpired = (lot: { readonly expiresAt: string | null }, at: string): boolean =>
  lot.expiresAt !== null && lot.expiresAt <= at;

/** Whether goods of the lot may be sold or used. */
export const isUsable = (lot: Lot, at: string): boolean => !lot.blocked && !hasExpired(lot, at);

/** What may be taken of a variant at a location without owing it. */
export function availableAt(stock: VariantStock, locationId: string, at: string): Decimal {
  let sum = Decimal.zero;
  for (const lot of stock.lots) {
    const holding = isUsable(lot, at) ? holdingAt(lot, locationId) : undefined;
    if (holding) sum = sum.plus(holding.quantity);
  }
  return sum;
}

/** The same over all locations. */
export function availableAnywhere(stock: VariantStock, at: string): Decimal {
  let sum = Decimal.zero;
  for (const lot of stock.lots) {
    if (!isUsable(lot, at)) continue;
    for (const { quantity } of lot.holdings) sum = sum.plus(quantity);
  }
  return sum;
}
