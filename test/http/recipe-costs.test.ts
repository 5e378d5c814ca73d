import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RECIPES, granted, newProduct, newRecipe } from '../support/bakery.js';
import { loseAnswer } from '../support/lost-answer.js';
import { refusal } from '../support/people.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A batch of 20 kg of dough and its costs: flour at 4.00 the kilogram, yeast at 30.00, a bag at 0.50. */

let world: World;
let store: StoreClient;
let flour: string;
let yeast: string;
let bag: string;
let recipeId: string;

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  const stocked = async (name: string, saleUnit: string, stockQty: number, managerialCost: number) =>
    (await newProduct(store, name, { saleUnit, stockQty, managerialCost })).variantId;
  flour = await stocked('Farinha', 'KG', 100, 4);
  yeast = await stocked('Fermento', 'KG', 1, 30);
  bag = await stocked('Saco', 'UN', 50, 0.5);
  const dough = await newProduct(store, 'Massa', { saleUnit: 'KG' });
  const stage = { name: 'Amassar', required: true, standardMinutes: 30, laborRatePerHour: 24 };
  const recipe = await newRecipe(store, {
    name: 'Massa',
    finishedVariantId: dough.variantId,
    yieldQty: 20,
    expectedLossPercent: 5,
    stages: [stage],
    items: [
      { componentVariantId: flour, quantity: 12 },
      { componentVariantId: bag, quantity: 2 },
    ],
  });
  recipeId = recipe.id;
  await granted(
    store.call('PUT', `${RECIPES}/${recipeId}`, {
      items: [
        { componentVariantId: flour, quantity: 12 },
        { componentVariantId: yeast, quantity: 0.36, lossPercent: 10 },
        { componentVariantId: bag, quantity: 2, costKind: 'PACKAGING' },
      ],
    }),
  );
});
afterAll(() => world.close());

const preview = (query = '', client = store) => client.call('GET', `${RECIPES}/${recipeId}/preview${query}`);

