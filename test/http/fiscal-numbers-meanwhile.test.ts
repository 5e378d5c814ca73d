import { afterAll, expect, jest, test } from '@jest/globals';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Documents that are issued while a store that comes from elsewhere says which numbers are next. */

const world = await openWorld();
afterAll(() => world.close());

const change = (store: StoreClient, fiscal: object, headers = {}) => store.call('PATCH', '/store', { fiscal }, headers);
const fiscalOf = async (store: StoreClient) =>
  (await store.call('GET', '/store')).body.fiscal as {
    readonly offline65: boolean;
    readonly series: Readonly<Record<string, number>>;
    readonly nextNumbers: Readonly<Record<string, number>>;
  };
async function issued(store: StoreClient) {
  const { saleId } = await soldSale(store);
  const { series, number } = (await store.call('POST', '/fiscal/documents', { saleId, model: 65 })).body;
  return [series, number] as const;
}

/** Does something just before the next numbers are decided on. */
function beforeNumbers(act: () => Promise<unknown>) {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if ((command as { readonly type: string }).type === 'advance') {
      spy.mockRestore();
      await act();
    }
    return execute(type, stream, command, envelope);
  });
}

test('no number of another series is taken before its next one is known', async () => {
  const store = await fiscalStore(world);
  const meanwhile: unknown[] = [];
  beforeNumbers(async () => meanwhile.push(await issued(store)));
  expect((await change(store, { series: { '65': 7 }, nextNumbers: { '65': 500 } })).status).toBe(200);
  expect(meanwhile).toEqual([[1, 1]]);
  expect(await issued(store)).toEqual([7, 500]);
});

test('a next number that is taken meanwhile changes no other setting', async () => {
  const store = await fiscalStore(world);
  beforeNumbers(() => issued(store));
  const fiscal = { offline65: false, nextNumbers: { '65': 1 } };
  expect(await change(store, fiscal)).toMatchObject({ status: 409, body: { code: 'NUMBER_NOT_HIGHER' } });
  expect(await fiscalOf(store)).toMatchObject({ offline65: true, nextNumbers: { '65': 2 } });
});

test('a change of a store that was changed since it was read takes no numbers', async () => {
  const store = await fiscalStore(world);
  const { headers } = await store.call('GET', '/store');
  await change(store, { offline65: false });
  const stale = { 'If-Match': headers.get('etag') ?? '' };
  expect((await change(store, { nextNumbers: { '65': 500 } }, stale)).status).toBe(412);
  expect(await fiscalOf(store)).toMatchObject({ nextNumbers: { '65': 1 } });
});

test.each(['advance', 'change'])(
  'a crash after %s is made good by a repeat, whatever was issued since',
  async (last) => {
    const store = await fiscalStore(world);
    const { headers } = await store.call('GET', '/store');
    const keyed = { 'Idempotency-Key': last, 'If-Match': headers.get('etag') ?? '' };
    const fiscal = { offline65: false, nextNumbers: { '65': 500 } };
    const { lanes } = world.service.core;
    const execute = lanes.execute.bind(lanes);
    const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
      const executed = await execute(type, stream, command, envelope);
      if ((command as { readonly type: string }).type === last) throw new Error('the process is gone');
      return executed;
    });
    expect((await change(store, fiscal, keyed)).status).toBe(500);
    spy.mockRestore();
    expect(await issued(store)).toEqual([1, 500]);
    expect((await change(store, fiscal, keyed)).status).toBe(200);
    expect(await fiscalOf(store)).toMatchObject({ offline65: false, nextNumbers: { '65': 501 } });
  },
);
