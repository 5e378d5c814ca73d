import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ProductAnswer } from '../../src/features/products/answers.js';
import { withCheckDigit } from '../../src/brazil/gtin.js';
import { expectOk, wholeLog } from '../support/people.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A request that stopped between two of its facts is repeated with its key: it goes on, and nothing happens twice. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const create = async (body: object = {}): Promise<ProductAnswer> =>
  (await expectOk(
    store.call('POST', '/products', { description: 'Pão', priceCash: 1, priceCredit: 1, ...body }),
  )) as ProductAnswer;
const variantOf = ({ variants }: ProductAnswer): string => variants[0]?.id ?? '';
const typesSince = async (start: number) => (await wholeLog(world)).slice(start).map(({ type }) => type);
const partOf = (product: ProductAnswer) => ({ componentVariantId: variantOf(product), quantity: 1 });

/** Runs a request whose stream `stopped` takes nothing the first time, and then again with the same key. */
async function interrupted(
  stopped: RegExp,
  [method, path, body, headers = {}]: readonly [string, string, object | undefined, Readonly<Record<string, string>>?],
): Promise<Answer> {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const all = { ...headers, 'idempotency-key': randomUUID() };
  lanes.execute = (type, stream, command, envelope) =>
    stopped.test(stream) ? Promise.reject(new Error('stopped here')) : execute(type, stream, command, envelope);
  try {
    const first = await store.call(method, path, body, all);
    expect([first.status, first.body.code]).toEqual([500, 'INTERNAL_ERROR']);
  } finally {
    lanes.execute = execute;
  }
  return store.call(method, path, body, all);
}

describe('a creation', () => {
  const BODY = { description: 'Bolo', priceCash: 10, priceCredit: 10, managerialCost: 5 };

  test.each([
    ['before its product', /^product-/, { ...BODY, stockQty: 5, gtin: withCheckDigit('789100031550'), sku: 'a-1' }],
    ['before its stock', /^inventory-/, { ...BODY, stockQty: 5, sku: 'a-2' }],
    ['before any code', /^gtin-/, BODY],
  ])('that stopped %s goes on', async (_, stopped, body) => {
    const start = (await wholeLog(world)).length;
    const { status, body: answer } = await interrupted(stopped, ['POST', '/products', body]);
    expect([status, answer]).toEqual([201, expect.objectContaining({ description: 'Bolo' })]);
    const types = await typesSince(start);
    expect(types.filter((type) => type === 'ProductCreated')).toHaveLength(1);
    expect(types.filter((type) => type === 'StockOpened')).toHaveLength('stockQty' in body ? 1 : 0);
    expect((await store.call('GET', `/products/${(answer as ProductAnswer).id}`)).status).toBe(200);
  });

  test('that stopped before its parts goes on', async () => {
    const bread = await create();
    const { status, body } = await interrupted(/^kits-/, [
      'POST',
      '/products',
      { ...BODY, components: [partOf(bread)] },
    ]);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ components: [expect.objectContaining(partOf(bread))] }),
    ]);
  });
});

describe('a change for the record that the client saw', () => {
  const tag = { 'if-match': '"0"' };

  test('of the parts goes on where it stopped', async () => {
    const [bread, kit] = await Promise.all([create(), create({ isComposite: true })]);
    const body = { description: 'Cesta', components: [partOf(bread)] };
    const answer = await interrupted(new RegExp(`^product-.*${kit.id}`), ['PATCH', `/products/${kit.id}`, body, tag]);
    expect([answer.status, answer.headers.get('etag'), answer.body]).toEqual([
      200,
      '"1"',
      expect.objectContaining({ description: 'Cesta', components: [expect.objectContaining(partOf(bread))] }),
    ]);
  });

  test('of a code goes on where it stopped', async () => {
    const [one, two] = [withCheckDigit('789100031551'), withCheckDigit('789100031552')];
    const { id } = await create({ gtin: one });
    const released = new RegExp(`^gtin-.*0${one}$`);
    const answer = await interrupted(released, ['PATCH', `/products/${id}`, { gtin: two }, tag]);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ gtin: two })]);
  });

  test('ends it once', async () => {
    const { id } = await create();
    expect((await interrupted(/^gtin-/, ['DELETE', `/products/${id}`, undefined, tag])).status).toBe(204);
    expect((await store.call('DELETE', `/products/${id}`)).status).toBe(404);
  });

  test('adds and removes a variant once', async () => {
    const { id } = await create();
    const path = `/products/${id}/variants`;
    const added = await interrupted(/^inventory-/, ['POST', path, { label: 'Mini', stockQty: 1 }, tag]);
    expect([added.status, added.body]).toEqual([201, expect.objectContaining({ label: 'Mini' })]);
    const empty = await store.call('POST', path, { label: 'Maxi' });
    const { id: variantId } = empty.body as { id: string };
    const removed = await interrupted(/^kits-/, ['DELETE', `${path}/${variantId}`, undefined, { 'if-match': '"2"' }]);
    expect(removed.status).toBe(204);
    expect(((await store.call('GET', `/products/${id}`)).body as ProductAnswer).variants).toHaveLength(2);
  });
});
