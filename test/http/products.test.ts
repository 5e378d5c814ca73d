import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { productAnswer } from '../../src/features/products/answers.js';
import { isGtin } from '../../src/brazil/gtin.js';
import { expectOk, refusal } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Writing products over HTTP. */

const world = await openWorld();
afterAll(() => world.close());
const [store, other] = await Promise.all([world.newStore(), world.newStore()]);

const NOBODY = '01a1fe3e-9906-738c-84d5-8a2d82a0e196';
const BREAD = { description: 'Pão Francês', priceCash: 18.9, priceCredit: 19.9 };

const post = (body: object, headers = {}, by = store) => by.call('POST', '/products', body, headers);
const patch = (id: string, body: object, headers = {}) => store.call('PATCH', `/products/${id}`, body, headers);
const create = async (body: object = {}, by = store): Promise<ProductAnswer> =>
  (await expectOk(post({ ...BREAD, ...body }, {}, by))) as ProductAnswer;
const readBack = (id: string): Promise<Answer> => store.call('GET', `/products/${id}`);
const pathsOf = ({ body }: Answer): readonly string[] =>
  ((body as { errors?: { path: string }[] }).errors ?? []).map(({ path }) => path);
const named = async (path: string, by = store): Promise<string> =>
  ((await expectOk(by.call('POST', path, { name: randomUUID() }))) as { id: string }).id;

describe('a new product', () => {
  test('has what is usual, one variant and a code of its own', async () => {
    const { status, body, headers } = await post(BREAD);
    expect([status, headers.get('etag')]).toEqual([201, '"0"']);
    const answer = productAnswer.parse(body);
    expect(answer).toMatchObject({
      ...BREAD,
      productType: 'MERCHANDISE',
      isComposite: false,
      components: [],
      componentsComplete: true,
      profitMargin: 100,
      managerialCost: null,
      active: true,
      availableForDelivery: false,
      saleUnit: 'UN',
      tagIds: [],
      stockQty: 0,
      averageCost: null,
    });
    expect(answer.variants).toMatchObject([{ label: null, gtin: answer.gtin, sku: null, stockQty: 0 }]);
    expect([isGtin(answer.gtin ?? ''), answer.gtin?.length, answer.gtin?.[0]]).toEqual([true, 13, '2']);
  });

  test('keeps every field, and shows the same when it is read', async () => {
    const [categoryId, brandId, tag] = await Promise.all([
      named('/categories'),
      named('/brands'),
      named('/product-tags'),
    ]);
    const given = {
      ...BREAD,
      catalogDescription: 'Quentinho',
      productType: 'SERVICE',
      costPrice: 8.123456789,
      managerialCost: 9.45,
      profitMargin: 12.5,
      categoryId,
      brandId,
      tagIds: [tag, tag],
      active: false,
      availableForDelivery: true,
      isFavorite: true,
      controlsLots: true,
      gtin: ' 7891000315507 ',
      sku: `Pão-${randomUUID().slice(0, 8)}`,
      saleUnit: 'kg',
      unitVolumeLiters: 0.5,
      ncm: '19059090',
      cest: '1705700',
      issServiceCode: '14.01',
      nbsCode: '123456789',
      issRate: 5,
      issRetained: true,
      netWeightKg: 0.05,
      packagingTareKg: '0.010',
      volumeSpecies: 'CAIXA',
      tribUnit: 'KG',
      tribUnitFactor: '12.48',
      ipiUnitValue: '0.1',
      ipiBaseMode: 'UNIT',
      ipiInStBase: false,
      pisUnitValue: 0,
      cofinsUnitValue: '0.2',
    };
    const { status, body, text } = await post(given);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        ...given,
        profitMargin: 100,
        tagIds: [tag],
        gtin: '7891000315507',
        saleUnit: 'KG',
        netWeightKg: '0.05',
        packagingTareKg: '0.01',
        pisUnitValue: '0',
      }),
    ]);
    productAnswer.strict().parse(body);
    expect((await readBack((body as ProductAnswer).id)).text).toBe(text);
  });

  test('may have a grid', async () => {
    const variants = [
      { label: 'P', division: 'Azul', gtin: '96385074', sku: 'cam-p', netWeightKg: '0.2' },
      { label: 'M', division: 'Azul', packagingTareKg: 0.01, tribUnitFactor: '2' },
    ];
    const answer = await create({ description: 'Camiseta', variants });
    expect(answer.gtin).toBeNull();
    expect(answer.variants).toMatchObject([
      { ...variants[0], subdivision: null },
      { label: 'M', packagingTareKg: '0.01', tribUnitFactor: '2', sku: null },
    ]);
    expect(isGtin(answer.variants[1]?.gtin ?? '')).toBe(true);
    expect((await readBack(answer.id)).body).toEqual(answer);
  });

  test('may be described like another', async () => {
    const [first, second] = await Promise.all([create({ description: 'Água' }), create({ description: 'agua' })]);
    expect(first.id).not.toBe(second.id);
  });

  test('needs a permission', async () => {
    const reader = await world.newKey(store.slug, 'products.view');
    expect((await post(BREAD, {}, reader)).status).toBe(403);
  });

  test('is made once for an idempotency key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [await post(BREAD, key), await post(BREAD, key)];
    expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
  });
});

