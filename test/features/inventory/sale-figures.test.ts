import { expect, test } from '@jest/globals';
import { figuresOf } from '../../../src/features/inventory/sales/costs.js';

type Priced = Parameters<typeof figuresOf>[0];

const saleOf = (
  totals: readonly number[],
  { fees = [], refunds = [], status = 'COMPLETED' }: Partial<Record<'fees' | 'refunds', unknown[]>> & Partial<Priced>,
): Priced => ({
  status,
  items: totals.map((total) => ({ total })) as unknown as Priced['items'],
  payments: fees.map((fee) => ({ fee })) as unknown as Priced['payments'],
  returns: [{ items: refunds }] as unknown as Priced['returns'],
});

const shown = (sale: Priced, costs: readonly string[]) =>
  figuresOf(sale, costs).map(({ revenue, cost, fees, margin }) => [revenue, cost, fees.join('+'), margin].map(String));

test('a line leaves what it brought, less refunds, its cost and its share of each fee, to the cent', () => {
  const fees = [0.1, null, 0, 0.02];
  const sale = saleOf([10, 5], {
    fees,
    refunds: [
      { line: 1, total: 1.5 },
      { line: 1, total: 0.5 },
    ],
  });
  expect(shown(sale, ['3.333', '1.111'])).toEqual([
    ['10', '3.33', '0.07+0+0+0.01', '6.59'],
    ['3', '1.11', '0.03+0+0+0.01', '1.85'],
  ]);
});

test('a cancelled sale brings nothing and bears no fees', () => {
  const sale = saleOf([10, 5], { fees: [0.1], status: 'CANCELLED' });
  expect(shown(sale, ['0', '0'])).toEqual([
    ['0', '0', '0', '0'],
    ['0', '0', '0', '0'],
  ]);
});

test('what was given away leaves less than nothing', () => {
  expect(shown(saleOf([0, 0], { fees: [0.3] }), ['2', '0'])).toEqual([
    ['0', '2', '0', '-2'],
    ['0', '0', '0', '0'],
  ]);
});
