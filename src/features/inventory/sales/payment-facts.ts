import { z } from 'zod';
import { storedDecimal } from '../../../kernel/values/fields.js';

const text = z.string();
const optionalText = z.string().nullable();

export const PAYMENT_METHODS = ['CASH', 'DEBIT', 'CREDIT', 'PIX', 'OTHER'] as const;

/** Whose rate counted: the brand's own on the machine, the machine's general one, none because fees are off, none because there is none. */
const FEE_SOURCES = ['BRAND', 'GENERAL', 'OFF', 'NONE'] as const;

/** A payment of a sale as it is recorded. */
export const payment = z.object({
  method: z.enum(PAYMENT_METHODS),
  amount: storedDecimal,
  cardBrandId: optionalText,
  installments: z.int().nullable(),
  feePercent: storedDecimal.nullable(),
  fee: storedDecimal.nullable(),
  feePending: z.boolean(),
  /** What the fee of a card was computed with; null of what is no card, and while there is no machine. */
  feeTerms: z
    .object({
      accountId: text.nullable(),
      accountName: text.nullable(),
      source: z.enum(FEE_SOURCES),
      fixedFee: storedDecimal,
    })
    .nullable(),
  /** What the customer handed over in cash: the change is the rest. */
  tendered: storedDecimal.nullable(),
  authorizationCode: optionalText,
  endToEndId: optionalText,
  description: optionalText,
});

const UNKNOWN_OF_OLD_PAYMENTS = {
  feeTerms: null,
  tendered: null,
  authorizationCode: null,
  endToEndId: null,
  description: null,
};

/** Sales used to say less of their payments, and of cards no fee. */
export const withWholePayments = (data: unknown): unknown => {
  const { payments, ...sale } = data as { readonly payments: readonly object[] };
  return { ...sale, payments: payments.map((old) => ({ ...old, ...UNKNOWN_OF_OLD_PAYMENTS })) };
};
