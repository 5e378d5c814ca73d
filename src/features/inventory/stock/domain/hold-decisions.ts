import { Rejection } from '../../../../kernel/events/rejection.js';
import type { Hold, Release } from '../../../../kernel/patterns/holds.js';
import { isHeldBy, releasedOf } from '../../../../kernel/patterns/holds.js';
import { PRODUCT_HAS_MOVED, PRODUCT_IN_USE, UNIT_IN_USE } from '../../../contracts/stock-keeper.js';
import type { InventoryEvent } from '../../events.js';
import type { Inventory } from '../../ledger/state.js';

/** What keeps goods that never moved from moving, while their product is deleted or becomes another, or from then on. */

interface Holding {
  readonly variantIds: readonly string[];
  readonly hold: Hold;
}

export type HoldCommand =
  | ({ readonly type: 'retire' } & Holding)
  /** They become a kit or a service, or stay goods that are counted in another unit. */
  | ({ readonly type: 'endKeeping'; readonly unit?: string | undefined } & Holding)
  | { readonly type: 'restore' | 'resumeKeeping'; readonly variantIds: readonly string[]; readonly release: Release };

export function decideHold(state: Inventory, command: HoldCommand): InventoryEvent[] {
  switch (command.type) {
    case 'retire':
      return retire(state, command);
    case 'restore': {
      const { ids, holds } = releasedOf(state.retired, command.variantIds, command.release);
      return ids.length === 0 ? [] : [{ type: 'VariantsRestored', data: { variantIds: ids, holds } }];
    }
    case 'endKeeping':
      return endKeeping(state, command);
    case 'resumeKeeping': {
      const { ids, holds } = releasedOf(state.unkept, command.variantIds, command.release);
      return ids.length === 0 ? [] : [{ type: 'StockKeepingResumed', data: { variantIds: ids, holds } }];
    }
  }
}

/** Goods of it moved, or an open order is going to take or to make it. */
const isMoved = (state: Inventory, variantId: string): boolean =>
  state.variants.has(variantId) || isPlanned(state, variantId);

const isPlanned = ({ openOrders }: Inventory, variantId: string): boolean =>
  openOrders.some(
    ({ plan: { recipe } }) =>
      recipe.finishedVariantId === variantId ||
      recipe.items.some(({ componentVariantId }) => componentVariantId === variantId) ||
      recipe.byproducts.some((byproduct) => byproduct.variantId === variantId),
  );

function retire(state: Inventory, { variantIds, hold }: Holding): InventoryEvent[] {
  const fresh = variantIds.filter((variantId) => !isHeldBy(state.retired, variantId, hold.id));
  const isInUse = (variantId: string) => isMoved(state, variantId) || state.soldUnkept.has(variantId);
  if (fresh.some(isInUse)) throw new Rejection(PRODUCT_IN_USE);
  return fresh.length === 0 ? [] : [{ type: 'VariantsRetired', data: { variantIds: fresh, hold } }];
}

function endKeeping(
  state: Inventory,
  { variantIds, hold, unit }: Holding & { readonly unit?: string | undefined },
): InventoryEvent[] {
  const fresh = variantIds.filter((variantId) => !isHeldBy(state.unkept, variantId, hold.id));
  if (fresh.some((variantId) => isMoved(state, variantId))) {
    throw new Rejection(unit === undefined ? PRODUCT_HAS_MOVED : UNIT_IN_USE);
  }
  const data = { variantIds: fresh, hold, ...(unit === undefined ? {} : { unit }) };
  return fresh.length === 0 ? [] : [{ type: 'StockKeepingEnded', data }];
}
