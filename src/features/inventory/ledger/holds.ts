import { Map as ImmutableMap } from 'immutable';
import type { HoldFact } from '../events.js';

/**
 * The variants that do not move, and who keeps each of them from it. Several requests may at once, each for what it is going to do to the
 * product: one that gives up leaves the others theirs.
 */
export type Holds = ImmutableMap<string, readonly HoldFact[]>;

export const NO_HOLDS: Holds = ImmutableMap();

/** Facts from before holds had an owner name none; they are older than all that a product may become. */
const NOBODYS: HoldFact = { id: '', revision: -1 };

interface Held {
  readonly variantIds: readonly string[];
  readonly hold?: HoldFact | undefined;
}

interface Freed {
  readonly variantIds: readonly string[];
  readonly holds?: readonly string[] | undefined;
}

export function withHold(holds: Holds, { variantIds, hold = NOBODYS }: Held): Holds {
  const added = variantIds.filter((variantId) => !isHeldBy(holds, variantId, hold.id));
  return added.reduce((all, variantId) => all.set(variantId, [...(all.get(variantId) ?? []), hold]), holds);
}

/** All of them are gone where none is named, as in facts from before they had an owner. */
export function withoutHolds(holds: Holds, { variantIds, holds: gone }: Freed): Holds {
  return variantIds.reduce((all, variantId) => {
    const left = gone ? (all.get(variantId) ?? []).filter(({ id }) => !gone.includes(id)) : [];
    return left.length > 0 ? all.set(variantId, left) : all.remove(variantId);
  }, holds);
}

export const isHeldBy = (holds: Holds, variantId: string, id: string): boolean =>
  holds.get(variantId)?.some((hold) => hold.id === id) === true;
