import { randomUUID } from 'node:crypto';
import { afterAll, expect, jest, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { expectOk, refusal, wholeLog } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Kits that their request has to take back, since a part of theirs goes meanwhile. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

let made = 0;
const unique = (): string => `kit-${String(++made)}`;
const keyed = () => ({ 'idempotency-key': randomUUID() });

const newProduct = (body: object = {}): Promise<Answer> =>
  store.call('POST', '/products', { description: unique(), priceCash: 1, priceCredit: 1, ...body });

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
