import { Decimal, QUANTITY_DECIMALS } from '../../../../kernel/values/decimal.js';
import { NOT_FOUND, Rejection } from '../../../../kernel/events/rejection.js';
import type { InventoryEvent, ReturnedLine } from '../../events.js';
import { RETURN_EXCEEDS_SOLD, SALE_FULLY_RETURNED } from '../../rejections.js';
import { DOCUMENT_LIVE, SALE_CANCELLED } from '../../../contracts/sales-to-tax.js';
import type { Returning } from '../../ledger/bringing-back.js';
import { bringBack, lastOf, quantityOf } from '../../ledger/bringing-back.js';
import { saleKey } from '../../ledger/touched-revisions.js';
import type { KnownHistory } from '../../ledger/known-history.js';
import { expectWholeHistory } from '../../ledger/known-history.js';
import type { LineAccount, SaleAccount } from './sale-account.js';
import { saleAccount } from './sale-account.js';
import type { Inventory } from '../../ledger/state.js';

export interface ReturnSale {
  readonly type: 'returnSale';
  readonly saleId: string;
  readonly returnId: string;
  readonly reason: string | null;
  readonly items: readonly { readonly variantId: string; readonly quantity: Decimal }[];
  readonly past: KnownHistory<InventoryEvent>;
}

export interface CancelSale {
  readonly type: 'cancelSale';
  readonly saleId: string;
  readonly reason: string;
  readonly past: KnownHistory<InventoryEvent>;
}

const CENTS = 2;

export function returnSale(state: Inventory, command: ReturnSale, at: string): InventoryEvent[] {
  const { saleId, returnId, reason } = command;
  const account = open(state, command);
  const { occurredOn } = account.sale;
  const lines = comeBack(state, spread(account, command.items), at);
  const total = Decimal.sum(lines.map((line) => line.total));
  return [{ type: 'SaleReturned', data: { saleId, returnId, occurredOn, reason, lines, total } }];
}

export function cancelSale(state: Inventory, command: CancelSale, at: string): InventoryEvent[] {
  const { saleId, reason } = command;
  const account = open(state, command);
  if (account.heldBy) throw new Rejection(DOCUMENT_LIVE, undefined, { documentId: account.heldBy });
  const parts = account.lines.flatMap((line, index) => {
    const quantity = left(line);
    return quantity.isPositive ? [{ index, line, quantity }] : [];
  });
  if (parts.length === 0) throw new Rejection(SALE_FULLY_RETURNED);
  const { occurredOn } = account.sale;
  const lines = comeBack(state, parts, at);
  return [{ type: 'SaleCancelled', data: { saleId, occurredOn, reason, lines, soldLots: eachOnce(account.soldLots) } }];
}

const eachOnce = (lots: SaleAccount['soldLots']) => [
  ...new Map(lots.map((lot) => [`${String(lot.line)} ${lot.lotId}`, lot])).values(),
];

/** The sale, if it may still give something back. */
export function open(
  state: Inventory,
  { saleId, past }: { readonly saleId: string; readonly past: KnownHistory<InventoryEvent> },
): SaleAccount {
  expectWholeHistory(state.history, saleKey(saleId), past);
  const account = saleAccount(
    past.events.map(({ event }) => event),
    saleId,
  );
  if (!account) throw new Rejection(NOT_FOUND);
  if (account.cancelled) throw new Rejection(SALE_CANCELLED);
  return account;
}

export const left = ({ line, returned }: LineAccount): Decimal => line.quantity.minus(returned);

/** How much of which line comes back. */
interface Part {
  readonly index: number;
  readonly line: LineAccount;
  readonly quantity: Decimal;
}

/** Spreads what is returned of a variant over its lines, the last line first. */
function spread({ lines }: SaleAccount, items: ReturnSale['items']): Part[] {
  const wanted = new Map<string, Decimal>();
  for (const { variantId, quantity } of items) {
    wanted.set(variantId, quantity.plus(wanted.get(variantId) ?? Decimal.zero));
  }
  refuseExcess(lines, wanted);
  const parts: Part[] = [];
  for (const [index, line] of [...lines.entries()].reverse()) {
    const { variantId } = line.line;
    const missing = wanted.get(variantId) ?? Decimal.zero;
    const quantity = missing.min(left(line));
    if (!quantity.isPositive) continue;
    wanted.set(variantId, missing.minus(quantity));
    parts.push({ index, line, quantity });
  }
  return parts;
}

function refuseExcess(lines: readonly LineAccount[], wanted: ReadonlyMap<string, Decimal>): void {
  const excess = [...wanted].flatMap(([variantId, requested]) => {
    const returnable = Decimal.sum(lines.filter(({ line }) => line.variantId === variantId).map(left));
    return requested.greaterThan(returnable)
      ? [{ variantId, requested: requested.toNumber(), returnable: returnable.toNumber() }]
      : [];
  });
  if (excess.length > 0) throw new Rejection(RETURN_EXCEEDS_SOLD, undefined, { excess });
}

function comeBack(state: Inventory, parts: readonly Part[], at: string): ReturnedLine[] {
  const { comebacks } = bringBack(state, parts.map(returningOf), at);
  return parts.map(({ index, line, quantity }, part) => ({
    line: index,
    variantId: line.line.variantId,
    quantity,
    total: shareReturned(line, quantity, line.line.total, CENTS).minus(line.refunded),
    entries: comebacks[part]?.entries ?? [],
    forgiven: comebacks[part]?.forgiven ?? [],
  }));
}

/** Takes of every kind of goods the same share as of the line. */
const returningOf = ({ line, quantity }: Part): readonly Returning[] =>
  line.outstanding.map((outstanding, index) => {
    const issued = line.line.issues[index]?.quantity ?? Decimal.zero;
    const back = issued.minus(quantityOf(outstanding));
    return lastOf(outstanding, shareReturned(line, quantity, issued, QUANTITY_DECIMALS).minus(back));
  });

/** The share of a whole that is returned with this quantity, what came back before included: so nothing is lost to rounding. */
const shareReturned = ({ line, returned }: LineAccount, quantity: Decimal, whole: Decimal, decimals: number): Decimal =>
  whole.timesRatio(returned.plus(quantity), line.quantity, decimals);
