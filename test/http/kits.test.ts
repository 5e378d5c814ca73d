import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { kitEvents } from '../../src/features/products/events.js';
import { expectOk, refusal, wholeLog } from '../support/people.js';
import { openWorld } from '../support/world.js';

/** Kits and their parts. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const post = (body: object) =>
  store.call('POST', '/products', { description: 'Cesta', priceCash: 50, priceCredit: 50, ...body });
const create = async (body: object = {}): Promise<ProductAnswer> => (await expectOk(post(body))) as ProductAnswer;
const patch = (id: string, body: object, headers = {}) => store.call('PATCH', `/products/${id}`, body, headers);
const read = async (id: string) => (await expectOk(store.call('GET', `/products/${id}`))) as ProductAnswer;
const variantOf = ({ variants }: ProductAnswer): string => variants[0]?.id ?? '';
const partOf = (product: ProductAnswer, quantity = 1, more = {}) => ({
  componentVariantId: variantOf(product),
  quantity,
  ...more,
});
const recorded = async () => (await wholeLog(world)).filter(({ type }) => kitEvents.definitions.has(type)).length;

describe('a kit', () => {
  test('lies within twenty others at most, whether it is made or changed', async () => {
    let inner = await create();
    for (let depth = 1; depth <= 20; depth++) inner = await create({ components: [partOf(inner)] });
    expect(refusal(await post({ components: [partOf(inner)] }))).toEqual([409, 'KIT_TOO_DEEP']);
    const outer = await create({ components: [partOf(await create())] });
    expect(refusal(await patch(outer.id, { components: [partOf(inner)] }))).toEqual([409, 'KIT_TOO_DEEP']);
    expect((await read(outer.id)).components).toHaveLength(1);
  });

  test('takes at most as many parts as one sale, whether it is made or changed', async () => {
    const breads = Array.from({ length: 90 }, (_, index) => ({ label: String(index) }));
    const { variants } = await create({ variants: breads });
    const box = await create({ components: variants.map(({ id }) => ({ componentVariantId: id, quantity: 1 })) });
    const grid = await create({ isComposite: true, variants: variants.slice(0, 60).map(({ label }) => ({ label })) });
    await expectOk(patch(grid.id, { components: [partOf(box)] }));
    const boxes = grid.variants.map(({ id }) => ({ componentVariantId: id, quantity: 1 }));
    expect(refusal(await post({ components: boxes }))).toEqual([409, 'KIT_TOO_LARGE']);
    const fewer = await create({ components: boxes.slice(0, 50) });
    expect(refusal(await patch(fewer.id, { components: boxes }))).toEqual([409, 'KIT_TOO_LARGE']);
    expect((await read(fewer.id)).components).toHaveLength(50);
  });

  test('is made of its parts', async () => {
    const [bread, jam] = await Promise.all([create(), create()]);
    const kit = await create({ components: [partOf(bread, 2.5), partOf(jam)], expectedComponentCount: 3 });
    expect(kit).toMatchObject({
      isComposite: true,
      componentsComplete: false,
      components: [
        { ...partOf(bread, 2.5), parentVariantId: null },
        { ...partOf(jam), parentVariantId: null },
      ],
    });
    expect(await read(kit.id)).toEqual(kit);
    const complete = await patch(kit.id, { expectedComponentCount: 2 });
    expect(complete.body).toMatchObject({ componentsComplete: true });
  });

  test('has what its parts allow, those of kits within it as well', async () => {
    const bread = await create({ stockQty: 10, managerialCost: 1 });
    const jam = await create({ stockQty: 4, managerialCost: 2 });
    const breakfast = await create({ components: [partOf(bread, 2), partOf(jam)] });
    const family = await create({ components: [partOf(breakfast, 2)] });
    const cost = { averageCost: 8, variants: [{ stockQty: 2, averageCost: 8 }] };
    expect(family).toMatchObject({ stockQty: 2, ...cost });
    expect(await read(family.id)).toMatchObject({ stockQty: 2, ...cost });
    const feast = await create({ components: [partOf(family), partOf(bread, 4)] });
    expect(feast).toMatchObject({ stockQty: 1, averageCost: 12 });
    const empty = await create({ isComposite: true });
    expect(await create({ components: [partOf(bread), partOf(empty)] })).toMatchObject({ stockQty: 0 });
  });

  test('gets other parts, and with them another entity tag', async () => {
    const [bread, jam] = await Promise.all([create(), create()]);
    const { id } = await create({ components: [partOf(bread)] });
    const changed = await patch(id, { components: [partOf(jam, 2)] }, { 'if-match': '"0"' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"1"']);
    expect(changed.body).toMatchObject({ components: [partOf(jam, 2)] });
    const same = await patch(id, { components: [partOf(jam, 2)] });
    expect([same.status, same.headers.get('etag')]).toEqual([200, '"1"']);
    const stale = await patch(id, { components: [partOf(bread)] }, { 'if-match': '"0"' });
    expect([stale.status, (await read(id)).components]).toEqual([412, [{ ...partOf(jam, 2), parentVariantId: null }]]);
  });

  test('has other parts for each of its variants, until that goes', async () => {
    const [bread, jam] = await Promise.all([create(), create()]);
    const { id, variants } = await create({ isComposite: true, variants: [{ label: 'P' }, { label: 'G' }] });
    const [small, large] = variants.map((variant) => variant.id);
    const components = [
      partOf(bread, 1, { parentVariantId: small }),
      partOf(bread, 2, { parentVariantId: large }),
      partOf(jam, 1, { parentVariantId: null }),
    ];
    expect((await patch(id, { components })).body).toMatchObject({ components });
    await expectOk(store.call('DELETE', `/products/${id}/variants/${String(small)}`));
    expect((await read(id)).components).toEqual(components.slice(1));
    const foreign = [partOf(bread, 1, { parentVariantId: variantOf(bread) })];
    const refused = await patch(id, { components: foreign });
    expect([refused.status, refused.body]).toMatchObject([
      404,
      { errors: [{ path: 'components[0].parentVariantId' }] },
    ]);
  });

  test('has what its parts allow where a variant takes more of what all of them take', async () => {
    const bread = await create({ stockQty: 5, managerialCost: 1 });
    const { id, variants } = await create({ isComposite: true, variants: [{ label: 'P' }, { label: 'G' }] });
    const large = variants[1]?.id;
    await expectOk(patch(id, { components: [partOf(bread), partOf(bread, 2, { parentVariantId: large })] }));
    expect((await read(id)).variants).toMatchObject([
      { stockQty: 5, averageCost: 1 },
      { stockQty: 1, averageCost: 3 },
    ]);
    const sell = (quantity: number) =>
      store.call('POST', '/sales', { items: [{ variantId: large, quantity, unitPrice: 0 }], payments: [] });
    expect([(await sell(2)).status, (await sell(1)).status]).toEqual([409, 201]);
  });

  test('is none any more when it is said so', async () => {
    const bread = await create();
    const { id } = await create({ components: [partOf(bread)] });
    expect((await patch(id, { isComposite: false })).body).toMatchObject({ isComposite: false, components: [] });
    expect((await patch(id, { components: [partOf(bread)] })).body).toMatchObject({ isComposite: true });
    expect((await patch(id, { isComposite: false, components: [partOf(bread)] })).status).toBe(400);
  });

  test('holds no service', async () => {
    const service = await create({ productType: 'SERVICE' });
    expect(refusal(await post({ components: [partOf(service)] }))).toEqual([409, 'KIT_OF_SERVICE']);
  });

  test('does not hold itself', async () => {
    const inner = await create({ components: [partOf(await create())] });
    const outer = await create({ components: [partOf(inner)] });
    expect(refusal(await patch(outer.id, { components: [partOf(outer)] }))).toEqual([409, 'KIT_CYCLE']);
    expect(refusal(await patch(inner.id, { description: 'Nunca', components: [partOf(outer)] }))).toEqual([
      409,
      'KIT_CYCLE',
    ]);
    expect(await read(inner.id)).toEqual(inner);
  });

  test('does not hold itself by two changes at once', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = await Promise.all([create(), create()]);
      const answers = await Promise.all([
        patch(one.id, { components: [partOf(two)] }),
        patch(two.id, { components: [partOf(one)] }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  test('has the parts of the one change that won among many with one entity tag', async () => {
    const parts = await Promise.all(Array.from({ length: 20 }, () => create()));
    const { id } = await create({ isComposite: true });
    const answers = await Promise.all(
      parts.map((part, index) =>
        patch(id, index % 3 === 0 ? { description: 'Outra' } : { components: [partOf(part)] }, { 'if-match': '"0"' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const part = winner % 3 === 0 ? undefined : parts[winner];
    expect((await read(id)).components).toEqual(part ? [{ ...partOf(part), parentVariantId: null }] : []);
  });

  test('keeps its parts from becoming services', async () => {
    const part = await create();
    const { id } = await create({ components: [partOf(part)] });
    expect(refusal(await patch(part.id, { productType: 'SERVICE' }))).toEqual([409, 'KIT_OF_SERVICE']);
    expect((await patch(id, { isComposite: false })).status).toBe(200);
    expect((await patch(part.id, { productType: 'SERVICE' })).status).toBe(200);
  });

  test('keeps its parts from being deleted', async () => {
    const [bread, two] = await Promise.all([create(), create({ variants: [{ label: 'P' }, { label: 'M' }] })]);
    const { id } = await create({ components: [partOf(bread), partOf(two)] });
    expect(refusal(await store.call('DELETE', `/products/${bread.id}`))).toEqual([409, 'PRODUCT_IN_USE']);
    expect(refusal(await store.call('DELETE', `/products/${two.id}/variants/${variantOf(two)}`))).toEqual([
      409,
      'PRODUCT_IN_USE',
    ]);
    expect((await store.call('DELETE', `/products/${id}`)).status).toBe(204);
    expect((await store.call('DELETE', `/products/${bread.id}`)).status).toBe(204);
    expect((await store.call('DELETE', `/products/${two.id}/variants/${variantOf(two)}`)).status).toBe(204);
  });
});

test('what was sold stays, also a kit or a service, of which no stock ever moved', async () => {
  const part = await create({ stockQty: 5 });
  const [kit, service, other] = await Promise.all([
    create({ components: [partOf(part)], variants: [{ label: 'P' }, { label: 'M' }] }),
    create({ productType: 'SERVICE' }),
    create({ productType: 'SERVICE' }),
  ]);
  const items = [kit, service].map((sold) => ({ variantId: variantOf(sold), quantity: 1, unitPrice: 0 }));
  await expectOk(store.call('POST', '/sales', { items, payments: [] }));
  const remove = async (path: string) => refusal(await store.call('DELETE', `/products/${path}`));
  const sold = [kit.id, service.id, `${kit.id}/variants/${variantOf(kit)}`];
  for (const path of sold) expect(await remove(path)).toEqual([409, 'PRODUCT_IN_USE']);
  expect((await store.call('DELETE', `/products/${kit.id}/variants/${kit.variants[1]?.id ?? ''}`)).status).toBe(204);
  expect((await store.call('DELETE', `/products/${other.id}`)).status).toBe(204);
});

test('a kit without goods in it is not sold', async () => {
  const empty = await create({ isComposite: true });
  for (const kit of [empty, await create({ components: [partOf(empty)] })]) {
    const items = [{ variantId: variantOf(kit), quantity: 1, unitPrice: 0 }];
    expect(refusal(await store.call('POST', '/sales', { items, payments: [] }))).toEqual([409, 'KIT_EMPTY']);
  }
});

describe('the limits of parts', () => {
  test('are 100 of them, each once, more than nothing of each', async () => {
    const { id: owner, variants } = await create({
      variants: Array.from({ length: 101 }, (_, index) => ({ label: `n${String(index)}` })),
    });
    const parts = variants.map(({ id }) => ({ componentVariantId: id, quantity: 0.000001 }));
    expect((await post({ components: parts })).status).toBe(400);
    const kit = await create({ components: parts.slice(1), expectedComponentCount: 100 });
    expect(kit.componentsComplete).toBe(true);
    const [part] = parts;
    for (const wrong of [
      [part, part],
      [{ ...part, quantity: 0 }],
      [{ ...part, quantity: -1 }],
      [{ ...part, quantity: 0.0000001 }],
      [{ ...part, quantity: 1_000_000_000 }],
      [{ ...part, quantity: '1' }],
      [{ ...part, parentVariantId: 'x' }],
      [{ ...part, more: 1 }],
    ]) {
      expect((await patch(kit.id, { components: wrong })).status).toBe(400);
      expect((await post({ components: wrong })).status).toBe(400);
    }
    expect((await post({ components: [{ ...part, parentVariantId: randomUUID() }] })).status).toBe(404);
    expect((await post({ components: [part], stockQty: 1 })).status).toBe(400);
    expect((await read(owner)).variants).toHaveLength(101);
  });
});

test('a refused change records no parts', async () => {
  const kit = await create({ components: [partOf(await create())] });
  const before = await recorded();
  expect((await patch(kit.id, { components: [{ componentVariantId: randomUUID(), quantity: 1 }] })).status).toBe(404);
  expect((await patch(kit.id, { components: [], gtin: '123' })).status).toBe(400);
  expect(await recorded()).toBe(before);
});
