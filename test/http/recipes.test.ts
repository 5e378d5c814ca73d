import { afterAll, describe, expect, test } from '@jest/globals';
import { RECIPES, breadOf, granted, newIngredients, newProduct, newRecipe } from '../support/bakery.js';
import { refusal } from '../support/people.js';
import { openWorld } from '../support/world.js';

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();
const goods = await newIngredients(store);

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const read = async (id: string, client = store): Promise<any> =>
  (await granted(client.call('GET', `${RECIPES}/${id}`))).body;
const change = (id: string, body: object, headers?: Readonly<Record<string, string>>) =>
  store.call('PUT', `${RECIPES}/${id}`, body, headers);
const create = (body: object) => store.call('POST', RECIPES, { ...breadOf(goods), ...body });
const placesOf = ({ body }: { body: { errors: { path: string }[] } }) => body.errors.map(({ path }) => path);

describe('a new recipe', () => {
  test('is answered whole and read back the same', async () => {
    const answer = await granted(create({ stages: ['Amassar', ' Assar '], notes: 'Descansar 12 h' }));
    const { id, createdAt, updatedAt, ...rest } = answer.body;
    const noMeasures = { percent: null, densityKgPerL: null, lossPercent: 0, costKind: 'MATERIAL' };
    const unpaid = { required: false, workCenter: null, standardMinutes: null, laborRatePerHour: null };
    expect(rest).toEqual({
      name: 'Pão francês',
      notes: 'Descansar 12 h',
      active: true,
      currentVersion: 1,
      standardUnitCost: null,
      finishedVariantId: goods.bread.variantId,
      yieldQty: 15,
      densityKgPerL: null,
      expectedLossPercent: 0,
      formulaMode: 'ABSOLUTE',
      percentBasis: 'MASS',
      byproducts: [],
      drafts: [],
      stages: [
        { name: 'Amassar', ...unpaid },
        { name: 'Assar', ...unpaid },
      ],
      items: [
        { componentVariantId: goods.flour.variantId, quantity: 10, ...noMeasures },
        { componentVariantId: goods.water.variantId, quantity: 6, ...noMeasures },
      ],
    });
    expect(updatedAt).toBe(createdAt);
    const again = await granted(store.call('GET', `${RECIPES}/${String(id)}`));
    expect([again.body, again.headers.get('etag')]).toEqual([answer.body, answer.headers.get('etag')]);
  });

  test('yields 1 unless it says otherwise', async () => {
    const { yieldQty: _, ...body } = breadOf(goods);
    expect((await granted(store.call('POST', RECIPES, body))).body.yieldQty).toBe(1);
  });

  test('works percents out in the unit of each component', async () => {
    const items = [
      { componentVariantId: goods.flour.variantId, percent: 62.5 },
      { componentVariantId: goods.water.variantId, percent: 36, densityKgPerL: 1 },
      { componentVariantId: goods.salt.variantId, percent: 1.5 },
    ];
    const { body } = await granted(create({ yieldQty: 100, formulaMode: 'PERCENT', items }));
    expect((body.items as { quantity: number }[]).map(({ quantity }) => quantity)).toEqual([62.5, 36, 1500]);
    const { body: larger } = await granted(change(body.id as string, { yieldQty: 200 }));
    expect((larger.items as { quantity: number }[]).map(({ quantity }) => quantity)).toEqual([125, 72, 3000]);
  });

  test('says what is wrong with its percents and densities', async () => {
    const withWater = (share: object) =>
      create({
        formulaMode: 'PERCENT',
        items: [
          { componentVariantId: goods.flour.variantId, percent: 60 },
          { componentVariantId: goods.water.variantId, ...share },
        ],
      });
    const dry = await withWater({ percent: 40 });
    expect([...refusal(dry), ...placesOf(dry)]).toEqual([400, 'DENSITY_REQUIRED', 'items[1].densityKgPerL']);
    const short = await withWater({ percent: 39.98, densityKgPerL: 1 });
    expect([...refusal(short), ...placesOf(short)]).toEqual([400, 'FORMULA_INVALID', 'items']);
  });

  test('names what is there, active, and no kit or service', async () => {
    const unknown = '01a1fe3e-9906-738c-84d5-8a2d82a0e196';
    const byproducts = [{ variantId: unknown, quantityPerBatch: 1, costSharePercent: 0 }];
    const nowhere = await create({ items: [{ componentVariantId: unknown, quantity: 1 }], byproducts });
    expect([...refusal(nowhere), ...placesOf(nowhere)]).toEqual([
      404,
      'NOT_FOUND',
      'items[0].componentVariantId',
      'byproducts[0].variantId',
    ]);
    const [service, resting, kit] = await Promise.all([
      newProduct(store, 'Entrega', { productType: 'SERVICE' }),
      newProduct(store, 'Fermento antigo', { active: false }),
      newProduct(store, 'Cesta', {
        isComposite: true,
        components: [{ componentVariantId: goods.bread.variantId, quantity: 2 }],
      }),
    ]);
    const of = ({ variantId }: { variantId: string }) =>
      create({ items: [{ componentVariantId: variantId, quantity: 1 }] });
    expect(refusal(await of(service))).toEqual([409, 'VARIANT_NOT_ALLOWED']);
    expect(refusal(await of(kit))).toEqual([409, 'VARIANT_NOT_ALLOWED']);
    expect(refusal(await of(resting))).toEqual([409, 'COMPONENT_INACTIVE']);
    expect(refusal(await of(goods.bread))).toEqual([409, 'RECIPE_CYCLE']);
  });
});

