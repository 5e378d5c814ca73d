import { Decimal } from '../../kernel/values/decimal.js';
import { Rejection, notFoundAt } from '../../kernel/events/rejection.js';
import { memoise } from '../../kernel/values/memoise.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import { CARD_BRAND_INACTIVE, TOO_MANY_INSTALLMENTS } from '../contracts/card-fee-book.js';
import type { CardFeeBook, CardPayment, PaymentFee } from '../contracts/card-fee-book.js';
import { cardFees } from './decider.js';
import { RateTable, feeOf } from './domain/rates.js';
import type { CardFees } from './domain/state.js';
import { acquirerOf, brandOf, termsOf, withFirst } from './domain/state.js';
import { boundedCache } from '../../kernel/values/bounded-cache.js';

/** The first state of stores that have recorded nothing; every sale asks. */
const firsts = boundedCache<CardFees>(10_000);

/** The card fees of the context's store at the head of their stream, what a store has from its beginning included. */
export async function cardFeesOf(context: Commands): Promise<CardFees> {
  const { storeId } = context;
  const recorded = await context.current(cardFees);
  if (recorded.opened) return recorded;
  const known = firsts.get(storeId) ?? withFirst(recorded, storeId);
  firsts.set(storeId, known);
  return known;
}

const pricesOf = memoise((fees: CardFees) => {
  const terms = termsOf(fees);
  return { account: terms.account, rates: new RateTable(terms) };
});

/** Refuses what the store does not take. */
function expectTaken({ brands, settings }: CardFees, payments: readonly CardPayment[]): void {
  const unknown: string[] = [];
  const inactive: string[] = [];
  const long: string[] = [];
  for (const { cardBrandId, installments, path } of payments) {
    const brand = cardBrandId === null ? undefined : brands.get(cardBrandId);
    if (cardBrandId !== null && !brand) unknown.push(`${path}.cardBrandId`);
    if (brand && !brand.active) inactive.push(`${path}.cardBrandId`);
    if (installments > settings.maxInstallments) long.push(`${path}.installments`);
  }
  const errors = (paths: readonly string[], message: string) => ({ errors: paths.map((path) => ({ path, message })) });
  if (unknown.length > 0) throw notFoundAt(...unknown);
  if (inactive.length > 0) {
    throw new Rejection(CARD_BRAND_INACTIVE, undefined, errors(inactive, 'names a brand that is not active'));
  }
  if (long.length > 0) {
    const most = `must be at most ${String(settings.maxInstallments)}`;
    throw new Rejection(TOO_MANY_INSTALLMENTS, undefined, errors(long, most));
  }
}

function feeFor(fees: CardFees, payment: CardPayment): PaymentFee {
  const { account, rates } = pricesOf(fees);
  const { id: accountId = null, name: accountName = null } = account ?? {};
  const rate = rates.rateOf(payment);
  if (!rate) {
    const feeTerms = { accountId, accountName, source: 'NONE', fixedFee: Decimal.zero } as const;
    return { feePercent: null, fee: null, feePending: true, feeTerms };
  }
  const { feePercent, fixedFee, source } = rate;
  const feeTerms = { accountId, accountName, source, fixedFee };
  return { feePercent, fee: feeOf(payment.amount, rate), feePending: false, feeTerms };
}

const TBAND_DIGITS = 2;

/** What other features ask of the card fees. */
export const cardFeeBook: CardFeeBook = {
  async feesOf(context, payments) {
    const fees = await cardFeesOf(context);
    expectTaken(fees, payments);
    return payments.map((payment) => feeFor(fees, payment));
  },
  async partiesOf(context, { cardBrandId, accountId }) {
    const fees = await cardFeesOf(context);
    const brand = brandOf(fees, cardBrandId);
    const acquirer = acquirerOf(fees, accountId);
    return {
      brandName: brand?.name ?? null,
      tBand: brand?.tBand?.padStart(TBAND_DIGITS, '0') ?? null,
      acquirerTaxId: acquirer?.acquirerTaxId ?? null,
      terminalId: acquirer?.terminalId ?? null,
    };
  },
};