describe('a change', () => {
  test('changes what it names, and answers with the whole record', async () => {
    const { id, variants } = await create({ managerialCost: 9.45, netWeightKg: '1', ipiUnitValue: '2' });
    const answer = await patch(id, { description: 'Pão de Sal', netWeightKg: null });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"1"']);
    expect(answer.body).toMatchObject({ description: 'Pão de Sal', netWeightKg: null, ipiUnitValue: '2', variants });
    expect((await readBack(id)).text).toBe(answer.text);
  });

  test('follows the price rule', async () => {
    const { id, profitMargin } = await create({ managerialCost: 9.45 });
    expect(profitMargin).toBe(100);
    const figures = async (body: object) => {
      const { priceCash, profitMargin: margin, managerialCost } = (await patch(id, body)).body as ProductAnswer;
      return [priceCash, margin, managerialCost];
    };
    expect(await figures({ profitMargin: 50 })).toEqual([14.18, 50, 9.45]);
    expect(await figures({ priceCash: 18.9 })).toEqual([18.9, 100, 9.45]);
    expect(await figures({ managerialCost: 10 })).toEqual([18.9, 89, 10]);
    expect(await figures({ priceCash: 20, profitMargin: 7 })).toEqual([20, 100, 10]);
    expect(await figures({ managerialCost: null, profitMargin: 7 })).toEqual([20, 7, null]);
  });

  test('of nothing changes neither record nor entity tag', async () => {
    const { id, ...before } = await create({ sku: `n-${randomUUID().slice(0, 8)}` });
    const { components: _components, componentsComplete: _complete, ...rest } = before;
    const { stockQty: _stock, averageCost: _cost, variants: _variants, createdAt: _at, updatedAt, ...body } = rest;
    const { headers, body: after } = await patch(id, body);
    expect([headers.get('etag'), after]).toEqual(['"0"', expect.objectContaining({ id, updatedAt })]);
  });

  test('wins once among 50 with one entity tag', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        patch(id, { description: `Pão ${String(index)}` }, { 'if-match': '"0"' }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(412)]).toEqual([1, 49]);
  });

  test('that is repeated with its key is found, although the record has a newer tag by then', async () => {
    const { id } = await create();
    const headers = { 'if-match': '"0"', 'idempotency-key': randomUUID() };
    const [first, second] = [
      await patch(id, { gtin: '', sku: `r-${id.slice(-8)}` }, headers),
      await patch(id, { gtin: '', sku: `r-${id.slice(-8)}` }, headers),
    ];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  });

  test('replaces the tags', async () => {
    const [{ id }, one, two] = await Promise.all([create(), named('/product-tags'), named('/product-tags')]);
    const put = (tagIds: readonly string[], headers = {}) =>
      store.call('PUT', `/products/${id}/tags`, { tagIds }, headers);
    expect((await put([one, two])).body).toMatchObject({ tagIds: [one, two] });
    expect((await put([two])).body).toMatchObject({ tagIds: [two] });
    expect((await put([], { 'if-match': '"0"' })).status).toBe(412);
    expect((await put([])).body).toMatchObject({ tagIds: [] });
    const refused = await put([two, NOBODY]);
    expect([refused.status, pathsOf(refused)]).toEqual([404, ['tagIds[1]']]);
  });
});

describe('the end of a product', () => {
  test('frees its codes', async () => {
    const codes = { gtin: '4006381333931', sku: 'fim-1' };
    const { id } = await create(codes);
    expect((await store.call('DELETE', `/products/${id}`, undefined, { 'if-match': '"1"' })).status).toBe(412);
    expect((await store.call('DELETE', `/products/${id}`)).status).toBe(204);
    expect((await readBack(id)).status).toBe(404);
    expect((await store.call('DELETE', `/products/${id}`)).status).toBe(404);
    expect((await patch(id, { active: false })).status).toBe(404);
    await create(codes);
  });
});