describe('limits', () => {
  const text = (length: number) => 'x'.repeat(length);
  const item = (more: object) => ({ items: [{ componentVariantId: goods.flour.variantId, quantity: 1, ...more }] });
  const byproduct = (share: number) => ({
    byproducts: [{ variantId: goods.salt.variantId, quantityPerBatch: 1, costSharePercent: share }],
  });
  const stage = (more: object) => ({ stages: [{ name: 'Assar', ...more }] });

  test.each<[string, () => object, () => object]>([
    ['name', () => ({ name: text(200) }), () => ({ name: text(201) })],
    ['name that says something', () => ({ name: 'x' }), () => ({ name: ' ' })],
    ['notes', () => ({ notes: text(2_000) }), () => ({ notes: text(2_001) })],
    ['yieldQty', () => ({ yieldQty: 0.000001 }), () => ({ yieldQty: 0 })],
    ['decimals of a quantity', () => ({ yieldQty: 1.000001 }), () => ({ yieldQty: 1.0000001 })],
    ['expectedLossPercent', () => ({ expectedLossPercent: 99.99 }), () => ({ expectedLossPercent: 99.9901 })],
    ['no loss', () => ({ expectedLossPercent: 0 }), () => ({ expectedLossPercent: -0.0001 })],
    ['density', () => ({ densityKgPerL: 0.000001 }), () => ({ densityKgPerL: 0 })],
    ['largest density', () => ({ densityKgPerL: 100 }), () => ({ densityKgPerL: 100.000001 })],
    ['largest yield', () => ({ yieldQty: 999_999_999 }), () => ({ yieldQty: 999_999_999.000001 })],
    ['quantity', () => item({ quantity: 0.000001 }), () => item({ quantity: 0 })],
    ['percent', () => item({ percent: 0.0001 }), () => item({ percent: 0 })],
    ['largest percent', () => item({ percent: 100 }), () => item({ percent: 100.0001 })],
    ['loss of an input', () => item({ lossPercent: 99.99 }), () => item({ lossPercent: 100 })],
    ['kind of cost', () => item({ costKind: 'PACKAGING' }), () => item({ costKind: 'OTHER' })],
    ['share of a by-product', () => byproduct(99.9999), () => byproduct(100)],
    ['smallest share', () => byproduct(0), () => byproduct(-1)],
    ['minutes', () => stage({ standardMinutes: 0 }), () => stage({ standardMinutes: -1 })],
    ['rate', () => stage({ laborRatePerHour: 0.01 }), () => stage({ laborRatePerHour: 0.001 })],
    ['name of a stage', () => ({ stages: [text(120)] }), () => ({ stages: [text(121)] })],
    ['stages', () => ({ stages: Array(100).fill('Assar') }), () => ({ stages: Array(101).fill('Assar') })],
    ['mode', () => ({ formulaMode: 'ABSOLUTE' }), () => ({ formulaMode: 'absolute' })],
    ['fields', () => ({}), () => ({ yield: 1 })],
  ])('of %s', async (_, fits, doesNot) => {
    expect((await create(fits())).status).toBe(201);
    expect((await create(doesNot())).status).toBe(400);
  });

  test('of items', async () => {
    const variants = Array.from({ length: 100 }, (_, index) => ({ label: `Sabor ${String(index)}` }));
    const body = (description: string) => ({ description, priceCash: 1, priceCredit: 1, variants });
    const grids = await Promise.all(
      ['Recheio', 'Cobertura'].map((name) => granted(store.call('POST', '/products', body(name)))),
    );
    const items = grids.flatMap((grid) =>
      (grid.body.variants as { id: string }[]).map(({ id }) => ({ componentVariantId: id, quantity: 1 })),
    );
    expect(items).toHaveLength(200);
    expect((await create({ items })).status).toBe(201);
    const one = { componentVariantId: goods.flour.variantId, quantity: 1 };
    expect((await create({ items: [...items, one] })).status).toBe(400);
    expect((await create({ items: [] })).status).toBe(400);
  });

  test('of a reason', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    expect((await change(id, { yieldQty: 16, changeReason: text(501) })).status).toBe(400);
    expect((await change(id, { yieldQty: 16, changeReason: text(500) })).status).toBe(200);
  });
});

