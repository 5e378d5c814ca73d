import { setImmediate as othersFirst } from 'node:timers/promises';
import type { HoldingDocument } from '../../../../projections/inventory/holdings.js';
import { holdings } from '../../../../projections/inventory/holdings.js';
import { auditEvents } from '../../../../projections/audit/audit-events.js';
import { batchesOf } from '../../../kernel/values/batches.js';
import { later } from '../../../kernel/values/clock.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { defined } from '../../../kernel/values/defined.js';
import { pagesOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { HeldAt } from './held-stock.js';
import { heldLines, HeldStock } from './held-stock.js';
import { movements } from './movements.js';

/** What each location held of each lot at a moment, and what that was worth: what there is now, less what has moved since. */

interface ValuationQuery {
  /** Included. */
  readonly upTo: string;
  /** The present: all that has moved counts, also what bears a later time than the question. */
  readonly isNow: boolean;
  readonly variantId?: string | undefined;
  readonly locationId?: string | undefined;
}

type WorkedQuery = Omit<ValuationQuery, 'isNow'>;

interface Held {
  /** The moment that it is of. */
  readonly upTo: string;
  readonly held: HeldStock;
}

/** A holding as it is now; `seen` is the last event that counts in it. */
interface Present extends HeldAt {
  readonly seen: string;
}

/** What moved since the moment, event by event. */
interface Since {
  readonly moves: { readonly position: string; readonly quantity: Decimal; readonly value: Decimal }[];
}

const HOLDINGS_AT_ONCE = 2_000;
const ROWS_AT_ONCE = 5_000;
const TRIES = 3;

/** Kept while nothing moves, so that the pages of one valuation are worked out once. */
export async function heldAt(context: RequestContext, query: ValuationQuery, key: string): Promise<Held> {
  const beneath = { collections: [holdings, auditEvents] };
  const { upTo, lines } = await context.reads.kept(beneath, key, async ({ takes }) => {
    const moment = query.isNow ? later(query.upTo, await lastMoved(context)) : query.upTo;
    const worked = await heldLines(await workedOut(context, { ...query, upTo: moment }));
    takes(worked.byteLength);
    return { upTo: moment, lines: worked };
  });
  return { upTo: later(query.upTo, upTo), held: new HeldStock(lines) };
}

/** When something last moved: after the question came, or by a clock that was ahead. */
async function lastMoved(context: RequestContext): Promise<string> {
  for await (const [last] of movements(context, {}, 'desc', 1)) if (last) return last.at;
  return '';
}

async function workedOut(context: RequestContext, query: WorkedQuery): Promise<readonly HeldAt[]> {
  for (let tries = 1; ; tries++) {
    const present = await presentHoldings(context, query);
    const since = await movedSince(context, query);
    const gone = await emptiedHoldings(
      context,
      [...since.keys()].filter((id) => !present.has(id)),
    );
    // A holding that has seen more than the rows tell moved while they were read.
    const isBehind = [...gone].some(([id, { seen }]) => (since.get(id)?.moves.at(-1)?.position ?? seen) < seen);
    if (isBehind && tries < TRIES) continue;
    const held: HeldAt[] = [];
    let turn = 0;
    for (const [id, holding] of [...present, ...gone]) {
      const one = unwound(holding, since.get(id));
      if (one.quantity.isPositive) held.push(one);
      if (++turn % HOLDINGS_AT_ONCE === 0) await othersFirst();
    }
    return held;
  }
}

function unwound({ seen, ...holding }: Present, since: Since | undefined): HeldAt {
  let { quantity, value } = holding;
  for (const move of since?.moves ?? []) {
    if (move.position > seen) break;
    quantity = quantity.minus(move.quantity);
    value = value.minus(move.value);
  }
  return { ...holding, quantity, value };
}

const idOf = (lotId: string, locationId: string): string => `${lotId}/${locationId}`;

function presentOf(stored: { readonly body: string; readonly hidden: string }): Present {
  const { lotId, variantId, locationId } = JSON.parse(stored.body) as HoldingDocument;
  const { exact, seen } = JSON.parse(stored.hidden) as HoldingDocument;
  const amounts = { quantity: Decimal.from(exact.quantity), value: Decimal.from(exact.value) };
  return { lotId, variantId, locationId, ...amounts, seen };
}

async function presentHoldings(
  context: RequestContext,
  { variantId, locationId }: WorkedQuery,
): Promise<ReadonlyMap<string, Present>> {
  const found = new Map<string, Present>();
  const pages = pagesOf((at) =>
    context.reads.find(holdings, {
      equal: defined({ variantId, locationId, left: 1 }),
      sort: { column: 'entered', direction: 'asc' },
      limit: HOLDINGS_AT_ONCE,
      ...at,
    }),
  );
  for await (const page of pages) for (const stored of page) found.set(stored.id, presentOf(stored));
  return found;
}

async function emptiedHoldings(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, Present>> {
  const found = new Map<string, Present>();
  for (const some of batchesOf(ids, HOLDINGS_AT_ONCE)) {
    for (const stored of await context.reads.getMany(holdings, some)) found.set(stored.id, presentOf(stored));
  }
  return found;
}

async function movedSince(
  context: RequestContext,
  { upTo, variantId, locationId }: WorkedQuery,
): Promise<ReadonlyMap<string, Since>> {
  const since = new Map<string, Since>();
  const asked = { variantId, locationId, range: { after: upTo } };
  for await (const some of movements(context, asked, 'asc', ROWS_AT_ONCE)) {
    for (const { lotId, locationId: place, position, quantity, value } of some) {
      if (lotId === null) continue;
      const id = idOf(lotId, place);
      const known = since.get(id) ?? { moves: [] };
      since.set(id, known);
      known.moves.push({ position, quantity, value });
    }
  }
  return since;
}
