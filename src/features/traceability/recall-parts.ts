import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { ReachedLot } from './graph-walk.js';
import { readDetails } from './lot-details.js';
import type { Held, KnownProducts } from './found-lots.js';

/** The lots of a recall and what is left of them, as its lists give them. */

/** How many reached lots, and how many rows of what is left, stand in the recall itself. */
export const SHOWN = 200;

/** Lots of a recall, and rows of what is left of some, with what each lot says of itself: all of it is read at once. */
export async function shown(
  context: RequestContext,
  { facts }: KnownProducts,
  {
    lots = [],
    remaining = [],
    locationNames = new Map<string, string>(),
    timeZone,
  }: {
    readonly lots?: readonly ReachedLot[];
    readonly remaining?: readonly Held[];
    readonly locationNames?: ReadonlyMap<string, string>;
    readonly timeZone: string;
  },
) {
  const ids = [...lots, ...remaining].map(({ lotId }) => lotId);
  const details = await readDetails(context, ids, facts, timeZone);
  return {
    lots: lots.map(({ lotId, depth, viaOrderIds }) => ({
      lotId,
      ...details(lotId),
      kind: depth === 0 ? ('MATCHED' as const) : ('REACHED' as const),
      viaOrderIds,
    })),
    remaining: remaining.map(({ lotId, locationId, quantity }) => ({
      lotId,
      locationId,
      location: locationNames.get(locationId) ?? null,
      quantity,
      ...details(lotId),
    })),
  };
}
