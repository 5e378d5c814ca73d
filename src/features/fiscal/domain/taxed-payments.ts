import { Decimal } from '../../../kernel/values/decimal.js';
import type { TaxedPayment } from '../../contracts/sales-to-tax.js';
import type { NotePayment } from './note.js';

/** How a document was paid: what was given back reduces the payments from the last one backwards. */

export interface CardFacts {
  /** The layout's code of a brand, two digits. */
  readonly brandCodes: ReadonlyMap<string, string>;
  readonly acquirerTaxId: string | null;
}

export interface Paid {
  readonly payments: readonly NotePayment[];
  readonly change: Decimal;
}

const OTHER_BRAND = '99';

export function paidOf(payments: readonly TaxedPayment[], total: Decimal, cards: CardFacts): Paid {
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

function notePayment(payment: TaxedPayment, cards: CardFacts): NotePayment {
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

function cardOf(payment: TaxedPayment, { brandCodes, acquirerTaxId }: CardFacts): NotePayment['card'] {
  const { method, cardBrandId, authorizationCode, endToEndId } = payment;
  if (method === 'PIX' && endToEndId !== null) {
    return { brand: null, authorization: endToEndId, acquirerTaxId: null };
  }
  if (method !== 'CREDIT' && method !== 'DEBIT') return null;
  const brand = (cardBrandId !== null && brandCodes.get(cardBrandId)) || OTHER_BRAND;
  return { brand, authorization: authorizationCode, acquirerTaxId };
}
