import { holdings } from '../../../projections/inventory/holdings.js';
import type { HoldingDocument } from '../../../projections/inventory/holdings.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { inBatches } from '../../kernel/values/in-batches.js';
import type { ReachedLot } from './graph-walk.js';
import { readDetails } from './lot-details.js';
import type { KnownLots, KnownProducts } from './found-lots.js';

/** The lots of a recall and what is left of them, as its lists give them. */

/** How many reached lots, and how many rows of what is left, stand in the recall itself. */
export const SHOWN = 200;

const LOTS_AT_ONCE = 1_000;
const HOLDINGS_PAGE = 1_000;

/** What still lies somewhere of the lots, in the order of their ids. Some lots at a time: every page asks of all that it may speak of. */
export const remainingStock = (
  context: RequestContext,
  { lots }: Pick<KnownLots, 'lots'>,
): Promise<readonly HoldingDocument[]> => {
  const left = [...lots.values()].filter(({ isLeft }) => isLeft).map(({ lotId }) => lotId);
  return inBatches(left.sort(), LOTS_AT_ONCE, (lotIds) => heldOf(context, lotIds));
};

async function heldOf(context: RequestContext, lotIds: readonly string[]): Promise<readonly HoldingDocument[]> {
  const held: HoldingDocument[] = [];
  const pages = pagesOf((at) =>
    context.reads.findBodies(holdings, {
      oneOf: { column: 'lotId', values: lotIds },
      equal: { left: 1 },
      sort: { column: 'lotId', direction: 'asc' },
      limit: lotIds.length > 10 ? HOLDINGS_PAGE : 200,
      ...at,
    }),
  );
  // One text of many is read in half the time of so many texts.
  for await (const bodies of pages) held.push(...(JSON.parse(`[${bodies.join(',')}]`) as HoldingDocument[]));
  return held;
}

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
    readonly remaining?: readonly HoldingDocument[];
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
      viaOrderIds: [...viaOrderIds],
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
