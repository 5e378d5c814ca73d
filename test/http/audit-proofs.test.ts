// What answers hold is looked at member by member.
/* eslint-disable @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument, @typescript-eslint/restrict-plus-operands */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isConsistent, isSigned, proofFaults, proofFile } from '../../scripts/audit/proof-check.js';
import { bearsCosts, isChainedToCosts } from '../../src/features/audit/costs.js';
import { granted, newRecipe } from '../support/bakery.js';
import { plainProduct } from '../support/route-examples.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

let world: World;
let store: StoreClient;
let publicKey: string;

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const pathOf = (hashes: readonly string[]) => hashes.map(hex);

async function write(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { status } = await store.call('POST', '/brands', { name: `Marca ${String(Math.random())}` });
    expect(status).toBe(201);
  }
}

const checkpoint = async () => (await store.call('GET', '/audit/checkpoint')).body;

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  await write(5);
  const key = await fetch(`${world.url}/.well-known/store-management-audit-key`);
  const answer = (await key.json()) as { readonly algorithm: string; readonly publicKey: string };
  expect(answer.algorithm).toBe('Ed25519');
  expect(Buffer.from(answer.publicKey, 'base64')).toHaveLength(32);
  ({ publicKey } = answer);
});
afterAll(() => world.close());

async function someEvent(): Promise<{ readonly id: string; readonly position: string }> {
  const events = await world.service.core.engines.eventStore.readAll('', 1_000);
  const own = events.filter(({ type }) => type === 'BrandCreated');
  const event = own[Math.floor(own.length / 2)];
  if (!event) throw new Error('no event');
  return event;
}

test('a checkpoint is signed and says what all events come to', async () => {
  const now = await checkpoint();
  const { eventStore } = world.service.core.engines;
  expect(now).toMatchObject({ logId: eventStore.logId, size: (await eventStore.readAll('', 1_000)).length });
  expect(isSigned(now, publicKey)).toBe(true);
  expect(isSigned({ ...now, size: now.size - 1 }, publicKey)).toBe(false);
});

test('a write shows in the next checkpoint, which continues the one before', async () => {
  const before = await checkpoint();
  await write(70);
  const after = await checkpoint();
  expect(after.size).toBe(before.size + 70);
  const proof = (await store.call('GET', `/audit/consistency?from=${before.size}&to=${after.size}`)).body;
  const from = { size: before.size, root: hex(before.rootHash) };
  const to = { size: after.size, root: hex(after.rootHash) };
  expect(isConsistent(from, to, pathOf(proof.path))).toBe(true);
  expect(isConsistent({ ...from, root: createHash('sha256').digest() }, to, pathOf(proof.path))).toBe(false);
});

test('an event is shown to be part of the log, now and at an earlier size', async () => {
  const event = await someEvent();
  const now = await store.call('GET', `/audit/proofs/${event.id}`);
  expect(now.status).toBe(200);
  const proof = proofFile.parse(now.body);
  expect(proofFaults(proof, publicKey)).toEqual([]);
  const earlier = await store.call('GET', `/audit/proofs/${event.id}?size=${proof.leafIndex + 1}`);
  expect(proofFaults(proofFile.parse(earlier.body), publicKey)).toEqual([]);
  expect(proofFaults({ ...proof, event: { ...proof.event, revision: proof.event.revision + 1 } }, publicKey)).toEqual([
    'leafHash is not the hash of the event',
    'the path does not lead to the root of the checkpoint',
  ]);
});

test.each([
  ['/audit/proofs/019a0000-0000-7000-8000-000000000000', 404, 'NOT_FOUND'],
  ['/audit/consistency?from=2&to=1', 400, 'SIZE_NOT_REACHED'],
  ['/audit/consistency?from=2&to=100000', 400, 'SIZE_NOT_REACHED'],
  ['/audit/consistency', 400, 'INVALID_INPUT'],
])('%s is answered %i', async (path, status, code) => {
  const answer = await store.call('GET', path);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('a size that the event is not yet part of is refused', async () => {
  const { id } = await someEvent();
  expect((await store.call('GET', `/audit/proofs/${id}?size=1`)).body).toMatchObject({
    code: 'SIZE_NOT_REACHED',
    detail: 'the event came after the first 1 event',
    errors: [{ path: 'size', message: 'ends before the event' }],
  });
  expect((await store.call('GET', `/audit/proofs/${id}?size=100000`)).body.errors).toBeUndefined();
});

test('another store does not see the event, and without costs no event that holds some', async () => {
  const { id } = await someEvent();
  const other = await world.newStore();
  expect((await other.call('GET', `/audit/proofs/${id}`)).status).toBe(404);
  const product = await store.call('POST', '/products', {
    description: 'Farinha',
    priceCash: 1,
    priceCredit: 1,
    stockQty: 3,
  });
  expect(product.status).toBe(201);
  const events = await world.service.core.engines.eventStore.readAll('', 1_000);
  const opened = events.find(({ type }) => type === 'StockOpened');
  const auditor = await world.newKey(store.slug, 'audit.view');
  expect((await auditor.call('GET', `/audit/proofs/${opened?.id ?? ''}`)).body.code).toBe('COSTS_HIDDEN');
  expect((await store.call('GET', `/audit/proofs/${opened?.id ?? ''}`)).status).toBe(200);
});

test('no hash that is made of costs is told to who may not see them', async () => {
  const own = await world.newStore();
  const { variantId } = await plainProduct(own, 'Fermento');
  await granted(own.call('POST', '/stock/receipts', { items: [{ variantId, quantity: 5, unitCost: 3 }] }));
  // Retired in the stream of the receipt, whose hash its own is made of.
  const location = (await granted(own.call('POST', '/locations', { name: 'Adega' }))).body as { readonly id: string };
  await granted(own.call('DELETE', `/locations/${location.id}`));
  const bread = (await plainProduct(own, 'Pão')).variantId;
  const items = [{ componentVariantId: variantId, quantity: 1 }];
  await newRecipe(own, { name: 'Pão', finishedVariantId: bread, yieldQty: 1, items });
  const recorded = (await world.service.core.engines.eventStore.readAll('', 10_000)).filter(({ meta }) =>
    meta.includes(own.storeId),
  );
  expect(recorded.some(({ type, stream }) => isChainedToCosts(stream) && !bearsCosts(type))).toBe(true);
  expect(recorded.filter(({ type, stream }) => bearsCosts(type) && !isChainedToCosts(stream))).toEqual([]);
  const auditor = await world.newKey(own.slug, 'audit.view');
  const { body } = await granted(auditor.call('GET', '/audit/events?limit=200'));
  const told = (body as { readonly items: readonly { readonly id: string; stream: string; hash?: string }[] }).items;
  expect(new Set(told.map(({ stream }) => isChainedToCosts(stream)))).toEqual(new Set([true, false]));
  for (const { id, stream, hash } of told) {
    expect([stream, hash === undefined]).toEqual([stream, isChainedToCosts(stream)]);
    const proof = await auditor.call('GET', `/audit/proofs/${id}`);
    // It tells the hash of the event before it as well.
    expect([stream, proof.status]).toEqual([stream, isChainedToCosts(stream) ? 403 : 200]);
  }
});
