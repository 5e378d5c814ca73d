import type { LotDocument } from '../../../projections/inventory/lots.js';
import { lots } from '../../../projections/inventory/lots.js';
import { pagesOf } from '../../kernel/routes/lists.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { comparableCode } from '../inventory/events.js';
import { LOT_NOT_FOUND } from '../contracts/stock-keeper.js';
import { inBatches } from '../../kernel/values/batches.js';
import { readTogether } from '../../kernel/values/json-texts.js';
import { documentOf } from '../../kernel/routes/stored-records.js';

const PAGE = 200;

/** Every lot with a code, in the order of their entry. */
export async function lotsWithCode(
  context: RequestContext,
  lotCode: string,
  variantId: string | undefined,
): Promise<readonly LotDocument[]> {
  const found: LotDocument[] = [];
  const pages = pagesOf((at) =>
    context.reads.find(lots, {
      equal: { code: comparableCode(lotCode), ...(variantId === undefined ? {} : { variantId }) },
      sort: { column: 'entered', direction: 'asc' },
      limit: PAGE,
      ...at,
    }),
  );
  for await (const page of pages) found.push(...page.map((record) => documentOf(lots, record)));
  if (found.length === 0) throw new Rejection(LOT_NOT_FOUND);
  return found;
}

/** What is shown of a lot, without what became of it. */
export type LotRecord = Omit<LotDocument, 'entered' | 'totalsByCause' | 'movedAt' | 'seen' | 'marks'>;

/** What every lot of a long list has to say. */
export interface LotLabel {
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly variantId: string;
}

const IDS_AT_ONCE = 2_000;

/** Some thousand at a time: none of the texts holds up others for long. */
export async function lotsById(
  context: RequestContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LotRecord>> {
  const found = await inBatches(ids, IDS_AT_ONCE, async (some) => {
    const bodies = await context.reads.getBodies(lots, some);
    return readTogether(bodies.filter((body) => body !== undefined)) as readonly LotRecord[];
  });
  return new Map(found.map((lot) => [lot.lotId, lot]));
}
