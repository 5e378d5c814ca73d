import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { backUp, openInstruments, restore } from '../../src/compose-copies.js';
import { parseConfig } from '../../src/config.js';
import { Chance } from '../../src/demo/chance.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { loadSecrets } from '../../src/secrets.js';
import { callStore, newStoreOf } from '../support/category-load.js';
import { freshFolder, startProgram, startService, stopAll, stopService } from '../support/service-process.js';

/** Whatever becomes of a file: it is found, or nothing that was recorded is another for it. */

const LIVES = Number(process.env['DAMAGED_FILES'] ?? 80);
/** Of SQLite. */
const PAGE = 4096;
const clock = systemClock();

let sound: string;
let backup: string;
let scratch: string;

beforeAll(async () => {
  [sound, backup, scratch] = [await freshFolder(), await freshFolder(), await freshFolder()];
  const service = await startService(sound);
  const store = await newStoreOf(sound);
  for (let number = 0; number < 40; number++) {
    const name = `Categoria ${String(number)}`;
    await callStore(service.url, store, 'POST', '/categories', { name }, { 'idempotency-key': name });
  }
  await callStore(service.url, store, 'POST', '/customers', { name: 'Ana' });
  await stopService(service);
  await backUp(configOf(sound), backup, clock);
}, 60_000);
afterAll(stopAll);

const configOf = (dataDir: string) => parseConfig({ DATA_DIR: dataDir });

const EVENTS = `select position, name, revision, events.id, type, data, meta from events
  left join streams on streams.id = stream`;
/** `dueAt` and `expiresAt` are no part of what is sealed: a copy of a vault alone can be held to them. */
const VAULT = 'select kind, id, version, hex(value) as value';

function saidBy(folder: string, columns: string): string {
  const database = new DatabaseSync(join(folder, 'events.db'), { readOnly: true });
  try {
    return JSON.stringify([
      database.prepare('select logId from about').all(),
      database.prepare(`${EVENTS} order by position`).all(),
      database.prepare(`${EVENTS} order by stream, revision`).all(),
      database.prepare(`${VAULT}${columns} from vault order by +kind, +id`).all(),
    ]);
  } finally {
    database.close();
  }
}

/** One change to a file, drawn. */
function damage(path: string, seed: number): void {
  const chance = new Chance(seed);
  const bytes = readFileSync(path);
  const at = chance.between(0, bytes.length - 1);
  const page = at - (at % PAGE);
  const from = chance.between(0, bytes.length / PAGE - 1) * PAGE;
  const kind = chance.of(['cut', 'empty page', 'page of another', 'bit', 'bit', 'bit', 'bit', 'bit']);
  if (kind === 'empty page') bytes.fill(0, page, page + PAGE);
  else if (kind === 'page of another') bytes.copyWithin(page, from, from + PAGE);
  else if (kind === 'bit') bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << chance.between(0, 7)), at);
  writeFileSync(path, kind === 'cut' ? bytes.subarray(0, at) : bytes);
}

