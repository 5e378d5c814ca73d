import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type { Attempt, StoreAccess } from '../support/category-load.js';
import { callStore, CategoryLoad, createCategory, newStoreOf } from '../support/category-load.js';
import type { ServiceProcess } from '../support/service-process.js';
import { freshFolder, startService, stopAll, stopService } from '../support/service-process.js';
import { brokenLinks, storedEvents } from '../support/stored-log.js';
import { until } from '../support/until.js';

/** How often the service is killed; `FAULT_ROUNDS=50` for a thorough run. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 3);
const SECONDS_PER_ROUND = 180;

interface Category {
  readonly id: string;
  readonly name: string;
}

afterEach(stopAll);

const listOf = async (service: ServiceProcess, store: StoreAccess): Promise<string> => {
  const { status, text } = await callStore(service.url, store, 'GET', '/categories');
  expect(status).toBe(200);
  return text;
};

const categoriesOf = async (service: ServiceProcess, store: StoreAccess): Promise<ReadonlyMap<string, string>> => {
  const categories = JSON.parse(await listOf(service, store)) as readonly Category[];
  const idByName = new Map(categories.map(({ id, name }) => [name, id]));
  expect(idByName.size).toBe(categories.length);
  return idByName;
};

/** Loads the service, kills it at some moment of the load, and starts it again. */
async function killUnderLoad(dataDir: string, service: ServiceProcess, stores: readonly StoreAccess[]) {
  const load = new CategoryLoad(service.url, stores);
  await until('the load runs', () => load.answered >= 20);
  await pause(Math.random() * 200);
  service.kill('SIGKILL');
  const attempts = await load.ended();
  await service.ended;
  return { attempts, restarted: await startService(dataDir) };
}

/** Every acknowledged write is there from the first query on, and nothing is that was not asked for. */
async function expectAcknowledged(
  service: ServiceProcess,
  stores: readonly StoreAccess[],
  attempts: readonly Attempt[],
) {
  for (const store of stores) {
    const found = await categoriesOf(service, store);
    const asked = attempts.filter((attempt) => attempt.store === store);
    const acknowledged = asked.filter(({ answer }) => answer);
    expect(acknowledged.filter(({ answer }) => answer?.status !== 201)).toEqual([]);
    expect(acknowledged.filter(({ name, answer }) => found.get(name) !== answer?.id)).toEqual([]);
    const names = new Set(asked.map(({ name }) => name));
    expect([...found.keys()].filter((name) => !names.has(name))).toEqual([]);
  }
}

/** A repeat gives the first answer, or the one that nobody received. */
async function expectRepeatable(service: ServiceProcess, stores: readonly StoreAccess[], attempts: readonly Attempt[]) {
  const keyed = attempts.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  const repeated = [...keyed.filter(({ answer }) => !answer), ...keyed.filter(({ answer }) => answer).slice(-30)];
  expect(repeated.some(({ answer }) => !answer)).toBe(true);
  for (const attempt of repeated) {
    const { status, body } = await createCategory(service.url, attempt);
    expect(status).toBe(201);
    attempt.answer ??= { status, id: body.id };
    expect(body.id).toBe(attempt.answer.id);
  }
  await expectAcknowledged(service, stores, attempts);
}

test(
  'what was acknowledged outlives a kill, once; a repeat with its key finds it; read models equal a replay',
  async () => {
    const dataDir = await freshFolder();
    let service = await startService(dataDir);
    for (let round = 0; round < ROUNDS; round++) {
      const stores = await Promise.all([newStoreOf(dataDir), newStoreOf(dataDir)]);
      const { attempts, restarted } = await killUnderLoad(dataDir, service, stores);
      service = restarted;
      await expectAcknowledged(service, stores, attempts);
      await expectRepeatable(service, stores, attempts);

      const before = await Promise.all(stores.map((store) => listOf(service, store)));
      await stopService(service);
      for (const suffix of ['', '-wal', '-shm']) await rm(join(dataDir, `read.db${suffix}`), { force: true });
      service = await startService(dataDir);
      expect(await Promise.all(stores.map((store) => listOf(service, store)))).toEqual(before);
    }
    await stopService(service);

    const events = await storedEvents(dataDir);
    expect(brokenLinks(events)).toEqual([]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const created = events.filter(({ type }) => type === 'CategoryCreated');
    const names = created.map(({ stream, data }) => `${stream} ${(JSON.parse(data) as Category).name}`);
    expect(new Set(names).size).toBe(names.length);
  },
  ROUNDS * SECONDS_PER_ROUND * 1_000,
);
