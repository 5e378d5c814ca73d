import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { backUp, restore } from '../../src/compose-copies.js';
import { parseConfig } from '../../src/config.js';
import type { StoreAccess } from '../support/category-load.js';
import { callStore, createCategory } from '../support/category-load.js';
import type { Answer, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** After a restore to a moment a key of idempotency speaks of what the log still says, however the times of what it says lie. */

const NOON = Date.parse('2026-11-22T12:00:00Z');
const BEFORE_NOON = NOON - 5_000;

let now = NOON;
const clock = { now: () => now };
const folders: string[] = [];
let directory: string;
let store: StoreAccess;
let sweets: Answer;
/** The positions of the last event of each command. */
const ends = { sweets: 0, customer: 0 };

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'restored-keys-'));
  folders.push(folder);
  return folder;
}

const create = (url: string, name: string): Promise<Answer> =>
  createCategory(url, { store, name, idempotencyKey: `key-of-${name}` });

beforeAll(async () => {
  const dataDir = await freshFolder();
  directory = join(await freshFolder(), 'backup');
  const world = await openWorld({ dataDir, clock });
  const config = parseConfig({ DATA_DIR: dataDir });
  const client = await world.newStore();
  store = client;
  const end = async (): Promise<number> => (await backUp(config, directory, clock)).size;
  sweets = await create(world.url, 'Doces');
  ends.sweets = await end();
  // Both at one moment.
  await create(world.url, 'Bolos');
  // The clock of the machine is put right.
  now = BEFORE_NOON;
  await client.call('POST', '/customers', { name: 'Ana' });
  ends.customer = await end();
  await world.close('keep');
});

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** The service on what was restored, for as long as something is asked of it. */
async function restoredTo(position: number, ask: (world: World) => Promise<void>): Promise<void> {
  const dataDir = await freshFolder();
  await restore(parseConfig({ DATA_DIR: dataDir }), { directory, at: { position } }, clock);
  const world = await openWorld({ dataDir, clock });
  await ask(world).finally(() => world.close());
}

const namesIn = async ({ url }: World): Promise<readonly string[]> => {
  const { body } = await callStore(url, store, 'GET', '/categories');
  return (body as readonly { readonly name: string }[]).map(({ name }) => name).sort();
};

test('a command that is gone is done again, though one of the same moment stayed', async () => {
  await restoredTo(ends.sweets, async (world) => {
    expect((await create(world.url, 'Bolos')).status).toBe(201);
    expect((await create(world.url, 'Doces')).body).toEqual(sweets.body);
    expect(await namesIn(world)).toEqual(['Bolos', 'Doces']);
  });
});

test('a command that stayed is not done again, though the last event that stayed tells of an earlier time', async () => {
  await restoredTo(ends.customer, async (world) => {
    expect((await create(world.url, 'Doces')).body).toEqual(sweets.body);
    expect(await namesIn(world)).toEqual(['Bolos', 'Doces']);
  });
});
