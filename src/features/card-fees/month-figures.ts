import { Decimal } from '../../kernel/values/decimal.js';
import type { CardFees } from './domain/state.js';
import { brandOf } from './domain/state.js';
import type { FrozenTerms } from './events.js';
import { RateTable } from './domain/rates.js';
import { Recalculation } from './domain/recalculation.js';
import type { MonthAsOf, MonthReads, ShownPayment } from './month.js';
import { paymentsOf } from './month.js';

/** What the month would cost with these rates. */
export async function previewOf(reads: MonthReads, as: MonthAsOf, terms: FrozenTerms) {
  const recalculation = new Recalculation(new RateTable(terms));
  for await (const { payments } of paymentsOf(reads, as)) {
    for (const payment of payments) recalculation.add(payment, false);
  }
  return recalculation.progress;
}

/** What was paid with cards in the month, all fees apart. */
export async function volumeOf(reads: MonthReads, as: MonthAsOf): Promise<Decimal> {
  let volume = Decimal.zero;
  for await (const { payments } of paymentsOf(reads, as)) {
    volume = volume.plus(Decimal.sum(payments.map(({ amount }) => amount)));
  }
  return volume;
}

const PERCENT_DECIMALS = 4;

/** Payments of one machine, brand and type of card. */
class Group {
  private payments = 0;
  private pending = 0;
  private gross = Decimal.zero;
  private charged = Decimal.zero;
  private fee = Decimal.zero;

  add({ amount, fee }: ShownPayment): void {
    this.payments += 1;
    this.gross = this.gross.plus(amount);
    if (fee) {
      this.charged = this.charged.plus(amount);
      this.fee = this.fee.plus(fee);
    } else {
      this.pending += 1;
    }
  }

  get figures() {
    return {
      payments: this.payments,
      gross: this.gross.toNumber(),
      fee: this.fee.toNumber(),
      effectivePercent: this.charged.isZero
        ? null
        : this.fee.timesRatio(Decimal.hundred, this.charged, PERCENT_DECIMALS).toNumber(),
      pending: this.pending,
    };
  }
}

/** What the month's card payments cost by machine, brand and type of card; names are those of today where there are any. */
export async function summaryOf(reads: MonthReads, as: MonthAsOf, fees: CardFees) {
  const total = new Group();
  const groups = new Map<string, { readonly of: ShownPayment; readonly group: Group }>();
  for await (const { payments } of paymentsOf(reads, as)) {
    for (const payment of payments) {
      const key = `${payment.terms.accountId ?? ''} ${payment.cardBrandId ?? ''} ${payment.cardType}`;
      let known = groups.get(key);
      if (!known) groups.set(key, (known = { of: payment, group: new Group() }));
      known.group.add(payment);
      total.add(payment);
    }
  }
  const rows = [...groups.values()].map(({ of: { terms, cardBrandId, cardType }, group }) => ({
    accountId: terms.accountId,
    accountName: fees.accounts.get(terms.accountId ?? '')?.name ?? terms.accountName,
    cardBrandId,
    brandName: brandOf(fees, cardBrandId)?.name ?? null,
    cardType,
    ...group.figures,
  }));
  const named = (row: (typeof rows)[number]) => `${row.accountName ?? '~'} ${row.brandName ?? '~'} ${row.cardType}`;
  return { total: total.figures, rows: rows.sort((a, b) => (named(a) < named(b) ? -1 : 1)) };
}
