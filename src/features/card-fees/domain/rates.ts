import { Decimal } from '../../../kernel/values/decimal.js';
import type { CardType, FrozenTerms } from '../events.js';

/** What a card payment costs: amount × percent + the machine's fixed part, in cents, half up. */

const CENTS = 2;

export interface PricedPayment {
  readonly amount: Decimal;
  readonly cardBrandId: string | null;
  readonly cardType: CardType;
  readonly installments: number;
}

interface AppliedRate {
  readonly feePercent: Decimal;
  readonly fixedFee: Decimal;
  /** Whose rate it is: the brand's own on the machine, the machine's general one, or none because fees are off. */
  readonly source: 'BRAND' | 'GENERAL' | 'OFF';
}

const OFF: AppliedRate = { feePercent: Decimal.zero, fixedFee: Decimal.zero, source: 'OFF' };

const keyOf = (cardBrandId: string | null, cardType: CardType, installments: number): string =>
  `${cardBrandId ?? ''}/${cardType}/${String(installments)}`;

/** The rates of one machine, each found at once. */
export class RateTable {
  private readonly percents = new Map<string, Decimal>();

  constructor(private readonly terms: FrozenTerms) {
    for (const { cardBrandId, cardType, installments, feePercent } of terms.account?.rates ?? []) {
      if (feePercent) this.percents.set(keyOf(cardBrandId, cardType, installments), feePercent);
    }
  }

  /** The brand's own rate, else the machine's general one; undefined where there is none. */
  rateOf({ cardBrandId, cardType, installments }: Omit<PricedPayment, 'amount'>): AppliedRate | undefined {
    const { enabled, account } = this.terms;
    if (!enabled) return OFF;
    if (!account) return undefined;
    const { fixedFee } = account;
    const own = cardBrandId === null ? undefined : this.percents.get(keyOf(cardBrandId, cardType, installments));
    if (own) return { feePercent: own, fixedFee, source: 'BRAND' };
    const general = this.percents.get(keyOf(null, cardType, installments));
    return general && { feePercent: general, fixedFee, source: 'GENERAL' };
  }
}

export const feeOf = (
  amount: Decimal,
  { feePercent, fixedFee }: Pick<AppliedRate, 'feePercent' | 'fixedFee'>,
): Decimal => amount.times(feePercent).dividedBy(Decimal.hundred).plus(fixedFee).round(CENTS);
