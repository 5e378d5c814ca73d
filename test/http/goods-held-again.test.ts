import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { unfinishedChangesOf } from '../../src/features/products/unfinished-changes.js';
import { plainProduct } from '../support/route-examples.js';
import { signal } from '../support/signal.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/**
 * A request is made again whose first run has died with its goods held, while somebody looks at what that has left: who looks gives the goods
 * free right before the repeat is decided, which rests on no hold that others give up.
 */

let passed = 0;
let world: World;
let store: StoreClient;

beforeEach(async () => {
  // Nobody looks by himself.
  world = await openWorld({ env: { ROLES: 'api,projections' }, clock: { now: () => Date.now() + passed } });
  store = await world.newStore();
});
afterEach(() => world.close());

const receive = (variantId: string) =>
  store.call('POST', '/stock/receipts', { items: [{ variantId, quantity: 1, unitCost: 1 }] });

async function againWhileLookedAt(
  { id, variantId }: { readonly id: string; readonly variantId: string },
  freeing: 'resumeKeeping' | 'restore',
  ask: () => Promise<Answer>,
) {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const [isFreeing, isReady, isFree, goodsCame] = [signal(), signal(), signal(), signal()];
  let isDying = true;
  const held = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if ((command as { readonly type: string }).type === freeing) {
      isFreeing.give();
      await isReady.given;
      return execute(type, stream, command, envelope).finally(isFree.give);
    }
    if (!stream.endsWith(id)) return execute(type, stream, command, envelope);
    if (isDying) throw new Error('the process is dead');
    isReady.give();
    await goodsCame.given;
    return execute(type, stream, command, envelope);
  });
  const [queue] = unfinishedChangesOf(world.service.features).background.queues ?? [];
  try {
    expect((await ask()).status).toBe(500);
    isDying = false;
    passed += 120_000;
    queue?.start();
    await isFreeing.given;
    const asked = ask();
    await isFree.given;
    const { status } = await receive(variantId);
    goodsCame.give();
    return [status, (await asked).status];
  } finally {
    held.mockRestore();
    await queue?.close();
  }
}

test('goods whose unit is changed again stay where they are', async () => {
  const made = await plainProduct(store, 'outra unidade');
  const headers = { 'idempotency-key': randomUUID() };
  const statuses = await againWhileLookedAt(made, 'resumeKeeping', () =>
    store.call('PATCH', `/products/${made.id}`, { saleUnit: 'G' }, headers),
  );
  expect(statuses).toEqual([409, 200]);
});

test('goods whose product is deleted again stay where they are', async () => {
  const made = await plainProduct(store, 'apagada');
  const headers = { 'idempotency-key': randomUUID() };
  const statuses = await againWhileLookedAt(made, 'restore', () =>
    store.call('DELETE', `/products/${made.id}`, undefined, headers),
  );
  expect(statuses).toEqual([404, 204]);
});

test('goods that were held twice, as their product changed meanwhile, move once a repeat is answered', async () => {
  const { id, variantId } = await plainProduct(store, 'duas vezes');
  const headers = { 'idempotency-key': randomUUID() };
  const ask = () => store.call('PATCH', `/products/${id}`, { saleUnit: 'G' }, headers);
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let decisions = 0;
  const dying = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    // The first try is refused, and gives its hold up; the second is recorded, and the process dies before it gives up its own.
    if (stream.endsWith(id) && ++decisions === 1)
      await store.call('PATCH', `/products/${id}`, { description: 'outra' });
    if (decisions === 3 && (command as { readonly type: string }).type === 'resumeKeeping') {
      throw new Error('the process is dead');
    }
    return execute(type, stream, command, envelope);
  });
  try {
    expect((await ask()).status).toBe(500);
  } finally {
    dying.mockRestore();
  }
  expect((await ask()).body).toMatchObject({ saleUnit: 'G' });
  expect((await receive(variantId)).status).toBe(201);
});
