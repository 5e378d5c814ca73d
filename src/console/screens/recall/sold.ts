import type { GroupedWay } from './grouped-way.js';
import type { RecallAnswer } from './recall-answer.js';

/** What left the store from some groups of lots. */
interface Sold {
  readonly id: string;
  readonly from: readonly string[];
  readonly amount: number;
  readonly unit: string | null;
  /** Undefined where only the quantity is known: sales are many, and the answer holds the first of them. */
  readonly sales?: number;
  readonly people?: number;
}

/** What was sold from each group of the picture, by its sales where all of them are known and by the mass balance otherwise. */
export const soldOf = (answer: RecallAnswer, way: GroupedWay): readonly Sold[] =>
  answer.sales.length < answer.total ? byBalance(answer, way) : bySales(answer, way);

interface Counted {
  sales: number;
  amount: number;
  readonly unit: string | null;
  readonly people: Set<string>;
}

function bySales({ sales }: RecallAnswer, way: GroupedWay): readonly Sold[] {
  const groups = new Map<string, Counted>();
  for (const { lotId, netQuantity, unit, customer } of sales) {
    const group = way.groupOf(lotId);
    if (group === undefined) continue;
    const sold = groups.get(group) ?? { sales: 0, amount: 0, unit, people: new Set<string>() };
    sold.sales++;
    sold.amount += netQuantity;
    if (customer) sold.people.add(customer.id);
    groups.set(group, sold);
  }
  return [...groups].map(([group, { people, ...counted }]) => ({
    ...counted,
    id: `sold-${group}`,
    from: [group],
    people: people.size,
  }));
}

function byBalance({ massBalances }: RecallAnswer, way: GroupedWay): readonly Sold[] {
  const amounts = new Map<string, { amount: number; readonly unit: string | null }>();
  for (const { variantId, unit, soldNet } of massBalances) {
    amounts.set(variantId, { amount: (amounts.get(variantId)?.amount ?? 0) + soldNet, unit });
  }
  return [...amounts].flatMap(([variantId, { amount, unit }]) => {
    const from = way.groups.filter(({ members }) => members[0]?.variantId === variantId && members[0].kind === 'LOT');
    if (amount <= 0 || from.length === 0) return [];
    return [{ id: `sold-${variantId}`, from: from.map(({ id }) => id), amount, unit }];
  });
}
