import { expect, test } from '@jest/globals';
import { consoleModule } from '../support/console-module.js';

interface Sold {
  readonly id: string;
  readonly from: readonly string[];
  readonly amount: number;
  readonly sales?: number;
  readonly people?: number;
}
type SoldOf = (answer: object, way: object) => readonly Sold[];

const { soldOf } = await consoleModule<{ soldOf: SoldOf }>('screens/recall/sold.ts');

const way = {
  groups: [
    { id: 'flour', kind: 'lot', members: [{ id: 'lot-1', kind: 'LOT', variantId: 'variant-1' }] },
    { id: 'bread', kind: 'lot', members: [{ id: 'lot-2', kind: 'LOT', variantId: 'variant-2' }] },
  ],
  groupOf: (lotId: string) => (lotId === 'lot-1' ? 'flour' : 'bread'),
};
const sale = (lotId: string, netQuantity: number, customer: string | null) => ({
  lotId,
  netQuantity,
  unit: 'KG',
  customer: customer === null ? null : { id: customer },
});
const balance = (variantId: string, soldNet: number) => ({ variantId, unit: 'KG', soldNet });

test('where all sales are known, each group says how many sold it, and to how many', () => {
  const sales = [sale('lot-2', 2, 'ana'), sale('lot-2', 3, 'ana'), sale('lot-1', 1, null)];
  expect(soldOf({ sales, total: 3, massBalances: [] }, way)).toEqual([
    { id: 'sold-bread', from: ['bread'], amount: 5, unit: 'KG', sales: 2, people: 1 },
    { id: 'sold-flour', from: ['flour'], amount: 1, unit: 'KG', sales: 1, people: 0 },
  ]);
});

test('where sales are more than the answer holds, the mass balance says how much was sold of all', () => {
  const answer = {
    sales: [sale('lot-2', 2, 'ana')],
    total: 40_000,
    massBalances: [balance('variant-1', 0), balance('variant-2', 90_000)],
  };
  expect(soldOf(answer, way)).toEqual([{ id: 'sold-variant-2', from: ['bread'], amount: 90_000, unit: 'KG' }]);
});

interface Told {
  readonly title: string;
  readonly fine: readonly string[];
}
type ToldApart = (nodes: readonly (Told & { readonly more?: string })[]) => readonly Told[];

const { toldApart } = await consoleModule<{ toldApart: ToldApart }>('screens/recall/told-apart.ts');
const told = (title: string, ...fine: string[]): Told => ({ title, fine });

test('what would read alike in the picture says more, and is numbered where that is alike as well', () => {
  const nodes = [
    { ...told('Farinha', 'L-1'), more: '01/10/2026' },
    { ...told('Farinha', 'L-1'), more: '02/10/2026' },
    { ...told('Farinha', 'L-1'), more: '02/10/2026' },
    { ...told('Farinha', 'L-2'), more: '02/10/2026' },
    told('3 vendas'),
    told('3 vendas'),
  ];
  expect(toldApart(nodes)).toEqual([
    told('Farinha', 'L-1', '01/10/2026'),
    told('Farinha', 'L-1', '02/10/2026', '1'),
    told('Farinha', 'L-1', '02/10/2026', '2'),
    told('Farinha', 'L-2'),
    told('3 vendas', '1'),
    told('3 vendas', '2'),
  ]);
});
