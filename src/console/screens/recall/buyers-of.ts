import type { RecallAnswer } from './recall-answer.js';

type SoldRow = RecallAnswer['sales'][number];

/** Somebody who is to be told, with all that they still have of it. */
export interface Buyer {
  readonly customer: NonNullable<SoldRow['customer']>;
  readonly goods: readonly Pick<SoldRow, 'variantId' | 'description' | 'unit' | 'netQuantity'>[];
  readonly lastSoldAt: string;
}

/** Who bought something, each once, however often they came; what they brought back is not theirs any more. */
export function buyersOf(sales: readonly SoldRow[]): readonly Buyer[] {
  const buyers = new Map<string, Buyer>();
  for (const { customer, soldAt, variantId, description, unit, netQuantity } of sales) {
    if (!customer) continue;
    const { goods = [], lastSoldAt = soldAt } = buyers.get(customer.id) ?? {};
    const before = goods.find((one) => one.variantId === variantId)?.netQuantity ?? 0;
    const sum = { variantId, description, unit, netQuantity: before + netQuantity };
    buyers.set(customer.id, {
      customer,
      goods: [...goods.filter((one) => one.variantId !== variantId), sum],
      lastSoldAt: soldAt > lastSoldAt ? soldAt : lastSoldAt,
    });
  }
  return [...buyers.values()];
}
