import { Decimal } from '../../../src/kernel/values/decimal.js';
import { grouped } from '../../../src/kernel/values/grouped.js';
import type { Contributions } from '../../../src/ports/read-models.js';

/** What sales come to by the day on which they occurred, and of each day by product and by way of payment. */

export const SUMMED_BY = ['day', 'product', 'payment'] as const;
export type SummedBy = (typeof SUMMED_BY)[number];

/** What is counted of each; `returned` is what came back of what was sold, which is `gross`. */
export interface SalesTotals {
  readonly sales?: number;
  readonly gross?: number;
  readonly returned?: number;
  /** How much of a product was sold and not returned. */
  readonly quantity?: number;
}

/** What of a sale is summed. */
interface SummedSale {
  readonly status: 'COMPLETED' | 'CANCELLED';
  readonly occurredOn: string;
  readonly items: readonly { readonly productId: string; readonly quantity: number; readonly total: number }[];
  readonly returns: readonly {
    readonly items: readonly { readonly line: number; readonly quantity: number; readonly total: number }[];
  }[];
  readonly payments: readonly { readonly method: string; readonly amount: number }[];
  readonly total: number;
  readonly returnedTotal: number;
}

/** What totals are of, by their id: a day, a product, a way of payment. */
export const keyOfTotals = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** The ids of the totals of these days, both included, lie between. */
export const idsOfDays = (by: SummedBy, firstDay: string, lastDay: string) => ({
  from: `${by}/${firstDay}`,
  before: `${by}/${lastDay}0`,
});

const sumOf = (numbers: readonly number[]): number =>
  numbers.length === 1 ? (numbers[0] ?? 0) : Decimal.sum(numbers.map((one) => Decimal.from(one))).toNumber();

/** A cancelled sale counts nowhere. */
export function salesTotals(sale: SummedSale): Contributions {
  if (sale.status === 'CANCELLED') return [];
  const { occurredOn, total, returnedTotal } = sale;
  const ofDay = (by: SummedBy, counted: Contributions): Contributions =>
    counted.map(([key, counters]) => [`${by}/${occurredOn}/${key}`, counters]);
  return [
    [`day/${occurredOn}`, { sales: 1, gross: total, returned: returnedTotal }],
    ...ofDay('product', byProduct(sale)),
    ...ofDay('payment', byPayment(sale)),
  ];
}

function byProduct({ items, returns }: SummedSale): Contributions {
  const back = returns.flatMap((one) => one.items);
  return [...grouped(items, ({ productId }) => productId)].map(([productId, sold]) => {
    const returned = back.filter(({ line }) => items[line]?.productId === productId);
    const counters = {
      sales: 1,
      gross: sumOf(sold.map(({ total }) => total)),
      returned: sumOf(returned.map(({ total }) => total)),
      quantity: sumOf([...sold.map(({ quantity }) => quantity), ...returned.map(({ quantity }) => -quantity)]),
    };
    return [productId, counters] as const;
  });
}

/** What came back is taken from the payments backwards, as in fiscal documents. */
function byPayment({ payments, returnedTotal }: SummedSale): Contributions {
  let left = Decimal.from(returnedTotal);
  const shares = [...payments].reverse().map(({ method, amount }) => {
    const returned = left.min(Decimal.from(amount));
    left = left.minus(returned);
    return { method, gross: amount, returned: returned.toNumber() };
  });
  return [...grouped(shares, ({ method }) => method)].map(([method, paid]) => {
    const gross = sumOf(paid.map((share) => share.gross));
    return [method, { sales: 1, gross, returned: sumOf(paid.map(({ returned }) => returned)) }] as const;
  });
}
