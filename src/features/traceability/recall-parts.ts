import { holdings } from '../../../projections/inventory/holdings.js';
import type { HoldingDocument } from '../../../projections/inventory/holdings.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { ReachedLot } from './graph-walk.js';
import { readDetails } from './lot-details.js';
import type { Found, Scope } from './recall-scope.js';

/** The lots of a recall and what is left of them, as its lists give them. */

/** How many reached lots, and how many rows of what is left, stand in the recall itself. */
export const SHOWN = 200;

const HOLDINGS_PAGE = 1_000;

/** What still lies somewhere of the lots, in the order of their ids. */
export async function remainingStock(
  context: RequestContext,
  { walked: { lots } }: Found,
): Promise<readonly HoldingDocument[]> {
  const remaining: HoldingDocument[] = [];
  const pages = pagesOf((at) =>
    context.reads.find(holdings, {
      oneOf: { column: 'lotId', values: [...lots.keys()] },
      equal: { left: 1 },
      sort: { column: 'lotId', direction: 'asc' },
      limit: lots.size > 10 ? HOLDINGS_PAGE : 200,
      ...at,
    }),
  );
  for await (const page of pages) for (const { body } of page) remaining.push(JSON.parse(body) as HoldingDocument);
  return remaining;
}

export async function shownLots(context: RequestContext, scope: Scope, lots: readonly ReachedLot[], timeZone: string) {
  const ids = lots.map(({ lotId }) => lotId);
  const details = await readDetails(context, ids, scope.facts, timeZone);
  return lots.map(({ lotId, depth, viaOrderIds }) => ({
    lotId,
    ...details(lotId),
    kind: depth === 0 ? ('MATCHED' as const) : ('REACHED' as const),
    viaOrderIds: [...viaOrderIds],
  }));
}

export async function shownRemaining(
  context: RequestContext,
  scope: Scope,
  rows: readonly HoldingDocument[],
  timeZone: string,
  locationNames: ReadonlyMap<string, string>,
) {
  const ids = rows.map(({ lotId }) => lotId);
  const details = await readDetails(context, ids, scope.facts, timeZone);
  return rows.map(({ lotId, locationId, quantity }) => ({
    lotId,
    locationId,
    location: locationNames.get(locationId) ?? null,
    quantity,
    ...details(lotId),
  }));
}
