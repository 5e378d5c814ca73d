import { afterAll, expect, test } from '@jest/globals';
import { granted, newProduct } from '../support/bakery.js';
import { fiscalStore } from '../support/fiscal/store.js';
import { openWorld } from '../support/world.js';

/** A kit without a classification is taxed by its parts: by those that were sold, whatever became of it since. */

const world = await openWorld();
afterAll(() => world.close());
const store = await fiscalStore(world);

const ask = (method: string, path: string, body?: unknown) => granted(store.call(method, path, body));
const goods = (sku: string, priceCash: number, more: object = {}) =>
  newProduct(store, sku, { sku, priceCash, stockQty: 100, ncm: '19059090', ...more });

type Made = Awaited<ReturnType<typeof newProduct>>;
type Parts = readonly (readonly [part: Made, quantity: number])[];

const componentsOf = (parts: Parts) =>
  parts.map(([{ variantId }, quantity]) => ({ componentVariantId: variantId, quantity }));
const kitOf = (sku: string, ...parts: Parts) => newProduct(store, sku, { sku, components: componentsOf(parts) });
const changed = ({ id }: Made, body: object) => ask('PATCH', `/products/${id}`, body);

async function sold({ variantId }: Made, quantity: number): Promise<string> {
  const items = [{ variantId, quantity, unitPrice: 10 }];
  const { body } = await ask('POST', '/sales', { items, payments: [{ method: 'PIX', amount: quantity * 10 }] });
  return body.id as string;
}

/** Code, quantity and value of each item of the sale's document. */
async function taxed(saleId: string): Promise<readonly (readonly string[])[]> {
  const { body } = await ask('POST', '/fiscal/documents', { saleId, model: 65 });
  expect(body).toMatchObject({ status: 'AUTHORIZED' });
  const { text } = await store.call('GET', `/fiscal/documents/${String(body.id)}/xml`);
  const valueOf = (item: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(item)?.[1] ?? '';
  return [...text.matchAll(/<det .*?<\/det>/gs)].map(([item]) => [
    valueOf(item, 'cProd'),
    valueOf(item, 'qCom'),
    valueOf(item, 'vProd'),
  ]);
}

test('has the parts and the prices that it was sold with, less what came back', async () => {
  const [roll, jam, honey] = await Promise.all([goods('K1-ROLL', 1), goods('K1-JAM', 4), goods('K1-HONEY', 50)]);
  const kit = await kitOf('K1', [roll, 2], [jam, 1]);
  const [plain, inPart] = [await sold(kit, 1), await sold(kit, 3)];
  await changed(kit, { components: componentsOf([[honey, 1]]) });
  await Promise.all([changed(roll, { priceCash: 20 }), changed(jam, { priceCash: 1 })]);
  await ask('POST', `/sales/${inPart}/returns`, { items: [{ variantId: kit.variantId, quantity: 1 }] });
  expect(await taxed(plain)).toEqual([
    ['K1-ROLL', '2.0000', '3.33'],
    ['K1-JAM', '1.0000', '6.67'],
  ]);
  expect(await taxed(inPart)).toEqual([
    ['K1-ROLL', '4.0000', '6.67'],
    ['K1-JAM', '2.0000', '13.33'],
  ]);
  expect(await taxed(await sold(kit, 1))).toEqual([['K1-HONEY', '1.0000', '10.00']]);
});

test('is told by its parts also when it is none by then, or when a kit that it held is gone', async () => {
  const [roll, jam] = await Promise.all([goods('K2-ROLL', 2), goods('K2-JAM', 4)]);
  const pair = await kitOf('K2-PAIR', [roll, 3]);
  const kit = await kitOf('K2', [pair, 1], [jam, 1]);
  const saleId = await sold(kit, 1);
  await changed(kit, { components: [], isComposite: false });
  await ask('DELETE', `/products/${pair.id}`);
  expect(await taxed(saleId)).toEqual([
    ['K2-ROLL', '3.0000', '6.00'],
    ['K2-JAM', '1.0000', '4.00'],
  ]);
});

test('is one item as soon as it has a classification, also one that is given after it was sold', async () => {
  const roll = await goods('K3-ROLL', 1);
  const pair = await kitOf('K3-PAIR', [roll, 2]);
  const kit = await kitOf('K3', [pair, 2], [roll, 1]);
  const [byParts, whole] = [await sold(kit, 1), await sold(kit, 1)];
  await changed(pair, { ncm: '19059090', priceCash: 3 });
  expect(await taxed(byParts)).toEqual([
    ['K3-PAIR', '2.0000', '6.67'],
    ['K3-ROLL', '1.0000', '3.33'],
  ]);
  await changed(kit, { ncm: '19059090' });
  expect(await taxed(whole)).toEqual([['K3', '1.0000', '10.00']]);
});

test('is kept once a sale however often it occurs, and a sale without any says nothing of kits', async () => {
  const roll = await goods('K4-ROLL', 1);
  const pair = await kitOf('K4-PAIR', [roll, 2]);
  const kit = await kitOf('K4', [pair, 2], [roll, 1]);
  const soldOf = async (...all: readonly Made[]) => {
    const items = all.map(({ variantId }) => ({ variantId, quantity: 1, unitPrice: 0 }));
    const sale = { items, payments: [] };
    const { body } = await granted(store.call('POST', '/sales', sale, { prefer: 'dry-run' }));
    return (body.events as readonly [{ readonly data: object }])[0].data;
  };
  const rolls = { variantId: roll.variantId, priceCash: '1' };
  expect(await soldOf(kit, pair, kit)).toHaveProperty('kits', [
    {
      variantId: kit.variantId,
      parts: [
        { variantId: pair.variantId, quantity: '2', priceCash: '1' },
        { ...rolls, quantity: '1' },
      ],
    },
    { variantId: pair.variantId, parts: [{ ...rolls, quantity: '2' }] },
  ]);
  expect(await soldOf(roll)).not.toHaveProperty('kits');
});

test('counts by its parts: a document has at most 990 items', async () => {
  const parts = await Promise.all(Array.from({ length: 100 }, (_, at) => goods(`K9-${String(at)}`, 1)));
  const kit = await kitOf('K9', ...parts.map((part) => [part, 1] as const));
  const failureOf = async (loose: number) => {
    const variants = [...Array.from({ length: 9 }, () => kit), ...parts.slice(0, loose)];
    const items = variants.map(({ variantId }) => ({ variantId, quantity: 1, unitPrice: 1 }));
    const payments = [{ method: 'PIX', amount: items.length }];
    const { id } = (await ask('POST', '/sales', { items, payments })).body;
    const { failure } = (await ask('POST', '/fiscal/documents', { saleId: id, model: 65 })).body;
    return (failure as { readonly code: string }).code;
  };
  // One fewer is refused for nothing but its length.
  expect([await failureOf(90), await failureOf(91)]).toEqual(['TOO_LARGE', 'TOO_MANY_ITEMS']);
});
