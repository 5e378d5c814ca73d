import { auditEvents, entityKey, movedKey } from '../../../../projections/audit/audit-events.js';
import { moved, movementsOf as movedBy, movesStock } from '../../../../projections/inventory/parts/stock-facts.js';
import type { StockMovement } from '../../../../projections/inventory/parts/stock-movements.js';
import { stockMovementsOf } from '../../../../projections/inventory/parts/stock-movements.js';
import type { StockDocument } from '../../../../projections/inventory/stock.js';
import { stock } from '../../../../projections/inventory/stock.js';
import { cursorAt, placeAt } from '../../../kernel/routes/list-cursors.js';
import { pagesOf } from '../../../kernel/routes/lists.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { earlier } from '../../../kernel/values/clock.js';
import type { PagedQuery } from '../../../ports/read-models.js';
import { inventory } from '../decider.js';

/** The movements of the ledger, out of the facts that the audit's index finds by what they move. */

interface MovementQuery {
  readonly variantId?: string | undefined;
  readonly locationId?: string | undefined;
  readonly lotId?: string | undefined;
  readonly range?: Readonly<Partial<Record<'from' | 'after' | 'to' | 'before', string>>>;
}

type Direction = PagedQuery['sort']['direction'];

/** The keys under which the facts stand that are asked for, each of them under one at least: of a variant one for each of its places. */
async function keysFor(context: RequestContext, { variantId, locationId, lotId }: MovementQuery) {
  if (lotId !== undefined) return [entityKey({ kind: 'lot', id: lotId })];
  if (variantId === undefined || locationId !== undefined) return [movedKey(locationId, variantId)];
  const [record] = await context.reads.getMany(stock, [variantId]);
  const { balances } = JSON.parse(record?.hidden ?? '{"balances":{}}') as Pick<StockDocument, 'balances'>;
  return Object.keys(balances).map((place) => movedKey(place, variantId));
}

const isAsked = (movement: StockMovement, { variantId, locationId, lotId }: MovementQuery): boolean =>
  (variantId === undefined || movement.variantId === variantId) &&
  (locationId === undefined || movement.locationId === locationId) &&
  (lotId === undefined || movement.lotId === lotId);

/** The movements of each of some facts of the store's stock. */
async function movementsOf(
  context: RequestContext,
  revisions: readonly number[],
): Promise<readonly (readonly StockMovement[])[]> {
  const events = await context.eventsAt(inventory, revisions);
  return events.map((event) => (movesStock(event) ? stockMovementsOf(event) : []));
}

/** How many facts are read and decoded in one turn of the event loop at most: what others ask for comes in between. */
export const FACTS_AT_ONCE = 100;
/** So many at first, as a fact may hold hundreds of movements; then as many as hold so many together. */
const FIRST_FACTS = 5;
export const MOVEMENTS_AT_ONCE = 1_000;

/** The movements in their order, those of some facts at a time. */
export async function* movements(
  context: RequestContext,
  query: MovementQuery,
  direction: Direction,
  atOnce: number,
): AsyncGenerator<readonly StockMovement[]> {
  const lists = (await keysFor(context, query)).map((key) =>
    revisionsUnder(context, key, query.range, direction, atOnce),
  );
  let factsAtOnce = FIRST_FACTS;
  for await (const revisions of merged(lists, direction)) {
    for (let start = 0, end = 0; start < revisions.length; start = end) {
      end = start + factsAtOnce;
      const facts = await movementsOf(context, revisions.slice(start, end));
      const inOrder = facts.flatMap((fact) => (direction === 'asc' ? fact : fact.toReversed()));
      const fitting = Math.floor((MOVEMENTS_AT_ONCE * facts.length) / Math.max(inOrder.length, 1));
      factsAtOnce = Math.min(FACTS_AT_ONCE, Math.max(fitting, 1));
      yield inOrder.filter((movement) => isAsked(movement, query));
    }
  }
}

/** The numbers of facts under a key, some at a time. */
async function* revisionsUnder(
  context: RequestContext,
  key: number,
  range: MovementQuery['range'],
  direction: Direction,
  limit: number,
): AsyncGenerator<readonly number[]> {
  const asked = {
    equal: { entity: key },
    ...(range && { range: { column: 'at', ...range } }),
    sort: { column: 'at', direction },
    limit,
  } as const;
  const pages = pagesOf((at) => context.reads.findRows(auditEvents, { ...asked, ...at }, ['moved']));
  for await (const rows of pages) yield rows.flatMap((row) => (row.moved === null ? [] : Number(row.moved)));
}

