import type { Decimal } from '../../kernel/values/decimal.js';
import { rejection } from '../../kernel/events/rejection.js';
import type { Hold, Release } from '../../kernel/patterns/holds.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';

export const PRODUCT_IN_USE = rejection(
  409,
  'PRODUCT_IN_USE',
  'It has moved, was sold or is part of a kit; deactivate it instead',
);

export const PRODUCT_HAS_MOVED = rejection(
  409,
  'PRODUCT_HAS_MOVED',
  'Goods of it have moved, or an open order names it: it cannot become a kit or a service',
);

export const UNIT_IN_USE = rejection(
  409,
  'UNIT_IN_USE',
  'Goods of it have moved, or an open order names it: it keeps its unit',
);

export const LOT_NOT_FOUND = rejection(404, 'LOT_NOT_FOUND', 'There is no such lot');
/** The longest lot code that a request may name. */
export const LOT_CODE_LENGTH = 60;
export const NOT_KEPT_IN_STOCK = rejection(409, 'NOT_KEPT_IN_STOCK', 'Services and kits have no stock of their own');

export interface OpeningEntry {
  readonly variantId: string;
  readonly quantity: Decimal;
  /** Null when nobody said what it cost. */
  readonly unitCost: Decimal | null;
}

export interface Need {
  readonly variantId: string;
  readonly quantity: Decimal;
  /** The lot that expires first leaves first. */
  readonly expiryFirst?: boolean;
}

/** What taking a need from the stock would come to now. */
export interface Estimate {
  readonly variantId: string;
  /** In lots that may be taken (not blocked, not expired). */
  readonly available: Decimal;
  /** By FIFO of what is there, by the average beyond it. */
  readonly cost: Decimal;
}

/** What may be counted on of a variant. */
export interface Outlook {
  /** In lots that may be taken, at all locations. */
  readonly free: Decimal;
  /** Expected of orders that are planned or started. */
  readonly planned: Decimal;
  readonly orders: readonly OpenOutput[];
}

/** What an open order is expected to make. */
export interface OpenOutput {
  readonly orderId: string;
  readonly number: number;
  readonly quantity: Decimal;
}

/** The stock as other parts see it, at its stream's head. */
export interface StockKeeper {
  /** Opening entries of new variants, at the default location; `unmovedOnly`, as a repeat has it, leaves out those of which anything moved since. */
  open(
    context: RequestContext,
    entries: readonly OpeningEntry[],
    options?: { readonly unmovedOnly?: boolean },
  ): Promise<void>;
  /** Variants that never moved never will; refused with PRODUCT_IN_USE when one of them did. */
  retire(context: RequestContext, variantIds: readonly string[], hold: Hold): Promise<void>;
  /** Takes that back: whatever should have deleted them was refused. */
  restore(context: RequestContext, variantIds: readonly string[], release: Release): Promise<void>;
  /** Those of them that never move again. */
  retired(context: RequestContext, variantIds: readonly string[]): Promise<readonly string[]>;
  /**
   * Goods become a kit or a service, or are counted in another unit, which is then named; refused with PRODUCT_HAS_MOVED, or UNIT_IN_USE,
   * when there ever were any.
   */
  endKeeping(context: RequestContext, variantIds: readonly string[], hold: Hold, unit?: string): Promise<void>;
  /** They have stock of their own again, or still, unless others hold them. */
  resumeKeeping(context: RequestContext, variantIds: readonly string[], release: Release): Promise<void>;
  /** One estimate a need, in their order; without a location over the one that production uses. */
  estimate(
    context: RequestContext,
    needs: readonly Need[],
    locationId: string | undefined,
  ): Promise<readonly Estimate[]>;
  /** By variant, of every one that is asked for. */
  outlook(context: RequestContext, variantIds: readonly string[]): Promise<ReadonlyMap<string, Outlook>>;
}
