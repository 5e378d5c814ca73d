import { Rejection } from '../../../../kernel/events/rejection.js';
import type { InventoryEvent } from '../../events.js';
import type { KnownHistory } from '../../ledger/known-history.js';
import type { Inventory } from '../../ledger/state.js';
import { DOCUMENT_EXISTS, NOTHING_TO_TAX } from '../../../contracts/sales-to-tax.js';
import type { SaleAccount } from './sale-account.js';
import { left, open } from './sale-returns.js';

/** A sale and its fiscal document: issuing one and cancelling the sale exclude each other. */

export interface HoldSale {
  readonly type: 'holdSale';
  readonly saleId: string;
  readonly documentId: string;
  /** The document whose place this one takes. */
  readonly insteadOf: string | null;
  readonly attempt: number;
  readonly past: KnownHistory<InventoryEvent>;
}

export interface ReleaseSale {
  readonly type: 'releaseSale';
  readonly saleId: string;
  readonly documentId: string;
  /** The document that holds the sale from now on, if any. */
  readonly heir: string | null;
  /** The attempt that came to nothing: a hold for a later one stays. Undefined where none comes after. */
  readonly attempt: number | undefined;
  readonly past: KnownHistory<InventoryEvent>;
}

export function holdSale(state: Inventory, command: HoldSale): InventoryEvent[] {
  const { saleId, documentId, insteadOf, attempt } = command;
  const { heldBy, heldBefore, heldFor, lines } = open(state, command);
  const isHeld = heldBy === documentId;
  if (isHeld && heldFor >= attempt) return [];
  if (heldBy !== null && !isHeld && heldBy !== insteadOf)
    throw new Rejection(DOCUMENT_EXISTS, undefined, { documentId: heldBy });
  if (!lines.some((line) => left(line).isPositive)) throw new Rejection(NOTHING_TO_TAX);
  return [{ type: 'SaleTaxingBegan', data: { saleId, documentId, insteadOf: isHeld ? heldBefore : heldBy, attempt } }];
}

/** Whether a document that came to nothing still holds the sale: not where it is being signed once more. */
export const isHeldFor = ({ heldBy, heldFor }: SaleAccount, documentId: string, attempt = Infinity): boolean =>
  heldBy === documentId && heldFor <= attempt;

/** A cancelled sale is held by nobody. */
export function releaseSale(state: Inventory, command: ReleaseSale): InventoryEvent[] {
  const { saleId, documentId, heir, attempt } = command;
  if (!isHeldFor(open(state, command), documentId, attempt)) return [];
  if (heir === null) return [{ type: 'SaleTaxingEnded', data: { saleId, documentId } }];
  return [{ type: 'SaleTaxingBegan', data: { saleId, documentId: heir, insteadOf: documentId } }];
}
