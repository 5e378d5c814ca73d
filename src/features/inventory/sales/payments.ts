import { Decimal } from '../../../kernel/values/decimal.js';
import type { Commands } from '../../../kernel/lanes/commands.js';
import type { CardFeeBook, CardPayment, PaymentFee } from '../../contracts/card-fee-book.js';
import type { Payment } from '../events.js';
import type { NewSale } from './bodies.js';

type NewPayment = NewSale['payments'][number];

const NO_CARD = { feePercent: null, fee: Decimal.zero, feePending: false, feeTerms: null };

function cardPaymentOf(payment: NewPayment, index: number): CardPayment | undefined {
  const { method, amount, cardBrandId, installments = 1 } = payment;
  if (method !== 'DEBIT' && method !== 'CREDIT') return undefined;
  return {
    amount,
    cardBrandId: cardBrandId ?? null,
    cardType: method === 'DEBIT' ? 'debit' : 'credit',
    installments,
    path: `payments[${String(index)}]`,
  };
}

const recorded = (payment: NewPayment, card: CardPayment | undefined, fee: PaymentFee | typeof NO_CARD): Payment => ({
  method: payment.method,
  amount: payment.amount,
  cardBrandId: payment.cardBrandId ?? null,
  installments: card?.cardType === 'credit' ? card.installments : null,
  feePercent: fee.feePercent,
  fee: fee.fee,
  feePending: fee.feePending,
  feeTerms: fee.feeTerms,
  tendered: payment.tendered ?? null,
  authorizationCode: payment.authorizationCode ?? null,
  endToEndId: payment.endToEndId ?? null,
  description: payment.description ?? null,
});

/** As they are recorded, each card with the fee that it costs now and what that was computed with. */
export async function paymentsOf(
  book: CardFeeBook,
  context: Commands,
  { payments }: Pick<NewSale, 'payments'>,
): Promise<Payment[]> {
  const cards = payments.map(cardPaymentOf);
  const asked = cards.filter((card) => card !== undefined);
  if (asked.length === 0) return payments.map((payment) => recorded(payment, undefined, NO_CARD));
  const fees = await book.feesOf(context, asked);
  const feeOf = new Map(asked.map((card, index) => [card, fees[index]]));
  return payments.map((payment, index) => {
    const card = cards[index];
    return recorded(payment, card, (card && feeOf.get(card)) ?? NO_CARD);
  });
}
