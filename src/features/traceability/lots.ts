import type { LotDocument } from '../../../projections/lots.js';
import { lots } from '../../../projections/lots.js';
import { Rejection } from '../../kernel/rejection.js';
import type { RequestContext } from '../../kernel/route.js';
import type { StoredRecord } from '../../ports/read-models.js';
import { LOT_NOT_FOUND } from '../../ports/stock-keeper.js';

const PAGE = 200;

const documentOf = ({ body, hidden }: StoredRecord): LotDocument =>
  ({ ...JSON.parse(body), ...JSON.parse(hidden) }) as LotDocument;

/** Every lot with a code, in the order of their entry. */
export async function lotsWithCode(
  context: RequestContext,
  lotCode: string,
  variantId: string | undefined,
): Promise<readonly LotDocument[]> {
  const found: LotDocument[] = [];
  let cursor: string | null = null;
  do {
    const page = await context.reads.find(lots, {
      equal: { lotCode, ...(variantId === undefined ? {} : { variantId }) },
      sort: { column: 'entered', direction: 'asc' },
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    found.push(...page.items.map(documentOf));
    cursor = page.nextCursor;
  } while (cursor !== null);
  if (found.length === 0) throw new Rejection(LOT_NOT_FOUND);
  return found;
}

/** What is shown of a lot, without what became of it. */
export type LotRecord = Omit<LotDocument, 'entered' | 'fates' | 'movedAt' | 'seen'>;

export async function lotsById(
  context: RequestContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LotRecord>> {
  const bodies = await context.reads.getBodies(lots, ids);
  // One text of many is read in half the time of so many texts.
  const records = JSON.parse(`[${bodies.join(',')}]`) as readonly LotRecord[];
  return new Map(records.map((lot) => [lot.lotId, lot]));
}
