import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { VaultLeases } from '../../src/adapters/vault-leases.js';
import type { Vault } from '../../src/ports/vault.js';
import { EmbeddedLogs } from '../support/embedded-logs.js';

const vaults = new EmbeddedLogs((log) => log.vault);
const clock = { time: 1_000, now: () => clock.time };
let vault: Vault;
let leases: VaultLeases;

beforeEach(async () => {
  clock.time = 1_000;
  vault = await vaults.open(clock);
  leases = new VaultLeases(vault, clock);
});
afterAll(() => vaults.dispose());

test('a lease has one holder at a time', async () => {
  const lease = await leases.acquire('jobs', 'a', 100);
  expect(lease).toMatchObject({ name: 'jobs', fence: 1 });
  expect(await leases.acquire('jobs', 'b', 100)).toBeUndefined();
  expect(await leases.acquire('mail', 'b', 100)).toMatchObject({ fence: 1 });
});

test('of many who try at once one wins', async () => {
  const tries = Array.from({ length: 50 }, (_, at) => leases.acquire('jobs', `holder ${at}`, 100));
  expect((await Promise.all(tries)).filter((lease) => lease !== undefined)).toHaveLength(1);
});

test('a lease that runs out goes to another with a greater fence', async () => {
  const lease = await leases.acquire('jobs', 'a', 100);
  clock.time += 99;
  expect(await leases.acquire('jobs', 'b', 100)).toBeUndefined();
  clock.time += 1;
  expect(await lease?.renew()).toBe(false);
  expect(await leases.acquire('jobs', 'b', 100)).toMatchObject({ fence: 2 });
});

test('a renewed lease lasts, a lost one cannot be renewed', async () => {
  const lease = await leases.acquire('jobs', 'a', 100);
  for (let round = 0; round < 5; round++) {
    clock.time += 60;
    expect(await lease?.renew()).toBe(true);
  }
  expect(await leases.acquire('jobs', 'b', 100)).toBeUndefined();
  const again = await leases.acquire('jobs', 'a', 100);
  expect(again).toMatchObject({ fence: 2 });
  expect(await lease?.renew()).toBe(false);
  expect(await again?.renew()).toBe(true);
});

test('a released lease is free at once and its fence is never given again', async () => {
  const lease = await leases.acquire('jobs', 'a', 100);
  await lease?.release();
  expect(await lease?.renew()).toBe(false);
  const next = await leases.acquire('jobs', 'b', 100);
  expect(next).toMatchObject({ fence: 2 });
  await lease?.release();
  expect(await next?.renew()).toBe(true);
});

test('a lease that is released while it is being renewed is free at once', async () => {
  const lease = await leases.acquire('jobs', 'a', 100);
  const renewing = lease?.renew();
  await lease?.release();
  expect(await renewing).toBe(true);
  expect(await leases.acquire('jobs', 'b', 100)).toMatchObject({ fence: 2 });
});
