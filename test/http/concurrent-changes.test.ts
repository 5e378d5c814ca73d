import { afterAll, expect, test } from '@jest/globals';
import { expectOk } from '../support/people.js';
import { openWorld } from '../support/world.js';

/** Changes of one record at the same time: each is answered with what it made, and with the tag of that. */

const AT_ONCE = 8;
const world = await openWorld({});
afterAll(() => world.close());
const store = await world.newStore();

async function made(path: string, body: object): Promise<string> {
  const { id } = (await expectOk(store.call('POST', path, body))) as { id: string };
  return `${path}/${id}`;
}

async function recipe(): Promise<string> {
  const product = async (description: string) =>
    (await expectOk(store.call('POST', '/products', { description, priceCash: 1, priceCredit: 1 }))) as {
      variants: readonly [{ id: string }];
    };
  const [bread, flour] = [await product('Pão'), await product('Farinha')];
  return made('/bakery-production/recipes', {
    name: 'Pão',
    finishedVariantId: bread.variants[0].id,
    yieldQty: 1,
    items: [{ componentVariantId: flour.variants[0].id, quantity: 1 }],
  });
}

const records: readonly (readonly [string, 'PATCH' | 'PUT', string, () => Promise<string>])[] = [
  ['a brand', 'PATCH', 'name', () => made('/brands', { name: 'Marca' })],
  ['a category', 'PATCH', 'name', () => made('/categories', { name: 'Categoria' })],
  ['a customer', 'PATCH', 'name', () => made('/customers', { name: 'Ana' })],
  ['a product', 'PATCH', 'description', () => made('/products', { description: 'Bolo', priceCash: 1, priceCredit: 1 })],
  ['a recipe', 'PUT', 'name', recipe],
];

/** Whoever has waited longer for the others is answered out of turn, with what they have made as well. */
const PATIENCE = 2_000;

test.each(records)('%s is answered to each as they made it', async (_, method, member, create) => {
  const path = await create();
  let changes = 0;
  const changed = async () => {
    const wanted = `Mudança ${String((changes += 1))}`;
    const { status, body, headers } = await store.call(method, path, { [member]: wanted });
    return { status, isOwn: (body as Record<string, unknown>)[member] === wanted, tag: headers.get('etag') };
  };
  const round = async () => {
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, changed));
    return performance.now() - began < PATIENCE ? answers : undefined;
  };
  let answers = await round();
  while (!answers) answers = await round();
  expect(answers.map(({ status, isOwn }) => [status, isOwn])).toEqual(answers.map(() => [200, true]));
  expect(new Set(answers.map(({ tag }) => tag)).size).toBe(AT_ONCE);
});
