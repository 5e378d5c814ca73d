import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { plainProduct } from '../support/route-examples.js';
import { signal } from '../support/signal.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Goods that two requests keep from moving at once, each for a change of its own: nothing is decided by what the other has given up. */

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

const receive = (variantId: string) =>
  store.call('POST', '/stock/receipts', { items: [{ variantId, quantity: 1, unitCost: 1 }] });

interface Requests {
  first(): Promise<Answer>;
  second(): Promise<Answer>;
  /** Right before the first is decided. */
  before?(): Promise<unknown>;
}

/**
 * The second is asked for when the first is about to be decided, and is about to be decided itself when the first was answered and goods were
 * received.
 */
async function bothAtOnce(productId: string, variantId: string, { first, second, before }: Requests) {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const [secondIsReady, goodsCame] = [signal(), signal()];
  let asked: Promise<Answer> | undefined;
  let decided = 0;
  const held = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if (!stream.endsWith(productId)) return execute(type, stream, command, envelope);
    decided += 1;
    if (decided === 1) {
      asked = second();
      await secondIsReady.given;
      await before?.();
    } else if (decided === 2) {
      secondIsReady.give();
      await goodsCame.given;
    }
    return execute(type, stream, command, envelope);
  });
  try {
    const answers = [await first(), await receive(variantId)];
    goodsCame.give();
    return [...answers, await asked].map((answer) => answer?.status);
  } finally {
    held.mockRestore();
  }
}

const change = (id: string, body: object, headers: Record<string, string> = {}) =>
  store.call('PATCH', `/products/${id}`, body, headers);
const remove = (id: string, headers: Record<string, string> = {}) =>
  store.call('DELETE', `/products/${id}`, undefined, headers);

const UNIT = { saleUnit: 'G' };
const OTHER_UNIT = { saleUnit: 'L' };
const SERVICE = { productType: 'SERVICE' };
const KIT = { isComposite: true };

const etagOf = async (id: string) => (await store.call('GET', `/products/${id}`)).headers.get('etag') ?? '';

describe('goods that came in between keep their product as it is by the second change, of', () => {
  test.each([
    ['two units', UNIT, OTHER_UNIT],
    ['a unit and a service', UNIT, SERVICE],
    ['a unit and a kit', UNIT, KIT],
  ])('%s', async (name, one, other) => {
    const { id, variantId } = await plainProduct(store, name);
    const statuses = await bothAtOnce(id, variantId, {
      first: () => change(id, one),
      second: () => change(id, other),
    });
    expect(statuses).toEqual([200, 201, 409]);
    expect((await store.call('GET', `/products/${id}`)).body).toMatchObject(UNIT);
  });

  test('a unit that is refused in the end and another', async () => {
    const { id, variantId } = await plainProduct(store, 'recusada');
    const headers = { 'if-match': await etagOf(id) };
    const statuses = await bothAtOnce(id, variantId, {
      first: () => change(id, UNIT, headers),
      before: () => change(id, { description: 'outra' }),
      second: () => change(id, OTHER_UNIT),
    });
    expect(statuses).toEqual([412, 201, 409]);
    expect((await store.call('GET', `/products/${id}`)).body).toMatchObject({ saleUnit: 'UN' });
  });

  test('a deletion that is refused in the end and another', async () => {
    const { id, variantId } = await plainProduct(store, 'apagada');
    const headers = { 'if-match': await etagOf(id) };
    const statuses = await bothAtOnce(id, variantId, {
      first: () => remove(id, headers),
      before: () => change(id, { priceCash: 2 }),
      second: () => remove(id),
    });
    expect(statuses).toEqual([412, 201, 409]);
    expect((await store.call('GET', `/products/${id}`)).body).toMatchObject({ stockQty: 1 });
  });
});
