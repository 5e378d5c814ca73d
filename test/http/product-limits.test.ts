import { afterAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Every limit of what requests say of products, at it and beyond it. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const BREAD = { description: 'Pão', priceCash: 1, priceCredit: 1 };
const post = (body: object) => store.call('POST', '/products', { ...BREAD, ...body });
const letters = (count: number) => 'ã'.repeat(count);
const pathsOf = ({ body }: Answer): readonly string[] =>
  ((body as { errors?: { path: string }[] }).errors ?? []).map(({ path }) => path);

const money = { good: [0, 0.01, 999_999_999.99], bad: [-0.01, 1_000_000_000, 0.001, '1', null] };
const cost = { good: [0, 0.0000000001, 999_999_999.99, null], bad: [-1, 1_000_000_000, 1e-11, '1'] };
const text = (most: number, cleared: readonly unknown[] = [null]) => ({
  good: [letters(most), 'x', ...cleared],
  bad: [letters(most + 1), '', ' ', '\u0000', '\ud800', 1],
});
const flag = { good: [true, false], bad: ['true', 1, null] };
const kilograms = {
  good: ['0', '0.000001', 999_999_999, '999999999', 0.5, null],
  bad: ['0.0000001', '-1', -1, '1e3', '1,5', '', ' 1', '1000000000', 1_000_000_000, true, {}],
};
const unitValue = { good: ['0', '0.0000000001', 1.5, null], bad: ['0.00000000001', '-1', '1000000000', 'x'] };
const code = (count: number) => ({
  good: ['1'.repeat(count), null],
  bad: ['1'.repeat(count - 1), '1'.repeat(count + 1), 'a'.repeat(count), '', 12345678],
});
const id = { good: [null], bad: ['x', 1, ''] };

const LIMITS: Readonly<Record<string, { readonly good: readonly unknown[]; readonly bad: readonly unknown[] }>> = {
  description: { good: [letters(200)], bad: [letters(201), '', ' ', '\u200b', '\u0000', null, 1] },
  catalogDescription: { good: [letters(2_000), '', null], bad: [letters(2_001), 1] },
  priceCash: money,
  priceCredit: money,
  costPrice: cost,
  managerialCost: cost,
  profitMargin: { good: [-100, 0, 99_999_999_999.9999], bad: [-100.0001, 100_000_000_000, 0.00001, null, '1'] },
  productType: { good: ['SERVICE', 'MERCHANDISE'], bad: ['service', '', null] },
  isComposite: flag,
  expectedComponentCount: { good: [0, 100, null], bad: [-1, 101, 1.5, '1'] },
  categoryId: id,
  brandId: id,
  tagIds: { good: [[]], bad: [null, 'x', ['x'], [1], [null]] },
  active: flag,
  availableForDelivery: flag,
  isFavorite: flag,
  controlsLots: flag,
  issRetained: flag,
  ipiInStBase: { good: [true, false, null], bad: ['true', 1] },
  stockQty: { good: [0, 1], bad: [-1, 0.5, 1_000_000_000, '1', null] },
  gtin: { good: ['', null], bad: [1, '1'.repeat(21), {}] },
  sku: { good: [letters(30), null], bad: [letters(31), '', 1] },
  saleUnit: { good: ['un', 'KG', 'ABC123'], bad: ['', 'ABCDEFG', 'K G', 'ã', null, 1] },
  unitVolumeLiters: { good: [0.000001, 999_999_999, null], bad: [0, -1, 0.0000001, 1_000_000_000, '1'] },
  ncm: code(8),
  cest: code(7),
  nbsCode: code(9),
  issServiceCode: { good: ['1.01', '14.01', '14.01.01', '010101', null], bad: ['', '1', '1.1', '101', '1.01.1', 1.01] },
  issRate: { good: [0, 100, 2.0001, null], bad: [-1, 100.0001, 2.00001, '1'] },
  netWeightKg: kilograms,
  packagingTareKg: kilograms,
  tribUnitFactor: { good: ['0.0000000001', 12.48, null], bad: ['0', 0, '-1', '0.00000000001', '1000000000'] },
  volumeSpecies: text(60),
  tribUnit: text(6),
  ipiBaseMode: text(30),
  ipiUnitValue: unitValue,
  pisUnitValue: unitValue,
  cofinsUnitValue: unitValue,
  components: { good: [[]], bad: [null, {}, [null], [{}]] },
  variants: { good: [[]], bad: [null, {}, [null], [{ label: '' }], [{ label: letters(61) }], [{ none: 1 }]] },
};

describe.each(Object.entries(LIMITS))('%s', (field, { good, bad }) => {
  test('is taken up to its limits', async () => {
    for (const value of good) {
      const { status, text: answer } = await post({ [field]: value });
      expect([value, status, answer]).toEqual([value, 201, answer]);
      // An SKU is taken once.
      if (field === 'sku' && typeof value === 'string') {
        await store.call('DELETE', `/products/${(JSON.parse(answer) as { id: string }).id}`);
      }
    }
  });
  test('is refused beyond them, by its name', async () => {
    for (const value of bad) {
      const answer = await post({ [field]: value });
      expect([value, answer.status]).toEqual([value, 400]);
      expect(pathsOf(answer)[0]?.startsWith(field)).toBe(true);
    }
  });
});

describe('what a product is asked to have', () => {
  test('is at least a description and two prices', async () => {
    expect(pathsOf(await store.call('POST', '/products', {}))).toEqual(['description', 'priceCash', 'priceCredit']);
  });
  test('is nothing unknown', async () => {
    for (const body of [{ priceCahs: 1 }, { id: 'x' }, { stock: 1 }, JSON.parse('{"__proto__":{"x":1}}')]) {
      expect((await post(body as object)).status).toBe(400);
    }
    const { body } = await post({});
    const path = `/products/${(body as { id: string }).id}`;
    for (const unknown of [{ stockQty: 1 }, { variants: [] }, { averageCost: 1 }]) {
      expect((await store.call('PATCH', path, unknown)).status).toBe(400);
    }
    expect((await store.call('PATCH', path, {})).status).toBe(200);
  });
  test('is at most 200 variants and 50 tags', async () => {
    const grid = (count: number) => ({
      variants: Array.from({ length: count }, (_, index) => ({ label: `n${String(index)}` })),
    });
    expect((await post(grid(201))).status).toBe(400);
    const { status, body } = await post(grid(200));
    expect(status).toBe(201);
    const full = await store.call('POST', `/products/${(body as { id: string }).id}/variants`, { label: 'mais' });
    expect([full.status, full.body.code]).toEqual([409, 'TOO_MANY_VARIANTS']);
    const tagIds = (count: number) => Array.from({ length: count }, () => '01a1fe3e-9906-738c-84d5-8a2d82a0e196');
    expect([(await post({ tagIds: tagIds(51) })).status, (await post({ tagIds: tagIds(50) })).status]).toEqual([
      400, 404,
    ]);
  });
  test('is stock only where that is kept', async () => {
    for (const body of [
      { productType: 'SERVICE', stockQty: 1 },
      { isComposite: true, stockQty: 1 },
      { productType: 'SERVICE', variants: [{ label: 'P', stockQty: 1 }] },
      { variants: [{ label: 'P' }], stockQty: 1 },
      { variants: [{ label: 'P' }], gtin: '7891000315507' },
    ]) {
      expect((await post(body)).status).toBe(400);
    }
    const { body } = await post({ productType: 'SERVICE' });
    const refused = await store.call('POST', `/products/${(body as { id: string }).id}/variants`, {
      label: 'P',
      stockQty: 1,
    });
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_KEPT_IN_STOCK']);
  });
});
