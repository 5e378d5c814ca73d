import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { fiscal } from '../../src/features/fiscal/decider.js';
import { REMEMBERED, remembered } from '../../src/features/fiscal/domain/state.js';
import { granted } from '../support/bakery.js';
import { commandsOfSystem } from '../support/commands-of-system.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Documents that the state of a store's documents has forgotten. */

const reason = 'Cliente desistiu da compra';

let world: World;
let store: StoreClient;
let authorized: FiscalRecord;
let cancelled: FiscalRecord;

async function issued(): Promise<FiscalRecord> {
  const { saleId } = await soldSale(store);
  return (await granted(store.call('POST', '/fiscal/documents', { saleId, model: 65 }))).body as FiscalRecord;
}

/** Facts that concern no document of a sale, until the state remembers none of the earlier ones. */
async function forget(): Promise<void> {
  const { lanes } = world.service.core;
  const stream = `fiscal-${store.storeId}`;
  const send = commandsOfSystem(world, fiscal, store.storeId);
  for (const generation of [1, 2]) {
    const numbers = Array.from({ length: REMEMBERED }, (_, index) => generation * REMEMBERED + index);
    await Promise.all(
      numbers.map((next) => send({ type: 'advance', model: 55, series: 9, next }, `number ${String(next)}`)),
    );
    const documentId = `abandoned-${String(generation)}`;
    await send({ type: 'abandon', documentId, saleId: 'none' }, documentId);
  }
  const { state } = await lanes.current(fiscal, stream);
  expect([authorized, cancelled].map(({ id }) => remembered(state, id))).toEqual([undefined, undefined]);
}

beforeAll(async () => {
  world = await openWorld();
  store = await fiscalStore(world);
  [authorized, cancelled] = [await issued(), await issued()];
  await granted(store.call('POST', `/fiscal/documents/${cancelled.id}/cancel`, { reason }));
  await forget();
});
afterAll(() => world.close());

const outcome = async ({ id }: FiscalRecord, command: string, body?: object): Promise<unknown> => {
  const { status, body: answer } = await store.call('POST', `/fiscal/documents/${id}/${command}`, body);
  return [status, answer.code ?? answer.status];
};

test('their states still decide what can be done', async () => {
  expect(await outcome(authorized, 'void', { reason })).toEqual([409, 'DOCUMENT_STATE']);
  expect(await outcome(cancelled, 'void', { reason })).toEqual([409, 'DOCUMENT_STATE']);
  expect(await outcome(authorized, 'transmit')).toEqual([409, 'DOCUMENT_STATE']);
  expect(await outcome(cancelled, 'cancel', { reason })).toEqual([409, 'DOCUMENT_STATE']);
});

test('their sales still have no other', async () => {
  const again = await store.call('POST', '/fiscal/documents', { saleId: authorized.saleId, model: 55 });
  expect([again.status, again.body]).toMatchObject([409, { code: 'DOCUMENT_EXISTS', documentId: authorized.id }]);
});

test('they can still be cancelled, once', async () => {
  expect(await outcome(authorized, 'cancel', { reason })).toEqual([200, 'CANCELLED']);
  expect(await outcome(authorized, 'cancel', { reason })).toEqual([409, 'DOCUMENT_STATE']);
});
