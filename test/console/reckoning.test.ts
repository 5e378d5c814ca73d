import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pricedItems } from '../../src/features/inventory/sales/amounts.js';
import { reprice } from '../../src/features/products/domain/price.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { consoleModule } from '../support/console-module.js';

/** What the console works out while people type is what the service makes of it, to the cent. */

interface Pricing {
  repriced(
    prices: { readonly managerialCost: string; readonly profitMargin: string; readonly priceCash: string },
    changed: 'profitMargin',
    typed: string,
  ): { readonly priceCash?: string };
}
interface Cart {
  readonly emptyCart: object;
  lineCents(line: object, prices: 'cash'): number;
  withScanned(
    cart: object,
    scanned: object,
    factor: number,
    how: { readonly id: string; readonly write: (value: number) => string },
  ): { readonly lines: readonly [{ readonly quantity: string }] };
}

/** What the modules read when they are loaded, which no page is there to give. */
beforeAll(() => {
  Object.assign(globalThis, {
    location: { search: '?lang=pt-BR' },
    localStorage: { getItem: () => null },
    document: { documentElement: {} },
  });
});

const scaled = (units: number, decimals: number): string => (units / 10 ** decimals).toFixed(decimals);
const typed = (text: string): string => text.replace('.', ',');

/** What the service makes of a new margin. */
const priceByMargin = (cost: string, margin: string): string => {
  const before = { managerialCost: Decimal.from(cost), profitMargin: Decimal.zero, priceCash: Decimal.from(cost) };
  return reprice(before, { profitMargin: Decimal.from(margin) }).priceCash.toFixed(2);
};

const lineByService = (quantity: string, unitPrice: string): number => {
  const variantId = '01a0a55e-1a2b-78c3-a4c8-4f01fd68009c';
  const [line] = pricedItems({
    items: [{ variantId, quantity: Decimal.from(quantity), unitPrice: Decimal.from(unitPrice) }],
  });
  return line?.total.times(Decimal.hundred).toNumber() ?? NaN;
};

describe('what the console works out', () => {
  test('a margin makes the price that the service would make of it, also where that is half a cent', async () => {
    const { repriced } = await consoleModule<Pricing>('screens/products/pricing.ts');
    const shown = (cost: string, margin: string) =>
      repriced({ managerialCost: typed(cost), profitMargin: '', priceCash: '' }, 'profitMargin', typed(margin))
        .priceCash;
    expect(shown('1.15', '50')).toBe('1,73');
    const margins = fc.oneof(
      fc.constantFrom('15', '25', '30', '45', '50', '75', '150'),
      fc.integer({ min: 0, max: 9_999_999 }).map((units) => scaled(units, 4)),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), margins, (units, margin) => {
        const cost = scaled(units, 2);
        expect(shown(cost, margin)).toBe(typed(priceByMargin(cost, margin)));
      }),
      { examples: [[115, '50']] },
    );
  });

  test('a line at the till costs what it will cost in the sale, with as many decimals as a quantity may have', async () => {
    const { lineCents } = await consoleModule<Cart>('screens/till/cart.ts');
    const atTill = (quantity: string, price: string) =>
      lineCents({ quantity: typed(quantity), priceCash: Number(price), discount: '' }, 'cash');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 1, max: 100_000 }), (quantity, price) => {
        const [goods, each] = [scaled(quantity, 6), scaled(price, 2)];
        expect(atTill(goods, each)).toBe(lineByService(goods, each));
      }),
      { examples: [[480_392, 51]] },
    );
  });

  test('what bears a label of a scale with its price costs what the label says', async () => {
    const { emptyCart, lineCents, withScanned } = await consoleModule<Cart>('screens/till/cart.ts');
    const scan = (priceCash: number, total: number, factor: number) => {
      const variants = [{ id: 'ham', label: null, stockQty: 10 }];
      const product = { description: 'Presunto', saleUnit: 'KG', priceCash, priceCredit: 0, variants };
      const how = { id: 'line', write: (value: number) => typed(String(value)) };
      return withScanned(emptyCart, { product, variantId: 'ham', total }, factor, how).lines[0];
    };
    expect(lineCents(scan(18.9, 5, 1), 'cash')).toBe(500);
    expect(scan(20, 5, 1).quantity).toBe('0,25');
    fc.assert(
      fc.property(
        fc.integer({ min: 50, max: 100_000 }),
        fc.integer({ min: 1, max: 99_999 }),
        fc.constantFrom(1, 1, 2, 3),
        (price, total, factor) => {
          expect(lineCents(scan(price / 100, total / 100, factor), 'cash')).toBe(total * factor);
        },
      ),
    );
  });
});