describe('a change', () => {
  test.each(['PUT', 'PATCH'])('by %s keeps what it leaves out and replaces lists whole', async (method) => {
    const { id, etag } = await newRecipe(store, { ...breadOf(goods), stages: ['Amassar', 'Assar'], notes: 'Nota' });
    const before = await read(id);
    const items = [{ componentVariantId: goods.flour.variantId, quantity: 12 }];
    const answer = await granted(store.call(method, `${RECIPES}/${id}`, { items, notes: null }));
    expect(answer.body).toMatchObject({ name: before.name, stages: before.stages, notes: null, currentVersion: 2 });
    expect(answer.body.items).toEqual([{ ...before.items[0], quantity: 12 }]);
    expect(answer.headers.get('etag')).not.toBe(etag);
    expect(await read(id)).toEqual(answer.body);
  });

  test('of what was read, as it was read, is no new version', async () => {
    const { id } = await newRecipe(store, { ...breadOf(goods), stages: [{ name: 'Assar', laborRatePerHour: 20 }] });
    const { id: _, currentVersion, drafts: __, createdAt, updatedAt, ...fields } = await read(id);
    const { body } = await granted(change(id, fields as object));
    expect([body.currentVersion, body.createdAt, body.updatedAt]).toEqual([currentVersion, createdAt, updatedAt]);
  });

  test('of name, notes or activity is no new version', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    const { body } = await granted(change(id, { name: 'Pão de sal', active: false }));
    expect(body).toMatchObject({ name: 'Pão de sal', active: false, currentVersion: 1 });
  });

  test('with an entity tag is done by one of 50 at once', async () => {
    const { id, etag } = await newRecipe(store, breadOf(goods));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => change(id, { yieldQty: 20 + index }, { 'if-match': etag })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(49);
  });

  test('without one is done by all, each its own version', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    const items = (quantity: number, component: { variantId: string }) => [
      { componentVariantId: component.variantId, quantity },
    ];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? change(id, { yieldQty: 20 + index })
          : change(id, { items: items(index, index % 3 === 0 ? goods.salt : goods.flour) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await read(id)).currentVersion).toBe(11);
  });

  test('is repeated by its idempotency key', async () => {
    const { id } = await newRecipe(store, breadOf(goods));
    const key = { 'idempotency-key': `recipe-${id}` };
    const first = await granted(change(id, { yieldQty: 30 }, key));
    const second = await granted(change(id, { yieldQty: 30 }, key));
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect((await read(id)).currentVersion).toBe(2);
  });

  test('needs its reason in the industrial segment when the formula changes', async () => {
    const factory = await world.newStore();
    const of = await newIngredients(factory);
    await granted(factory.call('PATCH', '/store', { segment: 'INDUSTRIAL' }));
    const { id } = await newRecipe(factory, breadOf(of));
    const put = (body: object) => factory.call('PUT', `${RECIPES}/${id}`, body);
    for (const body of [{ yieldQty: 16 }, { yieldQty: 16, changeReason: ' ' }, { yieldQty: 16, saveAsDraft: true }]) {
      expect(refusal(await put(body))).toEqual([400, 'CHANGE_REASON_REQUIRED']);
    }
    expect((await put({ name: 'Pão de fôrma', yieldQty: 15 })).status).toBe(200);
    expect((await put({ yieldQty: 16, changeReason: 'novo forno' })).status).toBe(200);
  });

  test('that would close a circle with another at the same time is done by one', async () => {
    const [dough, cake] = await Promise.all([newProduct(store, 'Massa'), newProduct(store, 'Bolo')]);
    const plain = { ...breadOf(goods), yieldQty: 1 };
    const [first, second] = [
      await newRecipe(store, { ...plain, finishedVariantId: dough.variantId }),
      await newRecipe(store, { ...plain, finishedVariantId: cake.variantId }),
    ];
    const made = (of: { variantId: string }) => ({ items: [{ componentVariantId: of.variantId, quantity: 1 }] });
    const answers = await Promise.all([change(first.id, made(cake)), change(second.id, made(dough))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('RECIPE_CYCLE');
  });
});

