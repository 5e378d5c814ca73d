import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SoldLotsDocument } from '../../../projections/traceability/sold-lots.js';
import { CountedSales } from '../../../src/features/traceability/counted-sales.js';
import type { KnownLot } from '../../../src/features/traceability/found-lots.js';
import type { SalesOfLots } from '../../../src/features/traceability/sales-of-lots.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

/** Sales of lots that are sold out are counted once, whatever happens to the others in the meantime. */

type Sale = Pick<SoldLotsDocument, 'saleId' | 'customerId' | 'soldAt'> & { readonly lots: readonly string[] };

const ZERO = Decimal.zero;

/** Lots that are sold by number, and what the read models say of them. */
class Shop {
  readonly sales = new Map<string, Sale>();
  readonly asked: string[] = [];
  private readonly lots = new Map<string, KnownLot>();

  /** What is known of a lot becomes another object with all that is written about it. */
  write(lotId: string, isLeft = (this.lots.get(lotId)?.held.length ?? 1) > 0): void {
    const sales = [...this.sales.values()].filter(({ lots }) => lots.includes(lotId)).length;
    const life = { entered: ZERO, sold: ZERO, consumed: ZERO, adjustedAway: ZERO, reversed: ZERO };
    const held = isLeft ? [{ lotId, locationId: 'shop', quantity: 1 }] : [];
    const label = { lotId, lotCode: lotId, variantId: 'bread' };
    this.lots.set(lotId, { ...label, sales, lines: sales, sold: ZERO, returned: ZERO, life, inStock: ZERO, held });
  }

  sell(sale: Sale): void {
    this.sales.set(sale.saleId, sale);
    for (const lotId of sale.lots) this.write(lotId);
  }

  cancel(saleId: string): void {
    const sale = this.sales.get(saleId);
    this.sales.delete(saleId);
    for (const lotId of sale?.lots ?? []) this.write(lotId);
  }

  get known(): readonly KnownLot[] {
    return [...this.lots.values()];
  }

  async count(counted: CountedSales): Promise<SalesOfLots> {
    const ids = [...this.lots.keys()];
    return (await counted.of(this.context, ids, Promise.resolve(this.known))).sales;
  }

  countedAnew(lotIds: Iterable<string> = this.lots.keys()): SalesOfLots {
    const some = this.of([...lotIds]);
    const customers = some.flatMap(({ customerId }) => customerId ?? []);
    const times = some.map(({ soldAt }) => soldAt).sort();
    return {
      sales: some.length,
      customers: new Set(customers).size,
      salesWithoutCustomer: some.length - customers.length,
      firstSaleAt: times[0] ?? null,
      lastSaleAt: times.at(-1) ?? null,
    };
  }

  private of(lotIds: readonly string[]): readonly Sale[] {
    return [...this.sales.values()].filter(({ lots }) => lots.some((lotId) => lotIds.includes(lotId)));
  }

  private get context(): RequestContext {
    const reads = {
      summarise: (_: unknown, { oneOf }: { oneOf: { values: string[] } }) => {
        this.asked.push('sums');
        const { sales, customers, salesWithoutCustomer, firstSaleAt, lastSaleAt } = this.countedAnew(oneOf.values);
        return Promise.resolve({
          count: sales,
          countWhere: salesWithoutCustomer,
          countDistinct: { customerId: customers },
          least: { soldAt: firstSaleAt },
          greatest: { soldAt: lastSaleAt },
        });
      },
      distinct: (_: unknown, { oneOf }: { oneOf: { values: string[] } }) => {
        const ids = this.of(oneOf.values).flatMap(({ customerId }) => customerId ?? []);
        return Promise.resolve([...new Set(ids)]);
      },
      findBodies: (_: unknown, { oneOf }: { oneOf: { values: string[] } }) => {
        this.asked.push(`sales of ${[...oneOf.values].sort().join()}`);
        const items = this.of(oneOf.values).map(({ lots, ...sale }) =>
          JSON.stringify({ ...sale, lines: lots.map((lotId, line) => [line, lotId, 'bread', 'shop', '1', '0']) }),
        );
        return Promise.resolve({ items, nextCursor: null });
      },
    };
    return { reads } as unknown as RequestContext;
  }
}

const LOTS = ['a', 'b', 'c', 'd', 'e', 'f'];
const lot = fc.constantFrom(...LOTS);

type Step = (shop: Shop) => void;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.uuid(),
        fc.constantFrom(null, 'ana', 'bia', 'caio'),
        fc.integer({ min: 10, max: 99 }),
        fc.uniqueArray(lot, { minLength: 1, maxLength: 3 }),
      )
      .map(([saleId, customerId, day, lots]): Step => (shop) => {
        shop.sell({ saleId, customerId, soldAt: `20${String(day)}`, lots });
      }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(lot, fc.boolean()).map(([lotId, isLeft]): Step => (shop) => {
      shop.write(lotId, isLeft);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.nat().map((place): Step => (shop) => {
      const ids = [...shop.sales.keys()];
      const id = ids[place % (ids.length || 1)];
      if (id !== undefined) shop.cancel(id);
    }),
  },
);

test('what is counted bit by bit is what is counted at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 40 }), async (steps) => {
      const shop = new Shop();
      const counted = new CountedSales();
      for (const [happens, isAsked] of steps) {
        happens(shop);
        if (isAsked) expect(await shop.count(counted)).toEqual(shop.countedAnew());
      }
      const [one, other] = await Promise.all([shop.count(counted), shop.count(counted)]);
      expect([one, other]).toEqual([shop.countedAnew(), shop.countedAnew()]);
    }),
    { numRuns: 1_000 },
  );
});

test('what was sold since of lots that are not sold out is all that is read', async () => {
  const shop = new Shop();
  const counted = new CountedSales();
  shop.sell({ saleId: '1', customerId: 'ana', soldAt: '2031', lots: ['a'] });
  shop.sell({ saleId: '2', customerId: null, soldAt: '2032', lots: ['a', 'b'] });
  shop.write('a', false);
  await shop.count(counted);
  await shop.count(counted);
  expect(shop.asked.splice(0)).toEqual(['sums', 'sums', 'sales of b']);
  shop.sell({ saleId: '3', customerId: 'bia', soldAt: '2033', lots: ['b', 'c'] });
  expect(await shop.count(counted)).toEqual(shop.countedAnew());
  shop.write('b', false);
  expect(await shop.count(counted)).toEqual(shop.countedAnew());
  shop.sell({ saleId: '4', customerId: 'bia', soldAt: '2034', lots: ['c'] });
  expect(await shop.count(counted)).toEqual(shop.countedAnew());
  expect(shop.asked).toEqual(['sales of b,c', 'sales of b,c', 'sales of c']);
});
