import { Decimal } from '../../../../kernel/values/decimal.js';
import type { InventoryEvent, InventoryFact, ReturnedLine, SaleLine } from '../../events.js';
import { settlementsOf } from '../../events.js';
import type { Outstanding } from '../../ledger/bringing-back.js';
import { afterComeback, afterSettling, outstandingOf } from '../../ledger/bringing-back.js';

/** One line of a sale after everything that happened to it. */
export interface LineAccount {
  readonly line: SaleLine;
  readonly returned: Decimal;
  readonly refunded: Decimal;
  /** One for each issue of the line. */
  readonly outstanding: readonly Outstanding[];
}

export interface SaleAccount {
  readonly sale: InventoryFact<'SaleCompleted'>;
  readonly lines: readonly LineAccount[];
  readonly cancelled: boolean;
  /** The fiscal document that it is being taxed with, or was. */
  readonly heldBy: string | null;
  /** The one whose place that took. */
  readonly heldBefore: string | null;
  /** Which attempt of the document it is held for; 0 where nothing says so. */
  readonly heldFor: number;
  /** Every lot that it took from, as often as it did; settled debts included. */
  readonly soldLots: readonly { readonly line: number; readonly lotId: string }[];
}

/** A sale as the facts tell it that touched it; undefined where it was never completed. */
export const saleAccount = (facts: readonly InventoryEvent[], saleId: string): SaleAccount | undefined =>
  facts.reduce<SaleAccount | undefined>(
    (account, event) => (account ? afterFact(account, event) : opened(event, saleId)),
    undefined,
  );

function opened(event: InventoryEvent, saleId: string): SaleAccount | undefined {
  if (event.type !== 'SaleCompleted' || event.data.saleId !== saleId) return undefined;
  const sale = event.data;
  const lines = sale.lines.map((line) => ({
    line,
    returned: Decimal.zero,
    refunded: Decimal.zero,
    outstanding: line.issues.map(outstandingOf),
  }));
  const soldLots = sale.lines.flatMap(({ issues }, line) =>
    issues.flatMap(({ takes }) => takes.map(({ lotId }) => ({ line, lotId }))),
  );
  return { sale, lines, cancelled: false, heldBy: null, heldBefore: null, heldFor: 0, soldLots };
}

function afterFact(account: SaleAccount, event: InventoryEvent): SaleAccount {
  const { saleId } = account.sale;
  if (event.type === 'SaleTaxingBegan' || event.type === 'SaleTaxingEnded') {
    if (event.data.saleId !== saleId) return account;
    const began = event.type === 'SaleTaxingBegan' ? event.data : undefined;
    const { documentId: heldBy = null, insteadOf: heldBefore = null, attempt: heldFor = 0 } = began ?? {};
    return { ...account, heldBy, heldBefore, heldFor };
  }
  const own = (event.type === 'SaleReturned' || event.type === 'SaleCancelled') && event.data.saleId === saleId;
  const given = own ? afterReturn(account, event.data.lines) : account;
  const settled = afterEntries(given, event);
  return own && event.type === 'SaleCancelled' ? { ...settled, cancelled: true } : settled;
}

const afterReturn = (account: SaleAccount, returned: readonly ReturnedLine[]): SaleAccount => ({
  ...account,
  lines: account.lines.map((own, index) =>
    returned.filter(({ line }) => line === index).reduce((current, back) => lineAfterReturn(current, back), own),
  ),
});

const lineAfterReturn = (account: LineAccount, back: ReturnedLine): LineAccount => ({
  ...account,
  returned: account.returned.plus(back.quantity),
  refunded: account.refunded.plus(back.total),
  outstanding: account.outstanding.map((outstanding) => afterComeback(outstanding, back)),
});

/** Entries, of whatever kind, that made good what the sale owed. */
function afterEntries(account: SaleAccount, event: InventoryEvent): SaleAccount {
  const { saleId } = account.sale;
  let { lines, soldLots } = account;
  for (const { entry, settled } of settlementsOf(event, 'SALE')) {
    if (settled.originId !== saleId) continue;
    const { line } = settled;
    soldLots = [...soldLots, { line, lotId: entry.lotId }];
    lines = lines.map((own, index) =>
      index === line ? { ...own, outstanding: own.outstanding.map((each) => afterSettling(each, entry)) } : own,
    );
  }
  return { ...account, lines, soldLots };
}
