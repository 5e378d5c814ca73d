import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { StoreAccess } from '../support/category-load.js';
import { callStore, newStoreOf } from '../support/category-load.js';
import { freshFolder, startProgram, startService, stopAll, stopService } from '../support/service-process.js';
import { storedEvents } from '../support/stored-log.js';

/** A customer who was erased after the moment to which a log is restored. */

const PERSON = { name: 'Ana', document: '52998224725' };

let store: StoreAccess;
let customerId: string;
/** Made before the erasure, with the list that was written afterwards; and made after it. */
let before: string;
let after: string;
/** How many events there were before the erasure. */
let size: number;

async function run(script: string, words: readonly string[], dataDir: string): Promise<void> {
  const program = startProgram(`scripts/${script}.js`, words, { DATA_DIR: dataDir });
  const { code } = await program.ended;
  if (code !== 0) throw new Error(program.err);
}

beforeAll(async () => {
  const dataDir = await freshFolder();
  [before, after] = [join(await freshFolder(), 'before'), join(await freshFolder(), 'after')];
  const listed = join(await freshFolder(), 'listed');
  const service = await startService(dataDir, { BACKUP_DIR: listed, BACKUP_EVERY: '1h' });
  store = await newStoreOf(dataDir);
  const { body } = await callStore(service.url, store, 'POST', '/customers', PERSON);
  customerId = String(body.id);
  await run('backup', [before], dataDir);
  const erased = await callStore(service.url, store, 'POST', `/customers/${customerId}/erase`);
  expect(erased.status).toBe(200);
  await stopService(service);
  await run('backup', [after], dataDir);
  size = (await storedEvents(dataDir)).findIndex(({ type }) => type === 'CustomerErased');
  await copyFile(join(listed, 'erasures.jsonl'), join(before, 'erasures.jsonl'));
});
afterAll(stopAll);

test.each([
  ['an older backup beside the newest list', () => [before]],
  ['a backup to a moment before the erasure', () => [after, '--at', String(size)]],
])('is erased in what is restored of %s, and the document is free', async (_, words) => {
  const restored = await freshFolder();
  await run('restore', words(), restored);
  await run('audit', ['verify'], restored);
  const service = await startService(restored);
  const shown = await callStore(service.url, store, 'GET', `/customers/${customerId}`);
  expect(shown.body).toMatchObject({ name: null, document: null, erasedAt: expect.any(String) as unknown });
  expect((await callStore(service.url, store, 'POST', '/customers', PERSON)).status).toBe(201);
  await stopService(service);
  const erasures = (await storedEvents(restored)).filter(({ type }) => type === 'CustomerErased');
  expect(erasures).toHaveLength(1);
});
