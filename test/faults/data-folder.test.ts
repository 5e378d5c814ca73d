import { randomBytes } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { askRunningService } from '../../src/operations/administration-socket.js';
import type { StoreAccess } from '../support/category-load.js';
import { callStore, newStoreOf } from '../support/category-load.js';
import { SpawnedStandIn } from '../support/eventstoredb-stand-in/spawned.js';
import type { ServiceProcess } from '../support/service-process.js';
import {
  freshFolder,
  linesOf,
  startProcess,
  startProgram,
  startService,
  stopAll,
  stopService,
} from '../support/service-process.js';

afterEach(stopAll);

const key = () => randomBytes(32).toString('base64');

async function removeReadModels(dataDir: string): Promise<void> {
  for (const file of await readdir(dataDir)) if (file.startsWith('read.db')) await rm(join(dataDir, file));
}

/** A store with a few categories. */
async function fill(dataDir: string, service: ServiceProcess, names: readonly string[]): Promise<StoreAccess> {
  const store = await newStoreOf(dataDir);
  for (const name of names) {
    expect((await callStore(service.url, store, 'POST', '/categories', { name })).status).toBe(201);
  }
  return store;
}

const listOf = async (service: ServiceProcess, store: StoreAccess): Promise<string> =>
  (await callStore(service.url, store, 'GET', '/categories')).text;

test('a second process stops at once and names the folder and who has it; the first goes on', async () => {
  const dataDir = await freshFolder();
  const first = await startService(dataDir);
  const store = await fill(dataDir, first, ['Pães']);
  const second = startProcess(dataDir);
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(second.err)).toEqual([
    `the data folder ${dataDir} is in use by another process (process ${first.pid})`,
  ]);
  expect(second.out).toBe('');
  expect((await callStore(first.url, store, 'POST', '/categories', { name: 'Bolos' })).status).toBe(201);
  await newStoreOf(dataDir); // the administration socket is still the first one's
});

/** One of another program, with a table of a name that the service has as well. */
function makeDatabase(path: string): Promise<void> {
  const database = new DatabaseSync(path);
  database.exec('create table checkpoints (reached text)');
  database.close();
  return Promise.resolve();
}

test('read models that were deleted, spoilt or made from another log are made again', async () => {
  const [dataDir, other] = [await freshFolder(), await freshFolder()];
  const foreign = await startService(other);
  await fill(other, foreign, ['Queijos', 'Cafés', 'Chocolates']);
  await stopService(foreign);

  let service = await startService(dataDir);
  const store = await fill(dataDir, service, ['Pães', 'Bolos']);
  const before = await listOf(service, store);
  expect(JSON.parse(before)).toHaveLength(2);
  for (const spoil of [
    () => Promise.resolve(),
    () => copyFile(join(other, 'read.db'), join(dataDir, 'read.db')),
    () => copyFile(process.execPath, join(dataDir, 'read.db')),
    () => makeDatabase(join(dataDir, 'read.db')),
  ]) {
    await stopService(service);
    await removeReadModels(dataDir);
    await spoil();
    service = await startService(dataDir);
    expect(await listOf(service, store)).toBe(before);
  }
});

test('another SECRETS_KEY is refused in a line', async () => {
  const dataDir = await freshFolder();
  await stopService(await startService(dataDir, { SECRETS_KEY: key() }));
  const wrong = startProcess(dataDir, { SECRETS_KEY: key() });
  expect(await wrong.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(wrong.err)).toEqual(['SECRETS_KEY is not the key that this data folder was made with']);
});