/** Numbers of several lists in the order that each of them has; one that stands in two comes once. */
async function* merged(
  lists: readonly AsyncGenerator<readonly number[]>[],
  direction: Direction,
): AsyncGenerator<readonly number[]> {
  const [only, ...others] = lists;
  if (only && others.length === 0) {
    yield* only;
    return;
  }
  const sign = direction === 'asc' ? 1 : -1;
  const heads = lists.map((list) => ({ list, page: [] as readonly number[], ended: false }));
  for (;;) {
    for (const head of heads) {
      while (head.page.length === 0 && !head.ended) {
        const next = await head.list.next();
        if (next.done === true) head.ended = true;
        else head.page = next.value;
      }
    }
    const open = heads.filter(({ page }) => page.length > 0);
    if (open.length === 0) return;
    // What comes before the nearest end of a page is known of all of them.
    const end = Math.min(...open.map(({ page }) => sign * (page.at(-1) ?? 0)));
    const some = new Set<number>();
    for (const head of open) {
      for (const revision of head.page) if (sign * revision <= end) some.add(revision);
      head.page = head.page.filter((revision) => sign * revision > end);
    }
    yield [...some].sort((a, b) => sign * (a - b));
  }
}

interface MovementPage {
  readonly items: readonly StockMovement[];
  readonly nextCursor: string | null;
}

/** Where a page ended: the movement's time, its fact, and which it was of that. */
const LIST = 'movements';
const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,15}) (\d{1,6})$/;
export const LARGEST_PAGE = 1_000;

const cursorOf = ({ at, revision, place }: StockMovement): string =>
  cursorAt(LIST, `${at} ${String(revision)} ${String(place)}`);

/** The newest first. */
export async function movementPage(
  context: RequestContext,
  { cursor, limit, ...query }: MovementQuery & { readonly cursor?: string | undefined; readonly limit: number },
): Promise<MovementPage> {
  const [to, revision, place] = cursor === undefined ? [] : placeAt(LIST, cursor, PLACE);
  const isBeyond = (movement: StockMovement): boolean =>
    movement.revision < Number(revision) || (movement.revision === Number(revision) && movement.place < Number(place));
  const asked = to === undefined ? query : { ...query, range: { ...query.range, to: earlier(query.range?.to, to) } };
  const items: StockMovement[] = [];
  for await (const some of movements(context, asked, 'desc', Math.min(limit + 1, LARGEST_PAGE))) {
    items.push(...(to === undefined ? some : some.filter(isBeyond)));
    if (items.length > limit) break;
  }
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return { items: page, nextCursor: last && items.length > limit ? cursorOf(last) : null };
}

type Place = Pick<StockMovement, 'variantId' | 'locationId'>;
type PlaceBalance = Pick<StockMovement, 'variantId' | 'locationId' | 'balance'>;

const placeKey = ({ variantId, locationId }: Place): string => `${variantId} ${locationId}`;

/**
 * What was at each place after the last fact about it up to a moment; of places that no fact was about yet, nothing. An input that was left out has
 * no row in the ledger, but its fact is about the place and says what was there.
 */
export async function lastBalances(
  context: RequestContext,
  places: readonly Place[],
  upTo: string,
): Promise<readonly PlaceBalance[]> {
  const keys = places.map(({ locationId, variantId }) => [movedKey(locationId, variantId)]);
  const rows = await context.reads.lastRows(auditEvents, { by: ['entity'], keys, column: 'at', upTo });
  const revisions = [...new Set(rows.map((row) => Number(row.moved)))].sort((a, b) => a - b);
  const facts = await context.eventsAt(inventory, revisions);
  const found: readonly PlaceBalance[] = facts.flatMap((fact) => (movesStock(fact) ? movedBy(fact).map(moved) : []));
  const last = new Map(found.map((one) => [placeKey(one), one]));
  const known = places.flatMap((place) => last.get(placeKey(place)) ?? []);
  if (known.length >= rows.length) return known;
  // Two places share a key, and its last fact speaks of the other one.
  const each = places.map(async (place) => last.get(placeKey(place)) ?? lastOf(context, place, upTo));
  return (await Promise.all(each)).filter((balance) => balance !== undefined);
}

async function lastOf(context: RequestContext, place: Place, upTo: string): Promise<PlaceBalance | undefined> {
  for await (const [movement] of movements(context, { ...place, range: { to: upTo } }, 'desc', 1)) {
    if (movement) return movement;
  }
  return undefined;
}
