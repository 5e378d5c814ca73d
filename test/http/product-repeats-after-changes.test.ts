import { afterAll, expect, test } from '@jest/globals';
import { withCheckDigit } from '../../src/brazil/gtin.js';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { loseAnswer } from '../support/lost-answer.js';
import { expectOk, refusal } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A request whose answer got lost is repeated when its product has changed since: nothing is done again, and codes stay with those who have them. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

let made = 0;
const freshGtin = (): string => withCheckDigit(`78920003${String(++made).padStart(4, '0')}`);
const body = (codes: object) => ({ description: 'Pão', priceCash: 1, priceCredit: 1, ...codes });
const create = (codes: object = {}): Promise<Answer> => store.call('POST', '/products', body(codes));
const created = async (codes?: object): Promise<ProductAnswer> => (await expectOk(create(codes))) as ProductAnswer;
const change = (path: string, changes: object): Promise<unknown> => expectOk(store.call('PATCH', path, changes));
const gtinsOf = async ({ id }: ProductAnswer) =>
  ((await expectOk(store.call('GET', `/products/${id}`))) as ProductAnswer).variants.map(({ gtin }) => gtin);

const lost = (method: string, path: string, sent: object) => loseAnswer(world, store, method, path, sent);

test.each([
  ['barcode', 'gtin', freshGtin, 'GTIN_TAKEN'],
  ['SKU', 'sku', () => `sku-${String(++made)}`, 'SKU_TAKEN'],
] as const)('the %s that a product got since stays its own', async (_, field, fresh, taken) => {
  const [first, second, third] = [fresh(), fresh(), fresh()];
  const path = `/products/${(await created({ [field]: first })).id}`;
  const { repeat } = await lost('PATCH', path, { [field]: second });
  await change(path, { [field]: third });
  await repeat();
  expect(refusal(await create({ [field]: third }))).toEqual([409, taken]);
  expect((await create({ [field]: second })).status).toBe(201);
});

test('the barcode that a variant got since stays its own', async () => {
  const [first, second] = [freshGtin(), freshGtin()];
  const product = await created();
  const path = `/products/${product.id}/variants/${product.variants[0]?.id ?? ''}`;
  const { repeat } = await lost('PATCH', path, { gtin: first });
  await change(path, { gtin: second });
  await repeat();
  expect(refusal(await create({ gtin: second }))).toEqual([409, 'GTIN_TAKEN']);
});

test('a repeat is answered when its barcode went to another product since', async () => {
  const [first, second] = [freshGtin(), freshGtin()];
  const product = await created({ gtin: first });
  const { repeat } = await lost('PATCH', `/products/${product.id}`, { gtin: second });
  await change(`/products/${product.id}`, { gtin: first });
  const other = await created({ gtin: second });
  await repeat();
  expect([await gtinsOf(product), await gtinsOf(other)]).toEqual([[first], [second]]);
});

test('a repeated creation leaves the product its SKU when its barcode went to another one since', async () => {
  const [gtin, sku] = [freshGtin(), `sku-${String(++made)}`];
  const { first, repeat } = await lost('POST', '/products', body({ gtin, sku }));
  await change(`/products/${(first.body as unknown as ProductAnswer).id}`, { gtin: '' });
  await created({ gtin });
  expect((await repeat()).body).toEqual(first.body);
  expect(refusal(await create({ sku }))).toEqual([409, 'SKU_TAKEN']);
});

test('a repeated addition of a variant is answered when its barcode went to another product since', async () => {
  const gtin = freshGtin();
  const { id } = await created();
  const { first, repeat } = await lost('POST', `/products/${id}/variants`, { label: 'Mini', gtin });
  await change(`/products/${id}/variants/${first.body.id as string}`, { gtin: '' });
  await created({ gtin });
  await repeat();
});

test('a repeat is answered when the category that it names was deleted since', async () => {
  const category = (await expectOk(store.call('POST', '/categories', { name: `Pães ${String(++made)}` }))) as {
    readonly id: string;
  };
  const { id } = await created();
  const changed = await lost('PATCH', `/products/${id}`, { categoryId: category.id });
  const added = await lost('POST', '/products', body({ categoryId: category.id }));
  expect((await store.call('DELETE', `/categories/${category.id}`)).status).toBe(204);
  await changed.repeat();
  await added.repeat();
});