describe('the list', () => {
  test('has a row for each recipe by name, active ones alone when asked, in pages when asked', async () => {
    const fresh = await world.newStore();
    const of = await newIngredients(fresh);
    const ids: Record<string, string> = {};
    for (const name of ['Éclair', 'bolo', 'Ciabatta', 'Zwieback']) {
      ids[name] = (await newRecipe(fresh, { ...breadOf(of), name })).id;
    }
    await granted(fresh.call('PATCH', `${RECIPES}/${ids.Ciabatta ?? ''}`, { active: false }));
    await granted(fresh.call('PATCH', `${RECIPES}/${ids.bolo ?? ''}`, { yieldQty: 2, saveAsDraft: true }));
    const names = async (query: string) => {
      const { body, headers } = await granted(fresh.call('GET', `${RECIPES}${query}`));
      return [(body as { name: string }[]).map(({ name }) => name), headers.get('x-next-cursor')] as const;
    };
    expect(await names('')).toEqual([['bolo', 'Ciabatta', 'Éclair', 'Zwieback'], null]);
    for (const active of ['true', '1'])
      expect((await names(`?active=${active}`))[0]).toEqual(['bolo', 'Éclair', 'Zwieback']);
    expect((await names('?active=false'))[0]).toEqual(['Ciabatta']);
    const [first, cursor] = await names('?limit=3');
    expect(first).toEqual(['bolo', 'Ciabatta', 'Éclair']);
    expect(await names(`?limit=3&cursor=${encodeURIComponent(cursor ?? '')}`)).toEqual([['Zwieback'], null]);
    // The longest name that a cursor can hold.
    await newRecipe(fresh, { ...breadOf(of), name: `A${'😀'.repeat(199)}` });
    const afterLongest = (await names('?limit=1'))[1] ?? '';
    expect((await names(`?limit=1&cursor=${encodeURIComponent(afterLongest)}`))[0]).toEqual(['bolo']);
    const { body } = await granted(fresh.call('GET', RECIPES));
    expect(body[1]).toMatchObject({ id: ids.bolo, itemCount: 2, currentVersion: 1, drafts: ['draft-1'], yieldQty: 15 });
    for (const wrong of ['?limit=0', '?limit=1001', '?active=yes', '?cursor=x', '?take=1']) {
      expect((await fresh.call('GET', `${RECIPES}${wrong}`)).status).toBe(400);
    }
  });
});