function copyOf(folder: string): string {
  const copy = join(scratch, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** What is refused is refused in a line. */
async function refusal(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    return message;
  }
}

async function examined(dataDir: string): Promise<void> {
  const instruments = openInstruments(configOf(dataDir), clock);
  const log = await instruments.openLog();
  await log?.close();
  await instruments.expectSound();
}

const restored = async (from: string, columns: string): Promise<string> => {
  const dataDir = join(scratch, 'restored');
  rmSync(dataDir, { recursive: true, force: true });
  await restore(configOf(dataDir), { directory: from, at: undefined }, clock);
  return saidBy(dataDir, columns);
};

const lives = Array.from({ length: LIVES }, (_, index) => index + 1);

test.each(lives)('of the log: the doctor finds it, and so does a backup, or it does not matter (%i)', async (seed) => {
  const dataDir = copyOf(sound);
  damage(join(dataDir, 'events.db'), seed);
  const found = await refusal(() => examined(dataDir));
  if (found === undefined) expect(saidBy(dataDir, '')).toBe(saidBy(sound, ''));
  const directory = join(scratch, 'backup');
  rmSync(directory, { recursive: true, force: true });
  const refused = await refusal(() => backUp(configOf(dataDir), directory, clock));
  if (refused === undefined) expect(await restored(directory, '')).toBe(saidBy(sound, ''));
  else expect(refused).not.toContain(`the backup in ${directory} is damaged`);
});

test.each(lives)('of a backup: a restore finds it, or it does not matter (%i)', async (seed) => {
  const directory = copyOf(backup);
  damage(join(directory, 'events.db'), seed);
  const columns = ', dueAt, expiresAt';
  let said: string | undefined;
  const refused = await refusal(async () => (said = await restored(directory, columns)));
  if (refused === undefined) expect(said).toBe(saidBy(sound, columns));
});

function changed(dataDir: string, statement: string): void {
  const database = new DatabaseSync(join(dataDir, 'events.db'));
  database.exec(statement);
  database.close();
}

test.each([
  ['does not say which log it is', 'delete from about'],
  ['has no table events', 'drop table events'],
  ['has no table vault', 'drop table vault'],
])('a log that %s is not begun anew, and whoever looks says what it lacks', async (says, statement) => {
  const dataDir = copyOf(sound);
  changed(dataDir, statement);
  const { secretsKey } = await loadSecrets(configOf(dataDir));
  for (const act of [
    () => examined(dataDir),
    () => backUp(configOf(dataDir), join(scratch, 'backup'), clock),
    () => openEmbeddedLog({ dataDir, secretsKey, clock }),
  ]) {
    expect(await refusal(act)).toContain(`events.db is damaged (it ${says}): keep a copy of it`);
  }
});

test('an event whose stream has lost its name ends no comparison of the read models in waiting', async () => {
  const dataDir = copyOf(sound);
  changed(dataDir, 'update events set stream = 999 where position = (select max(position) from events)');
  const verify = startProgram('scripts/projections.js', ['verify'], { DATA_DIR: dataDir });
  expect(await verify.ended).toMatchObject({ code: 1 });
  expect(JSON.parse(verify.out)).toMatchObject({ ok: false });
});

test('a row that is gone from the vault of a backup, or is due at another time, is found', async () => {
  for (const statement of ['delete from vault where rowid = 1', 'update vault set expiresAt = 1 where rowid = 1']) {
    const directory = copyOf(backup);
    changed(directory, statement);
    expect(await refusal(() => restored(directory, ''))).toContain('its vault is not what was backed up');
  }
});

test('a row of the vault that its disk has spoilt does not take the place of the one that was backed up', async () => {
  const [dataDir, directory] = [copyOf(sound), join(scratch, 'backup')];
  rmSync(directory, { recursive: true, force: true });
  await backUp(configOf(dataDir), directory, clock);
  changed(dataDir, 'update vault set value = zeroblob(60) where rowid = 1');
  expect(await refusal(() => backUp(configOf(dataDir), directory, clock))).toContain('nothing was backed up');
  expect(await restored(directory, '')).toBe(saidBy(sound, ''));
});

test('secrets that lie alone in the folder of a restore stay: they may be those of another log', async () => {
  const dataDir = join(scratch, 'alone');
  const { tokenSecret } = await loadSecrets(configOf(dataDir));
  const config = configOf(dataDir);
  const wish = { directory: backup, at: undefined };
  expect(await refusal(() => restore(config, wish, clock))).toContain('secrets.json is not the one of the backup');
  expect(await loadSecrets(config)).toMatchObject({ tokenSecret });
  cpSync(join(backup, 'secrets.json'), join(dataDir, 'secrets.json'));
  expect(await refusal(() => restore(config, wish, clock))).toBeUndefined();
});
