import { Decimal } from '../../../kernel/values/decimal.js';
import type { BatchProgress, FeeChanges } from '../events.js';
import { NO_PROGRESS, addProgress } from '../events.js';
import type { PricedPayment, RateTable } from './rates.js';
import { feeOf } from './rates.js';

/** A card payment with the fee in force. */
export interface PaymentInForce extends PricedPayment {
  readonly saleId: string;
  readonly number: number;
  readonly occurredOn: string;
  /** Which payment of the sale, from 0. */
  readonly payment: number;
  /** Null while it is pending. */
  readonly fee: Decimal | null;
  readonly feePercent: Decimal | null;
}

type MutableChanges = Omit<FeeChanges, 'payments'> & { readonly payments: FeeChanges['payments'] };

/** What some payments come to under other rates: the same for a preview and for a job. */
export class Recalculation {
  private readonly byRate = new Map<string, MutableChanges>();
  private counted = NO_PROGRESS;

  constructor(private readonly rates: RateTable) {}

  get progress(): BatchProgress {
    return this.counted;
  }

  get changes(): FeeChanges[] {
    return [...this.byRate.values()];
  }

  /** Without `noting` nothing is remembered of the payment but its figures. */
  add(payment: PaymentInForce, noting: boolean): void {
    const { amount, fee: previousFee } = payment;
    const before = previousFee ?? Decimal.zero;
    const rate = this.rates.rateOf(payment);
    if (!rate) {
      this.count({ failed: 1 }, amount, before, before);
      return;
    }
    const fee = feeOf(amount, rate);
    if (previousFee?.equals(fee) === true) {
      this.count({ skipped: 1 }, amount, before, fee);
      return;
    }
    this.count({ updated: 1 }, amount, before, fee);
    if (noting) this.note(payment, rate, fee);
  }

  private count(outcome: Partial<BatchProgress>, grossTotal: Decimal, feeBefore: Decimal, feeAfter: Decimal): void {
    this.counted = addProgress(this.counted, { ...NO_PROGRESS, ...outcome, grossTotal, feeBefore, feeAfter });
  }

  private note(
    { occurredOn, feePercent: previousFeePercent, saleId, number, payment, fee: previousFee }: PaymentInForce,
    { feePercent, fixedFee }: { readonly feePercent: Decimal; readonly fixedFee: Decimal },
    fee: Decimal,
  ): void {
    const key = [occurredOn, previousFeePercent, feePercent, fixedFee].join('/');
    let changes = this.byRate.get(key);
    if (!changes) {
      changes = { occurredOn, previousFeePercent, feePercent, fixedFee, payments: [] };
      this.byRate.set(key, changes);
    }
    changes.payments.push({ saleId, number, payment, previousFee, fee });
  }
}
