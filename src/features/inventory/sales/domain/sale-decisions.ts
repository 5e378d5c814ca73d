import type { Decimal } from '../../../../kernel/values/decimal.js';
import type { InventoryEvent, Issue, Payment, SaleLine, SoldKit } from '../../events.js';
import type { KnownCodes } from '../../ledger/known-history.js';
import type { CancelSale, ReturnSale } from './sale-returns.js';
import type { HoldSale, ReleaseSale } from './sale-taxing.js';
import { holdSale, releaseSale } from './sale-taxing.js';
import { cancelSale, returnSale } from './sale-returns.js';
import type { Inventory } from '../../ledger/state.js';
import { expectCode, expectKept, expectLivingItems, refuseShortages } from '../../stock/domain/stock-decisions.js';
import type { Wanted } from '../../ledger/taking.js';
import { takeAll } from '../../ledger/taking.js';

export interface SoldLine extends Omit<SaleLine, 'issues'> {
  readonly lotCode: string | null;
  /** What leaves the stock for it: itself, nothing for a service, the parts of a kit. */
  readonly goods: readonly { readonly variantId: string; readonly quantity: Decimal }[];
}

export interface CompleteSale {
  readonly type: 'completeSale';
  readonly saleId: string;
  readonly customerId: string | null;
  readonly locationId: string;
  readonly occurredAt: string;
  readonly occurredOn: string;
  readonly lines: readonly SoldLine[];
  /** How the kits among the lines, and among their parts, are made up. */
  readonly kits?: readonly SoldKit[];
  readonly payments: readonly Payment[];
  readonly total: Decimal;
  readonly allowNegativeStock: boolean;
  readonly knownCodes: KnownCodes | undefined;
  /** Variants of which the lot that expires first leaves first. */
  readonly expiryFirst?: ReadonlySet<string>;
}

export type SaleCommand = CompleteSale | ReturnSale | CancelSale | HoldSale | ReleaseSale;

export function decideSale(state: Inventory, command: SaleCommand, at: string): InventoryEvent[] {
  switch (command.type) {
    case 'completeSale':
      return completeSale(state, command, at);
    case 'returnSale':
      return returnSale(state, command, at);
    case 'cancelSale':
      return cancelSale(state, command, at);
    case 'holdSale':
      return holdSale(state, command);
    case 'releaseSale':
      return releaseSale(state, command);
  }
}

function completeSale(state: Inventory, command: CompleteSale, at: string): InventoryEvent[] {
  const { saleId, customerId, locationId, occurredAt, occurredOn, lines, kits = [], payments, total } = command;
  expectLivingItems(state, lines);
  expectGoodsKept(state, lines);
  for (const [index, { variantId, lotCode }] of lines.entries()) {
    if (lotCode !== null) {
      expectCode(state, variantId, lotCode, command.knownCodes, `items[${String(index)}].lotCode`);
    }
  }
  const wants = lines.flatMap((line, index) => wantsOf(command, line, index));
  const taken = takeAll(state, wants, at);
  if ('shortages' in taken) throw refuseShortages(taken.shortages);
  const sold = withIssues(lines, taken.issues);
  const number = state.lastSale + 1;
  return [
    {
      type: 'SaleCompleted',
      data: {
        saleId,
        number,
        customerId,
        locationId,
        occurredAt,
        occurredOn,
        lines: sold,
        ...(kits.length > 0 ? { kits: [...kits] } : {}),
        payments: [...payments],
        total,
      },
    },
  ];
}

function expectGoodsKept(state: Inventory, lines: readonly SoldLine[]): void {
  const taken = lines.flatMap(({ goods }, line) => goods.map(({ variantId }) => ({ variantId, line })));
  const named = taken.map(({ variantId }) => variantId);
  expectKept(state, named, (index) => `items[${String(taken[index]?.line ?? 0)}].variantId`);
}

function wantsOf(command: CompleteSale, line: SoldLine, lineIndex: number): Wanted[] {
  const { saleId, locationId, allowNegativeStock } = command;
  return line.goods.map(({ variantId, quantity }, index) => ({
    variantId,
    locationId,
    quantity,
    expiryFirst: command.expiryFirst?.has(variantId) === true,
    lotCode: line.lotCode ?? undefined,
    debt: allowNegativeStock
      ? { debtId: `${saleId}/${String(lineIndex)}/${String(index)}`, line: lineIndex }
      : undefined,
  }));
}

function withIssues(lines: readonly SoldLine[], issues: readonly Issue[]): SaleLine[] {
  let next = 0;
  return lines.map((line) => {
    const own = issues.slice(next, next + line.goods.length);
    next += line.goods.length;
    return {
      variantId: line.variantId,
      productId: line.productId,
      description: line.description,
      unit: line.unit,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      discount: line.discount,
      total: line.total,
      issues: own,
    };
  });
}
