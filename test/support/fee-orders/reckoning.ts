/** What a card payment costs, in whole numbers: cents, and ten thousandths of a percent. */

export interface CardTerms {
  readonly enabled: boolean;
  readonly account: {
    readonly fixedFee: string;
    readonly rates: readonly {
      readonly cardBrandId: string | null;
      readonly cardType: string;
      readonly installments: number;
      readonly feePercent: string | null;
    }[];
  } | null;
}

interface Priced {
  readonly amount: bigint;
  readonly cardBrandId: string | null;
  readonly cardType: string;
  readonly installments: number;
}

function scaled(text: string, decimals: number): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(decimals, '0'));
}

export const cents = (text: string): bigint => scaled(text, 2);

const PERCENT_DECIMALS = 4;
/** A hundred percent. */
const WHOLE = 100n * 10_000n;

/** Null where there is no rate. */
export function feeIn({ enabled, account }: CardTerms, payment: Priced): bigint | null {
  if (!enabled) return 0n;
  if (!account) return null;
  const of = (brand: string | null) =>
    account.rates.find(
      ({ cardBrandId, cardType, installments, feePercent }) =>
        cardBrandId === brand &&
        cardType === payment.cardType &&
        installments === payment.installments &&
        feePercent !== null,
    )?.feePercent;
  const percent = (payment.cardBrandId === null ? undefined : of(payment.cardBrandId)) ?? of(null);
  if (percent === null || percent === undefined) return null;
  const share = payment.amount * scaled(percent, PERCENT_DECIMALS);
  return (2n * share + WHOLE) / (2n * WHOLE) + cents(account.fixedFee);
}