describe('a preview', () => {
  test('of one batch says what it needs, what is there and what it costs', async () => {
    const { body } = await granted(preview());
    const item = (componentVariantId: string, description: string, unit: string, costKind = 'MATERIAL') => ({
      componentVariantId,
      description,
      unit,
      costKind,
    });
    expect(body).toEqual({
      recipeId,
      batches: 1,
      items: [
        { ...item(flour, 'Farinha', 'KG'), required: 12, available: 100, missing: 0, unitCost: 4, cost: 48 },
        { ...item(yeast, 'Fermento', 'KG'), required: 0.4, available: 1, missing: 0, unitCost: 30, cost: 12 },
        { ...item(bag, 'Saco', 'UN', 'PACKAGING'), required: 2, available: 50, missing: 0, unitCost: 0.5, cost: 1 },
      ],
      byproducts: [],
      laborCost: 12, // half an hour at 24.00
      estimatedCost: 73,
      estimatedUnitCost: 3.8421052632, // 73 ÷ (20 × 95 %)
      expectedOutput: 19,
      maxBatches: 2, // yeast: 1 kg × 0.9 ÷ 0.36 = 2.5
      limitingVariantId: yeast,
    });
  });

  test('of more than is there says what is missing, and costs it at the average', async () => {
    const { body } = await granted(preview('?batches=2.5'));
    expect(body.items[1]).toMatchObject({ required: 1, available: 1, missing: 0, cost: 30 });
    const { body: more } = await granted(preview('?batches=5'));
    expect(more.items[1]).toMatchObject({ required: 2, available: 1, missing: 1, unitCost: 30, cost: 60 });
    expect(more).toMatchObject({ estimatedCost: 365, estimatedUnitCost: 3.8421052632, expectedOutput: 95 });
  });

  test('looks at the location that is named', async () => {
    const { body: location } = await granted(store.call('POST', '/locations', { name: 'Depósito' }));
    const { body } = await granted(preview(`?locationId=${String(location.id)}`));
    expect(body).toMatchObject({ maxBatches: 0, items: [{ available: 0, missing: 12 }, {}, {}] });
    const unknown = '01a1fe3e-9906-738c-84d5-8a2d82a0e196';
    expect(refusal(await preview(`?locationId=${unknown}`))).toEqual([404, 'NOT_FOUND']);
  });

  test('of a version that was in force before is by its formula, and of one that never was there is none', async () => {
    const { body } = await granted(preview('?version=1'));
    const [first, second] = [
      { componentVariantId: flour, required: 12, available: 100, unitCost: 4, cost: 48 },
      { componentVariantId: bag, required: 2, costKind: 'MATERIAL' },
    ];
    expect(body).toMatchObject({ recipeId, estimatedCost: 61, expectedOutput: 19, items: [first, second] });
    expect((await granted(preview('?version=2'))).body).toEqual((await granted(preview())).body);
    expect(refusal(await preview('?version=3'))).toEqual([404, 'NOT_FOUND']);
    expect((await preview('?version=0')).status).toBe(400);
  });

  test('names what else the batches give, and what of the cost that bears', async () => {
    const [cake, trimmings] = [await newProduct(store, 'Bolo'), await newProduct(store, 'Aparas', { saleUnit: 'KG' })];
    const byproducts = [{ variantId: trimmings.variantId, quantityPerBatch: 0.333333, costSharePercent: 12.5 }];
    const items = [{ componentVariantId: flour, quantity: 1 }];
    const recipe = await newRecipe(store, { name: 'Bolo', finishedVariantId: cake.variantId, items, byproducts });
    const path = `${RECIPES}/${recipe.id}/preview?batches=1.5`;
    const part = { variantId: trimmings.variantId, description: 'Aparas', unit: 'KG', costSharePercent: 12.5 };
    const { body } = await granted(store.call('GET', path));
    expect(body).toMatchObject({ estimatedCost: 6, byproducts: [{ ...part, quantity: 0.5, cost: 0.75 }] });
    const baker = await world.newKey(store.slug, 'production.view');
    expect((await granted(baker.call('GET', path))).body.byproducts).toEqual([{ ...part, quantity: 0.5 }]);
  });

  test('allows the batches whose need is there to the gram, as planning does, and they can be made', async () => {
    const [cake, sugar] = [await newProduct(store, 'Cuca'), await newProduct(store, 'Açúcar', { saleUnit: 'KG' })];
    const items = [{ componentVariantId: sugar.variantId, quantity: 1, lossPercent: 10 }];
    const recipe = await newRecipe(store, { name: 'Cuca', finishedVariantId: cake.variantId, items });
    const foreseen = () => granted(store.call('GET', `${RECIPES}/${recipe.id}/preview?batches=3`));
    const { required } = (await foreseen()).body.items[0] as { required: number };
    const received = [{ variantId: sugar.variantId, quantity: required, unitCost: 5 }];
    await granted(store.call('POST', '/stock/receipts', { items: received }));
    expect((await foreseen()).body).toMatchObject({ maxBatches: 3, items: [{ required: 3.333333, missing: 0 }] });
    const { body: rows } = await granted(store.call('GET', '/bakery-production/planning/suggestions'));
    expect(rows).toContainEqual(expect.objectContaining({ recipeId: recipe.id, maxBatches: 3 }));
    await granted(store.call('POST', '/bakery-production/orders', { recipeId: recipe.id, batches: 3 }));
  });

  test('counts no goods that are blocked or have expired', async () => {
    const [tart, cream] = [await newProduct(store, 'Torta'), await newProduct(store, 'Creme', { saleUnit: 'KG' })];
    const items = [{ componentVariantId: cream.variantId, quantity: 1 }];
    const recipe = await newRecipe(store, { name: 'Torta', finishedVariantId: tart.variantId, items });
    const received = { variantId: cream.variantId, quantity: 2, unitCost: 5 };
    const lots = [{ lotCode: 'BOM' }, { lotCode: 'RUIM' }, { lotCode: 'VELHO', expiresAt: '2026-01-01' }];
    await granted(store.call('POST', '/stock/receipts', { items: lots.map((lot) => ({ ...received, ...lot })) }));
    await granted(store.call('POST', '/stock/lots/block', { lotCode: 'RUIM', reason: 'azedo' }));
    const { body } = await granted(store.call('GET', `${RECIPES}/${recipe.id}/preview?batches=3`));
    expect(body).toMatchObject({ maxBatches: 2, items: [{ required: 3, available: 2, missing: 1 }] });
  });

  test('shows costs only to who may see them', async () => {
    const baker = await world.newKey(store.slug, 'production.view');
    const { body, text } = await granted(preview('', baker));
    expect(text).not.toMatch(/[cC]ost"/);
    expect(body).toMatchObject({ expectedOutput: 19, maxBatches: 2, items: [{ required: 12, missing: 0 }, {}, {}] });
  });

  test.each(['0', '-1', '1e1', '', 'x', '1.0000001', '1000000.1'])('takes no %j batches', async (batches) => {
    expect((await preview(`?batches=${batches}`)).status).toBe(400);
  });

  test('takes the smallest and the largest number of batches', async () => {
    for (const batches of ['0.000001', '1000000']) expect((await preview(`?batches=${batches}`)).status).toBe(200);
  });
});

describe('the standard cost', () => {
  const compute = (client = store) => client.call('POST', `${RECIPES}/${recipeId}/standard-cost`);

  test('is what a unit of one batch would cost now, and is stored', async () => {
    const { body, headers } = await granted(compute());
    expect(body).toEqual({ recipeId, standardUnitCost: 3.8421052632 });
    const { body: recipe, headers: read } = await granted(store.call('GET', `${RECIPES}/${recipeId}`));
    expect([headers.get('etag'), read.get('etag')]).toEqual([read.get('etag'), expect.any(String)]);
    expect([recipe.standardUnitCost, recipe.currentVersion]).toEqual([3.8421052632, 2]);
    expect((await granted(compute())).body).toEqual(body);
  });

  test('is told as it was stored when the answer is lost and goods have another cost by now', async () => {
    const [cocoa, cake] = [await newProduct(store, 'Cacau'), await newProduct(store, 'Bolo')];
    const receive = (unitCost: number) => {
      const items = [{ variantId: cocoa.variantId, quantity: 1, unitCost }];
      return granted(store.call('POST', '/stock/receipts', { items }));
    };
    await receive(8);
    const items = [{ componentVariantId: cocoa.variantId, quantity: 2 }];
    const { id } = await newRecipe(store, { name: 'Bolo', finishedVariantId: cake.variantId, items });
    const { first, repeat } = await loseAnswer(world, store, 'POST', `${RECIPES}/${id}/standard-cost`, {});
    expect(first.body).toEqual({ recipeId: id, standardUnitCost: 16 });
    await receive(10);
    expect((await repeat()).body).toEqual(first.body);
    expect((await granted(store.call('GET', `${RECIPES}/${id}`))).body.standardUnitCost).toBe(16);
  });

  test('needs its permission', async () => {
    const baker = await world.newKey(store.slug, 'production.view,production.manage');
    expect(refusal(await compute(baker))).toEqual([403, 'PERMISSION_DENIED']);
  });
});
