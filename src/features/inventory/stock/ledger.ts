import type { HoldingDocument } from '../../../../projections/inventory/holdings.js';
import { holdings } from '../../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots, remainingOf } from '../../../../projections/inventory/lots.js';
import type { StockMovement } from '../../../../projections/inventory/parts/stock-movements.js';
import { earlier, later } from '../../../kernel/values/clock.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { defined } from '../../../kernel/values/defined.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { cursorAt, placeAt } from '../../../kernel/routes/list-cursors.js';
import { pagesOf } from '../../../kernel/routes/lists.js';
import { lotDocument } from './lot-answers.js';
import { LARGEST_PAGE, movementPage, movements } from './movements.js';

/** The ledger, page by page, the newest row first; of one lot with what was left of it after each row. */

export interface LedgerQuery {
  readonly variantId?: string | undefined;
  readonly locationId?: string | undefined;
  readonly lotId?: string | undefined;
  /** Both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** What a location did, or all of them, and what they held of the lot afterwards. */
export interface LedgerRow {
  readonly row: StockMovement;
  readonly lotBalance?: Decimal;
}

interface LedgerPage {
  readonly rows: readonly LedgerRow[];
  readonly nextCursor: string | null;
}

const NOTHING: LedgerPage = { rows: [], nextCursor: null };

export async function ledgerPage(context: RequestContext, asked: LedgerQuery): Promise<LedgerPage> {
  const { lotId, variantId } = asked;
  if (lotId !== undefined) return lotPage(context, { ...asked, lotId });
  const { items, nextCursor } = await read(context, { ...asked, variantId });
  return { rows: items.map((row) => ({ row })), nextCursor };
}

/** All of them, some at a time. Those of a lot come by pages, each of which knows what the one before left of it. */
export async function* ledgerRows(
  context: RequestContext,
  asked: Omit<LedgerQuery, 'cursor' | 'limit'>,
): AsyncGenerator<readonly LedgerRow[]> {
  const { from, to, ...rest } = asked;
  if (rest.lotId === undefined) {
    const query = { ...rest, range: defined({ from, to }) };
    for await (const some of movements(context, query, 'desc', LARGEST_PAGE)) yield some.map((row) => ({ row }));
    return;
  }
  yield* pagesOf(async (at) => {
    const { rows, nextCursor } = await ledgerPage(context, { ...asked, ...at, limit: LARGEST_PAGE });
    return { items: rows, nextCursor };
  });
}

const read = (context: RequestContext, { from, to, ...asked }: LedgerQuery) =>
  movementPage(context, { ...asked, range: defined({ from, to }) });

/** What is there of a lot, and up to which event that is true. */
interface Standing {
  readonly lot: LotDocument;
  readonly left: Decimal;
  readonly seen: string;
}

async function standingOf(context: RequestContext, { lotId, locationId }: LedgerQuery): Promise<Standing | undefined> {
  const record = await context.reads.get(lots, lotId ?? '');
  if (!record) return undefined;
  const lot = lotDocument(record);
  if (locationId === undefined) return { lot, left: remainingOf(lot), seen: lot.seen };
  const held = await context.reads.get(holdings, `${lot.lotId}/${locationId}`);
  if (!held) return undefined;
  const { exact, seen } = JSON.parse(held.hidden) as HoldingDocument;
  return { lot, left: Decimal.from(exact.quantity), seen };
}

/** A lot's rows stand among those of its variant, between its entry and its last movement. */
async function lotPage(context: RequestContext, asked: LedgerQuery): Promise<LedgerPage> {
  const list = listOf(asked);
  const place = placeOf(list, asked.cursor);
  const standing = await standingOf(context, asked);
  if (!standing) return NOTHING;
  const { lot } = standing;
  if (asked.variantId !== undefined && asked.variantId !== lot.variantId) return NOTHING;
  const from = later(asked.from, lot.receivedAt);
  const to = earlier(asked.to, lot.movedAt);
  const query = { ...asked, variantId: lot.variantId, from, to, cursor: place?.cursor };
  const [page, last] = await Promise.all([
    read(context, query),
    place ? place.balance : balanceAt(context, query, standing),
  ]);
  // Rows that are newer than what is known of the lot are not counted in it yet.
  const newer = place ? [] : page.items.filter(({ position }) => position > standing.seen);
  let balance = last.plus(Decimal.sum(newer.map(({ quantity }) => quantity)));
  const rows = page.items.map((row) => {
    const lotBalance = balance;
    balance = balance.minus(row.quantity);
    return { row, lotBalance };
  });
  return { rows, nextCursor: page.nextCursor === null ? null : cursorOf(list, { balance, cursor: page.nextCursor }) };
}

const ROWS_AT_ONCE = 5_000;

/** What there is, less everything that came after the end of the period. */
async function balanceAt(context: RequestContext, query: LedgerQuery, { lot, left, seen }: Standing): Promise<Decimal> {
  const { variantId, lotId, locationId, to } = query;
  if (to === undefined || to >= lot.movedAt) return left;
  let balance = left;
  const since = { variantId, locationId, lotId, range: { after: to } };
  for await (const some of movements(context, since, 'asc', ROWS_AT_ONCE)) {
    const counted = some.filter(({ position }) => position <= seen);
    balance = balance.minus(Decimal.sum(counted.map(({ quantity }) => quantity)));
  }
  return balance;
}

/** Where a page of a lot goes on: the balance that its first row leaves, and where the rows stand. */
interface Place {
  readonly balance: Decimal;
  readonly cursor: string;
}

/** The balance is of these rows alone: with others the ledger would go on from a wrong one. */
const listOf = ({ lotId = '', locationId = '', to = '' }: LedgerQuery): string => `ledger ${lotId} ${locationId} ${to}`;

const PLACE = /^(-?\d{1,30}(?:\.\d{1,10})?) (\S*)$/;

const cursorOf = (list: string, { balance, cursor }: Place): string =>
  cursorAt(list, `${balance.toString()} ${cursor}`);

function placeOf(list: string, text: string | undefined): Place | undefined {
  if (text === undefined) return undefined;
  const [balance = '', cursor = ''] = placeAt(list, text, PLACE);
  return { balance: Decimal.from(balance), cursor };
}