describe('variants', () => {
  const path = (id: string, variantId?: string) =>
    `/products/${id}/variants${variantId === undefined ? '' : `/${variantId}`}`;

  test('come, change and go', async () => {
    const { id, variants: first } = await create();
    const added = await store.call('POST', path(id), { label: 'Mini', sku: 'mini-1' });
    expect([added.status, added.headers.get('etag'), added.body]).toEqual([
      201,
      '"1"',
      expect.objectContaining({ label: 'Mini', sku: 'mini-1', stockQty: 0 }),
    ]);
    const { id: variantId, gtin } = added.body as { id: string; gtin: string };
    const changed = await store.call('PATCH', path(id, variantId), { sku: null, netWeightKg: '0.02', gtin: '' });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ id: variantId, label: 'Mini', sku: null, netWeightKg: '0.02', gtin }),
    ]);
    expect((await readBack(id)).body).toMatchObject({
      gtin: null,
      variants: [{ id: first[0]?.id }, { id: variantId }],
    });
    await create({ sku: 'MINI-1' });
    const stale = { 'if-match': '"0"' };
    expect((await store.call('DELETE', path(id, variantId), undefined, stale)).status).toBe(412);
    expect((await store.call('DELETE', path(id, variantId))).status).toBe(204);
    expect(refusal(await store.call('DELETE', path(id, first[0]?.id)))).toEqual([409, 'LAST_VARIANT']);
    await create({ gtin });
  });

  test('are not those of another product', async () => {
    const [{ id }, { variants }] = await Promise.all([create(), create()]);
    expect((await store.call('PATCH', path(id, variants[0]?.id), { label: 'x' })).status).toBe(404);
    expect((await store.call('DELETE', path(id, variants[0]?.id))).status).toBe(404);
    expect((await store.call('POST', path(NOBODY), { label: 'x' })).status).toBe(404);
  });

  test('are not alike', async () => {
    const { id } = await create({ variants: [{ label: 'P' }, { label: 'M' }] });
    expect(refusal(await store.call('POST', path(id), { label: 'p' }))).toEqual([409, 'VARIANT_EXISTS']);
    expect(refusal(await post({ ...BREAD, variants: [{ label: 'P' }, { label: 'p' }] }))).toEqual([
      409,
      'VARIANT_EXISTS',
    ]);
  });

  test('of a grid have the barcodes', async () => {
    const { id } = await create({ variants: [{ label: 'P' }, { label: 'M' }] });
    expect(refusal(await patch(id, { gtin: '7891000053508' }))).toEqual([409, 'PRODUCT_HAS_GRID']);
    expect((await patch(id, { gtin: null, description: 'Igual' })).status).toBe(200);
  });
});

describe('ids that name nothing', () => {
  test('are named by their places', async () => {
    const ids = {
      categoryId: NOBODY,
      brandId: NOBODY,
      tagIds: [NOBODY],
      components: [{ componentVariantId: NOBODY, quantity: 1 }],
    };
    const { components, ...references } = ids;
    const refused = await post({ ...BREAD, ...references });
    expect([...refusal(refused), ...pathsOf(refused)]).toEqual([
      404,
      'NOT_FOUND',
      'categoryId',
      'brandId',
      'tagIds[0]',
    ]);
    expect(pathsOf(await post({ ...BREAD, components }))).toEqual(['components[0].componentVariantId']);
    const { id } = await create();
    expect(pathsOf(await patch(id, references))).toEqual(['categoryId', 'brandId', 'tagIds[0]']);
    expect(pathsOf(await patch(id, { components }))).toEqual(['components[0].componentVariantId']);
  });

  test('may be those of another store', async () => {
    const theirs = await create({}, other);
    const components = [{ componentVariantId: theirs.variants[0]?.id, quantity: 1 }];
    expect(pathsOf(await post({ ...BREAD, components }))).toEqual(['components[0].componentVariantId']);
    expect((await patch(theirs.id, { active: false })).status).toBe(404);
  });

  test('are no ids at all', async () => {
    expect((await post({ ...BREAD, categoryId: 'x' })).status).toBe(400);
    for (const path of ['/products/not-an-id', `/products/${'a'.repeat(3_000)}`]) {
      expect((await store.call('PATCH', path, { active: true })).status).toBe(404);
      expect((await store.call('DELETE', path)).status).toBe(404);
    }
  });
});
