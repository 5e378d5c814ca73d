import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { withCheckDigit } from '../../src/brazil/gtin.js';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { withLostAnswer } from '../support/lost-answer.js';
import { expectOk, refusal, wholeLog } from '../support/people.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Products whose requests are repeated late, or have to take back what they did. */

let world: World;
let store: StoreClient;
beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
});
afterAll(() => world.close());

let made = 0;
const unique = (): string => `tardia-${String(++made)}`;
const keyed = () => ({ 'idempotency-key': randomUUID() });

/** Asks and loses the answer; gives what asks again. */
async function lost(method: string, path: string, body: object): Promise<() => Promise<Answer>> {
  const headers = keyed();
  const ask = () => store.call(method, path, body, headers);
  const first = await withLostAnswer(world, ask);
  expect([first.status, first.text]).toEqual([200, first.text]);
  return ask;
}

const gtin = (): string => withCheckDigit(`78910009${String(++made).padStart(4, '0')}`);
const newProduct = (body: object = {}): Promise<Answer> =>
  store.call('POST', '/products', { description: unique(), priceCash: 1, priceCredit: 1, ...body });

test('a product keeps the code that came after the one of a repeated change', async () => {
  const [former, present] = [gtin(), gtin()];
  const { id } = (await expectOk(newProduct())) as ProductAnswer;
  const again = await lost('PATCH', `/products/${id}`, { gtin: former });
  await expectOk(store.call('PATCH', `/products/${id}`, { gtin: present }));
  expect((await again()).status).toBe(200);
  expect(refusal(await newProduct({ gtin: present }))).toEqual([409, 'GTIN_TAKEN']);
  await expectOk(newProduct({ gtin: former }));
});

/** Deletes a part, and lets nobody know that it did not go yet while something else is asked for. */
async function whileDeleting<T>(path: string, ask: () => Promise<T>): Promise<readonly [T, Answer]> {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let goOn = (): void => undefined;
  const asked = new Promise<void>((resolve) => (goOn = resolve));
  let began = (): void => undefined;
  const retired = new Promise<void>((resolve) => (began = resolve));
  const held = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    const executed = await execute(type, stream, command, envelope);
    if ((command as { readonly type: string }).type !== 'retire') return executed;
    held.mockRestore();
    began();
    await asked;
    return executed;
  });
  const deleting = store.call('DELETE', path);
  await retired;
  const answer = await ask();
  goOn();
  return [answer, await deleting];
}

test.each([
  ['with a key', keyed],
  ['without a key', () => ({})],
])('a kit whose part goes meanwhile is taken back whole, %s', async (_, headers) => {
  const part = (await expectOk(newProduct())) as ProductAnswer;
  const components = [{ componentVariantId: part.variants[0]?.id, quantity: 1 }];
  const description = unique();
  const body = { description, priceCash: 1, priceCredit: 1, isComposite: true, components };
  const [kit, deleted] = await whileDeleting(`/products/${part.id}`, () =>
    store.call('POST', '/products', body, headers()),
  );
  expect(refusal(kit)).toEqual([404, 'NOT_FOUND']);
  expect(deleted.status).toBe(204);
  const { body: found } = await store.call('GET', `/products?q=${description}`);
  const { items } = found as { readonly items: readonly { readonly description: string }[] };
  expect(items.map((item) => item.description)).not.toContain(description);
});

test('no two facts have one id', async () => {
  const ids = (await wholeLog(world)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
