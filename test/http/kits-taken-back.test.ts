import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
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

const componentsOf = ({ variants }: ProductAnswer) => [{ componentVariantId: variants[0]?.id, quantity: 1 }];

test('a kit that becomes too deep meanwhile is taken back whole', async () => {
  let deep = (await expectOk(newProduct())) as ProductAnswer;
  for (let depth = 1; depth <= 19; depth++) {
    deep = (await expectOk(newProduct({ components: componentsOf(deep) }))) as ProductAnswer;
  }
  const part = (await expectOk(newProduct({ isComposite: true }))) as ProductAnswer;
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const deepened = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if (!stream.startsWith('kits-')) return execute(type, stream, command, envelope);
    deepened.mockRestore();
    await expectOk(store.call('PATCH', `/products/${part.id}`, { components: componentsOf(deep) }));
    return execute(type, stream, command, envelope);
  });
  const body = { components: componentsOf(part), sku: unique() };
  expect(refusal(await newProduct(body))).toEqual([409, 'KIT_TOO_DEEP']);
  // Nothing holds what it was to have.
  expect((await newProduct({ sku: body.sku })).status).toBe(201);
});

test('a product that becomes a service while a kit is to take it is no part of one before it is none', async () => {
  const part = (await expectOk(newProduct())) as ProductAnswer;
  const kit = { components: componentsOf(part) };
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let taken: Answer | undefined;
  const changing = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if (!stream.endsWith(part.id)) return execute(type, stream, command, envelope);
    changing.mockRestore();
    taken = await newProduct(kit);
    return execute(type, stream, command, envelope);
  });
  await expectOk(store.call('PATCH', `/products/${part.id}`, { productType: 'SERVICE' }));
  expect(taken && refusal(taken)).toEqual([409, 'KIT_OF_SERVICE']);
  await expectOk(store.call('PATCH', `/products/${part.id}`, { productType: 'MERCHANDISE' }));
  expect((await newProduct(kit)).status).toBe(201);
});

test('a product that may not become a service may enter kits as before', async () => {
  const part = (await expectOk(newProduct({ stockQty: 1 }))) as ProductAnswer;
  const refused = await store.call('PATCH', `/products/${part.id}`, { productType: 'SERVICE' });
  expect(refusal(refused)).toEqual([409, 'PRODUCT_HAS_MOVED']);
  expect((await newProduct({ components: componentsOf(part) })).status).toBe(201);
});

/** The parts of a kit stand in a stream of their own: what dies before that hears of it leaves them there. */
async function interruptedBeforeParts(path: string): Promise<void> {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const dying = jest
    .spyOn(lanes, 'execute')
    .mockImplementation((type, stream, command, envelope) =>
      stream.startsWith('kits-')
        ? Promise.reject(new Error('the process is dead'))
        : execute(type, stream, command, envelope),
    );
  try {
    expect((await store.call('DELETE', path)).status).toBe(500);
  } finally {
    dying.mockRestore();
  }
}

describe('a part that only an interrupted deletion left in a kit', () => {
  /** Gives the path of the new part of a kit, or of one of its variants. */
  async function partOf(kit: ProductAnswer, parentVariantId: string | null = null): Promise<string> {
    const { id, variants } = (await expectOk(newProduct())) as ProductAnswer;
    const components = [{ componentVariantId: variants[0]?.id, quantity: 1, parentVariantId }];
    await expectOk(store.call('PATCH', `/products/${kit.id}`, { components }));
    return `/products/${id}`;
  }

  test('goes after its kit, or becomes a service', async () => {
    const kit = (await expectOk(newProduct())) as ProductAnswer;
    const part = await partOf(kit);
    await interruptedBeforeParts(`/products/${kit.id}`);
    expect((await store.call('GET', `/products/${kit.id}`)).status).toBe(404);
    expect((await store.call('PATCH', part, { productType: 'SERVICE' })).status).toBe(200);
    expect((await store.call('DELETE', part)).status).toBe(204);
  });

  test('goes after the variant that took it, while those of other variants stay', async () => {
    const kit = (await expectOk(newProduct({ variants: [{ label: 'P' }, { label: 'M' }] }))) as ProductAnswer;
    const [small = '', medium = ''] = kit.variants.map(({ id }) => id);
    const part = await partOf(kit, small);
    await interruptedBeforeParts(`/products/${kit.id}/variants/${small}`);
    expect((await store.call('DELETE', part)).status).toBe(204);
    const other = await partOf(kit, medium);
    expect(refusal(await store.call('DELETE', other))).toEqual([409, 'PRODUCT_IN_USE']);
  });
});

test('no two facts have one id', async () => {
  const ids = (await wholeLog(world)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