test('an address that is taken is refused in a line, and its threads do not abort the process', async () => {
  const { port } = await startService(await freshFolder());
  const others = await Promise.all([1, 2, 3].map(() => freshFolder()));
  for (const other of others.map((folder) => startProcess(folder, { PORT: String(port) }))) {
    expect(await other.ended).toEqual({ code: 1, signal: null });
    expect(linesOf(other.err)).toEqual([
      `wrong setting: HOST or PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    ]);
  }
});

test('what others of the machine could read or lock is closed at the start, and what comes later is closed as well', async () => {
  const dataDir = join(await freshFolder(), 'data');
  await mkdir(join(dataDir, 'outbox'), { recursive: true });
  await writeFile(join(dataDir, 'outbox', 'old.eml'), 'x');
  for (const [path, mode] of [
    ['', 0o755],
    ['outbox', 0o777],
    ['outbox/old.eml', 0o644],
  ] as const) {
    await chmod(join(dataDir, path), mode);
  }
  const service = await startService(dataDir);
  await fill(dataDir, service, ['Pães']);
  for (const name of ['', ...(await readdir(dataDir, { recursive: true }))]) {
    const stat = await lstat(join(dataDir, name));
    expect([name, stat.mode & 0o077]).toEqual([name, 0]);
  }
  expect(service.out).toContain('the data folder was closed');
  await stopService(service);
});

test('a folder with folders of others in it, named by a slip, keeps their modes; a file is left as it is', async () => {
  const dataDir = await freshFolder();
  await mkdir(join(dataDir, 'programs'));
  const program = join(dataDir, 'programs', 'tool');
  await writeFile(program, 'x');
  await chmod(program, 0o755);
  await chmod(dataDir, 0o755);
  await stopService(await startService(dataDir));
  const modeOf = async (path: string) => (await lstat(path)).mode & 0o777;
  expect([await modeOf(program), await modeOf(dataDir)]).toEqual([0o755, 0o755]);
  expect((await modeOf(join(dataDir, 'events.db'))) & 0o077).toBe(0);
  const refused = startProcess(program);
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.err).toContain('DATA_DIR cannot be used');
  expect(await modeOf(program)).toBe(0o755);
});

test('a folder that takes no file is refused in a line', async () => {
  const dataDir = await freshFolder();
  await stopService(await startService(dataDir));
  // Stands for a file system that is read-only or full: whoever runs the tests may be allowed to write everywhere.
  await mkdir(join(dataDir, 'service.pid'));
  const refused = startProcess(dataDir);
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(refused.err)).toEqual([expect.stringContaining('DATA_DIR cannot be used: EISDIR')]);
});

test.each(['read.db', 'events.db', 'lock.db', 'secrets.json', 'admin.sock'])(
  'a folder in the place of %s is refused in a line that names it',
  async (name) => {
    const dataDir = await freshFolder();
    await mkdir(join(dataDir, name));
    const refused = startProcess(dataDir);
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(linesOf(refused.err)).toEqual([expect.stringContaining(`DATA_DIR cannot be used: ${join(dataDir, name)}`)]);
  },
);

test('a folder in the place of the count of crashes keeps nobody from a clean stop', async () => {
  const dataDir = await freshFolder();
  await mkdir(join(dataDir, 'crashes.json'));
  await stopService(await startService(dataDir));
});

test.each([
  ['events.db', /events\.db is damaged \(.*\): keep a copy of it, and restore the last backup/],
  ['lock.db', /lock\.db is no lock: remove it/],
])('bytes of something else in %s are refused in a line', async (name, line) => {
  const dataDir = await freshFolder();
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ secretsKey: key(), tokenSecret: key() }));
  await writeFile(join(dataDir, name), Buffer.alloc(20_000, 'pão'));
  const refused = startProcess(dataDir);
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(refused.err)).toEqual([expect.stringMatching(line)]);
});

test('a log that was lost is not begun anew beside what tells of it: read models of an emptied one, checkpoints', async () => {
  const dataDir = await freshFolder();
  const service = await startService(dataDir);
  await fill(dataDir, service, ['Pães']);
  await stopService(service);
  await writeFile(join(dataDir, 'events.db'), '');
  const expectRefused = async (trace: string): Promise<void> => {
    const line = expect.stringContaining(`events.db is missing or empty, and ${trace} is of a log that was there`);
    const refused = startProcess(dataDir);
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(linesOf(refused.err)).toEqual([line]);
    const doctor = startProgram('scripts/doctor.js', [], { DATA_DIR: dataDir, PORT: '0' });
    expect(await doctor.ended).toEqual({ code: 1, signal: null });
    expect(linesOf(doctor.out)).toContainEqual(line);
  };
  await expectRefused('read.db');
  await rm(join(dataDir, 'events.db'));
  await mkdir(join(dataDir, 'checkpoints'), { recursive: true });
  await writeFile(join(dataDir, 'checkpoints', '2026-11-20.json'), '{}');
  await expectRefused('checkpoints');
  expect(await readdir(dataDir)).not.toContain('events.db');
  // No secrets are made for a log that does not begin.
  await rm(join(dataDir, 'secrets.json'));
  await expectRefused('checkpoints');
  expect(await readdir(dataDir)).not.toContain('secrets.json');
  await rm(join(dataDir, 'checkpoints'), { recursive: true });
  await startService(dataDir);
});

test('no log begins where a restore or move was broken off, which the line says to repeat', async () => {
  const dataDir = await freshFolder();
  const unfinished = join(dataDir, 'events.db.restoring');
  await writeFile(unfinished, 'half of a log');
  const refused = startProcess(dataDir);
  expect((await refused.ended).code).toBe(1);
  expect(linesOf(refused.err)).toEqual([
    `DATA_DIR cannot be used: a restore or move to it was broken off: repeat that, or remove ${unfinished} to begin a new log`,
  ]);
  await rm(unfinished);
  await stopService(await startService(dataDir));
});

test('a log that a killed process left is not thrown away because its file was emptied: what it wrote ahead lies beside it', async () => {
  const dataDir = await freshFolder();
  const service = await startService(dataDir);
  await fill(dataDir, service, ['Pães']);
  service.kill('SIGKILL');
  await service.ended;
  await removeReadModels(dataDir);
  await rm(join(dataDir, 'checkpoints'), { recursive: true, force: true });
  await writeFile(join(dataDir, 'events.db'), '');
  const before = await readFile(join(dataDir, 'events.db-wal'));
  const refused = startProcess(dataDir);
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(refused.err)).toEqual([expect.stringContaining('events.db-wal is of a log that was there')]);
  expect(await readFile(join(dataDir, 'events.db-wal'))).toEqual(before);
});

test('a database of something else in the place of the log is refused in a line, and takes nothing', async () => {
  const dataDir = await freshFolder();
  await stopService(await startService(dataDir));
  const readModels = await readFile(join(dataDir, 'read.db'));
  await removeReadModels(dataDir);
  await writeFile(join(dataDir, 'events.db'), readModels);
  const line = expect.stringContaining('events.db is a database, but no log of this service');
  const refused = startProcess(dataDir);
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(refused.err)).toEqual([line]);
  const audit = startProgram('scripts/audit.js', ['verify'], { DATA_DIR: dataDir });
  expect(await audit.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(audit.err)).toEqual([line]);
  expect(await readFile(join(dataDir, 'events.db'))).toEqual(readModels);
});

test.each([
  ['that are cut', '{"secretsKey":'],
  // Whoever guesses a short one signs tokens.
  ['too short', JSON.stringify({ secretsKey: randomBytes(32).toString('base64'), tokenSecret: 'AAAA' })],
])('secrets %s are refused in a line', async (_, secrets) => {
  const dataDir = await freshFolder();
  await writeFile(join(dataDir, 'secrets.json'), secrets);
  const refused = startProcess(dataDir);
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(refused.err)).toEqual([
    expect.stringContaining('secrets.json is damaged: bring it back from a backup'),
  ]);
});

test('no key is made for a log that has lost its own, whoever looks at it', async () => {
  const dataDir = await freshFolder();
  await stopService(await startService(dataDir));
  await rm(join(dataDir, 'secrets.json'));
  const refused = startProcess(dataDir);
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(linesOf(refused.err)).toEqual([
    expect.stringContaining('secrets.json is missing: bring it back from a backup'),
  ]);
  const doctor = startProgram('scripts/doctor.js', [], { DATA_DIR: dataDir, PORT: '0' });
  expect(await doctor.ended).toEqual({ code: 1, signal: null });
  expect(doctor.out).toContain('secrets.json is missing');
  expect(await readdir(dataDir)).not.toContain('secrets.json');
});

test('where a path is too long for a socket, the command line finds it in a folder that is the user’s alone', async () => {
  const dataDir = join(await freshFolder(), 'x'.repeat(120));
  const service = await startService(dataDir);
  const place = await readFile(join(dataDir, 'admin.sock.path'), 'utf8');
  expect((await lstat(dirname(place))).mode & 0o077).toBe(0);
  await fill(dataDir, service, ['Pães']);
  await chmod(dirname(place), 0o755);
  await expect(askRunningService(dataDir, 'projections status', {})).rejects.toThrow('it is told nothing');
  await chmod(dirname(place), 0o700);
  await stopService(service);
  await expect(lstat(dirname(place))).rejects.toThrow('ENOENT');
});

test('a folder that holds the vault alone is not led to another log than its own', async () => {
  const dataDir = await freshFolder();
  const [own, other] = [await SpawnedStandIn.start(), await SpawnedStandIn.start()];
  try {
    const service = await startService(dataDir, { EVENTSTORE_URL: own.url, BACKUP_DIR: await freshFolder() });
    expect(service.out).toContain('no backups are made: the vault lies in DATA_DIR');
    const store = await fill(dataDir, service, ['Pães']);
    await stopService(service);
    const led = startProcess(dataDir, { EVENTSTORE_URL: other.url });
    expect(await led.ended).toEqual({ code: 1, signal: null });
    expect(linesOf(led.err)).toEqual([expect.stringContaining('EVENTSTORE_URL leads to another log than DATA_DIR')]);
    const again = await startService(dataDir, { EVENTSTORE_URL: own.url });
    expect(await listOf(again, store)).toContain('Pães');
    await stopService(again);
  } finally {
    await Promise.all([own.dispose(), other.dispose()]);
  }
});
