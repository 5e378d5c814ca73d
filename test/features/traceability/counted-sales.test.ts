import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fiscalDocuments } from '../../../projections/fiscal/documents.js';
import type { SoldLotsDocument } from '../../../projections/traceability/sold-lots.js';
import { CountedSales } from '../../../src/features/traceability/counted-sales.js';
import type { KnownLot } from '../../../src/features/traceability/found-lots.js';
import type { SalesOfLots } from '../../../src/features/traceability/sales-of-lots.js';
import type { RequestContext } from '../../../src/kernel/routes/request-context.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';

/** Sales of lots that are sold out are counted once, whatever happens to the others in the meantime. */

interface Sale extends Pick<SoldLotsDocument, 'saleId' | 'customerId' | 'soldAt'> {
  readonly lots: readonly string[];
  /** Its document's status, if it has a document. */
  readonly status?: 'AUTHORIZED' | 'REJECTED';
}

interface Asked {
  readonly oneOf?: { readonly column: string; readonly values: readonly string[] };
}

const ZERO = Decimal.zero;

/** Lots that are sold by number, and what the read models say of them. */
class Shop {
  readonly sales = new Map<string, Sale>();
  readonly asked: string[] = [];
  private readonly lots = new Map<string, KnownLot>();
  private versions = 0;

  /** What is known of a lot has another version with all that is written about it. */
  write(lotId: string, isLeft = (this.lots.get(lotId)?.held.length ?? 1) > 0): void {
    const sales = [...this.sales.values()].filter(({ lots }) => lots.includes(lotId)).length;
    const life = { entered: ZERO, sold: ZERO, consumed: ZERO, adjustedAway: ZERO, reversed: ZERO };
    const held = isLeft ? [{ lotId, locationId: 'shop', quantity: 1 }] : [];
    const label = { lotId, lotCode: lotId, variantId: 'bread' };
    this.lots.set(lotId, {
      version: ++this.versions,
      ...label,
      sales,
      lines: sales,
      sold: ZERO,
      returned: ZERO,
      life,
      inStock: ZERO,
      held,
    });
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

  /** With the number of documents that stand. */
  async count(counted: CountedSales): Promise<SalesOfLots & { readonly standing: number }> {
    const ids = [...this.lots.keys()];
    const { sales, standing } = await counted.of(this.context, ids, Promise.resolve(this.known));
    return { ...(await sales), standing: await standing(this.context) };
  }

  /** What it should be. */
  counted(): SalesOfLots & { readonly standing: number } {
    const ids = [...this.lots.keys()];
    return { ...this.countedAnew(ids), standing: this.documentsOf(this.of(ids)).length };
  }

  private countedAnew(lotIds: readonly string[]): SalesOfLots {
    const some = this.of(lotIds);
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

  /** Those that stand. */
  private documentsOf(sales: readonly Sale[]): readonly object[] {
    return sales
      .filter(({ status }) => status === 'AUTHORIZED')
      .map(({ saleId, status }) => ({ id: saleId, saleId, status, number: 1, accessKey: saleId, createdAt: '2030' }));
  }

  private bodies({ name }: { readonly name: string }, { oneOf }: Asked): readonly object[] {
    const all = [...this.sales.values()];
    if (name === fiscalDocuments.name) {
      return this.documentsOf(oneOf ? all.filter(({ saleId }) => oneOf.values.includes(saleId)) : all);
    }
    const lotIds = oneOf?.values ?? [];
    this.asked.push(`sales of ${[...lotIds].sort().join()}`);
    return this.of(lotIds).map(({ lots, status: _, ...sale }) => ({
      ...sale,
      lines: lots.map((lotId, line) => [line, lotId, 'bread', 'shop', '1', '0']),
    }));
  }

  private get context(): RequestContext {
    const reads = {
      summarise: (_: unknown, { oneOf }: Asked) => {
        this.asked.push('sums');
        const { sales, customers, salesWithoutCustomer, firstSaleAt, lastSaleAt } = this.countedAnew(
          oneOf?.values ?? [],
        );
        return Promise.resolve({
          count: sales,
          countWhere: salesWithoutCustomer,
          countDistinct: { customerId: customers },
          least: { soldAt: firstSaleAt },
          greatest: { soldAt: lastSaleAt },
        });
      },
      distinct: (_: unknown, { oneOf }: Asked) => {
        const ids = this.of(oneOf?.values ?? []).flatMap(({ customerId }) => customerId ?? []);
        return Promise.resolve([...new Set(ids)]);
      },
      findBodies: (collection: { readonly name: string }, asked: Asked) => {
        const items = this.bodies(collection, asked).map((body) => JSON.stringify(body));
        return Promise.resolve({ items, nextCursor: null });
      },
      countLinked: (_: unknown, __: unknown, { among }: { readonly among: Required<Asked>['oneOf'] }) =>
        Promise.resolve(this.documentsOf(this.of(among.values)).length),
      kept: (_: unknown, __: unknown, make: () => Promise<number>) => make(),
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
        fc.constantFrom('AUTHORIZED' as const, 'REJECTED' as const, undefined),
      )
      .map(([saleId, customerId, day, lots, status]): Step => (shop) => {
        shop.sell({ saleId, customerId, soldAt: `20${String(day)}`, lots, ...(status && { status }) });
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
        if (isAsked) expect(await shop.count(counted)).toEqual(shop.counted());
      }
      const [one, other] = await Promise.all([shop.count(counted), shop.count(counted)]);
      expect([one, other]).toEqual([shop.counted(), shop.counted()]);
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
  expect(await shop.count(counted)).toEqual(shop.counted());
  shop.write('b', false);
  expect(await shop.count(counted)).toEqual(shop.counted());
  shop.sell({ saleId: '4', customerId: 'bia', soldAt: '2034', lots: ['c'] });
  expect(await shop.count(counted)).toEqual(shop.counted());
  expect(shop.asked).toEqual(['sales of b,c', 'sales of b,c', 'sales of c']);
});

test('where much was sold of lots that are not sold out, all is counted, and but once', async () => {
  const shop = new Shop();
  const counted = new CountedSales();
  for (let sale = 0; sale <= 1_500; sale++) {
    shop.sales.set(String(sale), { saleId: String(sale), customerId: null, soldAt: '2031', lots: ['a'] });
  }
  shop.write('a');
  shop.sell({ saleId: 'last', customerId: 'ana', soldAt: '2032', lots: ['b'] });
  shop.write('b', false);
  for (let time = 0; time < 3; time++) expect(await shop.count(counted)).toEqual(shop.counted());
  expect(shop.asked).toEqual(['sums', 'sums', 'sums']);
  shop.write('a', false);
  for (let time = 0; time < 2; time++) expect(await shop.count(counted)).toEqual(shop.counted());
  expect(shop.asked.slice(3)).toEqual(['sums']);
});
