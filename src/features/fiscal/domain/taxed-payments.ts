import { Decimal } from '../../../kernel/values/decimal.js';
import type { TaxedPayment } from '../../contracts/sales-to-tax.js';
import type { NotePayment } from './note.js';

/** How a document was paid: what was given back reduces the payments from the last one backwards. */

/** Whose card and whose machine it was. */
export interface CardFacts {
  /** The layout's code of the brand, two digits. */
  readonly brandCode: string | null;
  readonly acquirerTaxId: string | null;
}

export type CardFactsOf = (payment: Pick<TaxedPayment, 'cardBrandId' | 'accountId'>) => CardFacts;

interface Paid {
  readonly payments: readonly NotePayment[];
  readonly change: Decimal;
}

const OTHER_BRAND = '99';

export function paidOf(payments: readonly TaxedPayment[], total: Decimal, cards: CardFactsOf): Paid {
  const kept = reduced(payments, total);
  if (kept.length === 0) return { payments: [nothingPaid], change: Decimal.zero };
  const notes = kept.map((payment) => notePayment(payment, cards));
  return { payments: notes, change: Decimal.sum(kept.map(changeOf)) };
}

const nothingPaid: NotePayment = { code: '01', description: null, amount: Decimal.zero, later: false, card: null };

/** A payment that was reduced is told without the change of it: more was handed over for goods that came back. */
function reduced(payments: readonly TaxedPayment[], total: Decimal): readonly TaxedPayment[] {
  let excess = Decimal.sum(payments.map(({ amount }) => amount)).minus(total);
  const kept: TaxedPayment[] = [];
  for (const payment of [...payments].reverse()) {
    const taken = excess.isPositive ? excess.min(payment.amount) : Decimal.zero;
    excess = excess.minus(taken);
    const amount = payment.amount.minus(taken);
    if (!amount.isPositive) continue;
    kept.unshift(taken.isZero ? payment : { ...payment, amount, tendered: null });
  }
  return kept;
}

const changeOf = ({ amount, tendered }: TaxedPayment): Decimal =>
  tendered === null ? Decimal.zero : tendered.minus(amount).max(Decimal.zero);

function notePayment(payment: TaxedPayment, cards: CardFactsOf): NotePayment {
  const { method, installments, description } = payment;
  return {
    code: codeOf(payment),
    description: method === 'OTHER' ? description : null,
    amount: payment.amount.plus(changeOf(payment)),
    later: method === 'CREDIT' && (installments ?? 1) > 1,
    card: cardOf(payment, cards),
  };
}

function codeOf({ method, endToEndId }: TaxedPayment): string {
  switch (method) {
    case 'CASH':
      return '01';
    case 'CREDIT':
      return '03';
    case 'DEBIT':
      return '04';
    case 'PIX':
      return endToEndId === null ? '20' : '17';
    case 'OTHER':
      return '99';
  }
}

function cardOf(payment: TaxedPayment, cards: CardFactsOf): NotePayment['card'] {
  const { method, authorizationCode, endToEndId } = payment;
  if (method === 'PIX' && endToEndId !== null) {
    return { brand: null, authorization: endToEndId, acquirerTaxId: null };
  }
  if (method !== 'CREDIT' && method !== 'DEBIT') return null;
  const { brandCode, acquirerTaxId } = cards(payment);
  return { brand: brandCode ?? OTHER_BRAND, authorization: authorizationCode, acquirerTaxId };
}