describe('costs', () => {
  const paid = { name: 'Assar', required: true, standardMinutes: 30, laborRatePerHour: 20 };

  test('are neither seen nor set without their permission', async () => {
    const { id } = await newRecipe(store, { ...breadOf(goods), stages: [paid], standardUnitCost: 7.25 });
    await granted(change(id, { stages: [{ ...paid, laborRatePerHour: 22 }] }));
    const baker = await world.newKey(store.slug, 'production.view,production.manage');
    const seen = await Promise.all(
      [RECIPES, `${RECIPES}/${id}`, `${RECIPES}/${id}/versions`].map((path) => granted(baker.call('GET', path))),
    );
    for (const { text } of seen) expect(text).not.toMatch(/laborRatePerHour|standardUnitCost|:7\.25\b/);
    expect(seen[2]?.body.versions[0].changes).toEqual([]);
    for (const body of [{ standardUnitCost: 8 }, { standardUnitCost: null }, { stages: [paid] }]) {
      expect(refusal(await baker.call('PUT', `${RECIPES}/${id}`, body))).toEqual([403, 'COSTS_NOT_YOURS']);
    }
    expect(refusal(await baker.call('POST', RECIPES, { ...breadOf(goods), stages: [paid] }))).toEqual([
      403,
      'COSTS_NOT_YOURS',
    ]);
  });

  test('leave a name alone that looks like them', async () => {
    const name = '","standardUnitCost":1,"';
    const { id } = await newRecipe(store, { ...breadOf(goods), name, standardUnitCost: 7.25 });
    const baker = await world.newKey(store.slug, 'production.view');
    const { body } = await granted(baker.call('GET', RECIPES));
    const row = (body as { id: string; name: string }[]).find((one) => one.id === id);
    expect(row).toMatchObject({ name, itemCount: 2 });
    expect(row).not.toHaveProperty('standardUnitCost');
  });

  test('stay when somebody who does not see them changes what is around', async () => {
    const { id } = await newRecipe(store, { ...breadOf(goods), stages: [paid], standardUnitCost: 7.25 });
    const baker = await world.newKey(store.slug, 'production.view,production.manage');
    const { stages } = await read(id, baker);
    const longer = (stages as object[]).map((stage) => ({ ...stage, standardMinutes: 40, laborRatePerHour: null }));
    const answer = await granted(baker.call('PUT', `${RECIPES}/${id}`, { stages: longer }));
    expect(answer.text).not.toMatch(/laborRatePerHour|standardUnitCost/);
    expect(await read(id)).toMatchObject({ standardUnitCost: 7.25, stages: [{ ...paid, standardMinutes: 40 }] });
  });
});

test('the status says which modules the store has', async () => {
  const status = async () => (await granted(store.call('GET', '/bakery-production/status'))).body as object;
  expect(await status()).toEqual({ production: false, scaleCode: true, orders: false });
  await granted(store.call('PATCH', '/store', { modules: { production: true } }));
  expect(await status()).toEqual({ production: true, scaleCode: true, orders: false });
});
