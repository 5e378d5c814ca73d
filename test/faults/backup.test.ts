import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, expect, test } from '@jest/globals';
import { LOG_FORMAT } from '../../src/adapters/log-format.js';
import { callStore, CategoryLoad, createCategory, newStoreOf } from '../support/category-load.js';
import type { StoreAccess } from '../support/category-load.js';
import type { ServiceProcess } from '../support/service-process.js';
import { freshFolder, startProgram, startService, stopAll, stopService } from '../support/service-process.js';
import { brokenLinks, storedEvents } from '../support/stored-log.js';
import { until } from '../support/until.js';
import { callService } from '../support/world.js';

/** How often a program is killed; `FAULT_ROUNDS=20` for a thorough run. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);

const [OWN_KEY, FIRST_KEY, SECOND_KEY] = ['key-of-its-own', 'key-of-the-first', 'key-of-the-second'];

afterEach(stopAll);

async function run(script: string, words: readonly string[], dataDir: string) {
  const program = startProgram(`scripts/${script}.js`, words, { DATA_DIR: dataDir });
  const { code } = await program.ended;
  return {
    code,
    said: code === 0 ? (JSON.parse(program.out) as Record<string, unknown>) : {},
    err: program.err.trim(),
  };
}

const namesOf = async (service: ServiceProcess, store: StoreAccess): Promise<readonly string[]> => {
  const { body } = await callStore(service.url, store, 'GET', '/categories');
  return (body as readonly { readonly name: string }[]).map(({ name }) => name).sort();
};

const create = async (service: ServiceProcess, store: StoreAccess, name: string, idempotencyKey?: string) =>
  createCategory(service.url, { store, name, idempotencyKey });

test('a backup made under load holds one moment, grows by what is new, and is restored whole', async () => {
  const dataDir = await freshFolder();
  const directory = join(await freshFolder(), 'backup');
  const service = await startService(dataDir);
  const store = await newStoreOf(dataDir);
  const kept = await create(service, store, 'Pães', OWN_KEY);
  expect(kept.status).toBe(201);
  const load = new CategoryLoad(service.url, [store], 2);
  await until('the load runs', () => load.answered >= 20);
  const first = await run('backup', [directory], dataDir);
  expect(first).toMatchObject({ code: 0, err: '' });
  await until('the load goes on', () => load.answered >= 60);
  service.kill('SIGKILL');
  await Promise.all([load.ended(), service.ended]);
  const second = await run('backup', [directory], dataDir);
  const events = await storedEvents(dataDir);
  expect(second.said).toMatchObject({ size: events.length, logId: first.said['logId'] });
  expect(second.said['added']).toBe(events.length - Number(first.said['size']));
  expect((await stat(join(directory, 'secrets.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(directory, 'events.db'))).mode & 0o777).toBe(0o600);

  // A new disk, and the home of whoever restores.
  const restored = await freshFolder();
  for (const name of ['lost+found', '.npm']) await mkdir(join(restored, name));
  expect(await run('restore', [directory], restored)).toMatchObject({
    code: 0,
    said: { size: events.length, logId: first.said['logId'], rootHash: second.said['rootHash'] },
  });
  expect(await storedEvents(restored)).toEqual(events);
  const again = await startService(restored);
  expect(await namesOf(again, store)).toContain('Pães');
  // Keys of idempotency are there.
  expect((await create(again, store, 'Pães', OWN_KEY)).body).toEqual(kept.body);
  await stopService(again);
});

test('a restore to an earlier moment begins a new life of the log', async () => {
  const dataDir = await freshFolder();
  const directory = join(await freshFolder(), 'backup');
  const service = await startService(dataDir);
  const store = await newStoreOf(dataDir);
  await create(service, store, 'Pães', FIRST_KEY);
  const { said: early } = await run('backup', [directory], dataDir);
  const size = Number(early['size']);
  const time = new Date().toISOString();
  await until('the next event is later than that moment', () => new Date().toISOString() > time);
  await create(service, store, 'Bolos', SECOND_KEY);
  await stopService(service);
  const { said } = await run('backup', [directory], dataDir);

  for (const at of [time, String(size)]) {
    const restored = await freshFolder();
    const done = await run('restore', [directory, '--at', at], restored);
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(done.said['logId']).not.toBe(said['logId']);
    const events = await storedEvents(restored);
    expect(events.length).toBe(size + 1);
    const { type, data } = events.at(-1) ?? {};
    expect({ type, data: JSON.parse(data ?? '{}') as unknown }).toEqual({
      type: 'LogRestored',
      data: { fromLogId: said['logId'], size, rootHash: early['rootHash'] },
    });
    const { logId, size: whole, rootHash } = done.said;
    expect(await run('audit', ['verify'], restored)).toMatchObject({ code: 0, said: { logId, size: whole, rootHash } });
    const again = await startService(restored);
    expect(await namesOf(again, store)).toEqual(['Pães']);
    expect((await create(again, store, 'Bolos', SECOND_KEY)).status).toBe(201);
    await stopService(again);
    expect(brokenLinks(await storedEvents(restored))).toEqual([]);
  }
  const afterwards = await run('restore', [directory, '--at', '2999-01-01T00:00:00Z'], await freshFolder());
  expect(afterwards).toMatchObject({ code: 0, said: { backupAt: said['at'] } });
  expect(afterwards.err).toBe(`the backup was made at ${String(said['at'])}: nothing of later is in it`);
});

test('what is no backup of this log, or a spoilt one, is refused with one line', async () => {
  const dataDir = await freshFolder();
  const directory = join(await freshFolder(), 'backup');
  const service = await startService(dataDir);
  await newStoreOf(dataDir);
  await stopService(service);
  expect(await run('backup', [directory], dataDir)).toMatchObject({ code: 0 });
  const refused = async (script: string, words: readonly string[], folder: string, line: RegExp) => {
    const { code, err } = await run(script, words, folder);
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(err).toMatch(line);
  };
  const changed = async (change: (path: string) => Promise<void> | void): Promise<string> => {
    const copy = join(await freshFolder(), 'copy');
    await cp(directory, copy, { recursive: true });
    await change(join(copy, 'events.db'));
    return copy;
  };
  const sql = (text: string) => (path: string) => {
    const database = new DatabaseSync(path);
    database.exec(text);
    database.close();
  };

  const edited = await changed(sql(`update events set data = replace(data, 'Loja', 'Loji') where position = 1`));
  await refused(
    'restore',
    [edited],
    await freshFolder(),
    /damaged: revision \d+ of the stream \S+: it is not what was recorded/,
  );
  await refused('backup', [edited], dataDir, /damaged: revision \d+ of the stream \S+: .*; name another folder/);
  const lost = await changed(sql('delete from events where position = (select max(position) from events)'));
  const emptied = await freshFolder();
  await refused('restore', [lost], emptied, /damaged/);
  await stopService(await startService(emptied)); // nothing of it is in the way
  const torn = await changed(async (path) => writeFile(path, (await readFile(path)).subarray(0, 20_000)));
  await refused('restore', [torn], await freshFolder(), /damaged/);
  const newer = await changed(sql(`update about set format = ${String(LOG_FORMAT + 1)}`));
  await refused('restore', [newer], await freshFolder(), /a newer release wrote it/);
  await refused('backup', [newer], dataDir, /a newer release wrote it/);
  const foreign = await changed(sql(`update about set logId = 'another'`));
  await refused('backup', [foreign], dataDir, /is of the log another/);
  await refused('backup', [dataDir], dataDir, /the data folder itself/);
  await refused('backup', [join(directory, 'events.db')], dataDir, /events\.db is a file: a backup needs a folder/);
  const dangling = join(await freshFolder(), 'link');
  await symlink(join(dangling, '..', 'nowhere'), dangling);
  await refused('backup', [dangling], dataDir, /link is a link to what is not there/);
  // SQLite names neither file.
  const blocked = join(await freshFolder(), 'blocked');
  await mkdir(join(blocked, 'events.db-journal'), { recursive: true });
  await refused('backup', [blocked], dataDir, /^\S+ could not be copied to \S+\/blocked: \D+$/);
  await refused('restore', [directory], dataDir, /is not empty/);
  await refused('restore', [join(directory, 'nowhere')], await freshFolder(), /there is no backup in/);
  await refused('backup', [join(await freshFolder(), 'backup')], await freshFolder(), /there is no log/);
  await refused('restore', [directory, '--at', '999999'], await freshFolder(), /the backup ends at/);
  const other = join(await freshFolder(), 'other');
  await mkdir(other);
  await copyFile(join(directory, 'events.db'), join(other, 'events.db'));
  await refused('restore', [other], await freshFolder(), /SECRETS_KEY is missing/);
  for (const [script, words] of [
    ['backup', []],
    ['restore', [directory, '--at', 'yesterday']],
    ['restore', [directory, '--at', '2026-11-31T10:00:00Z']],
    ['restore', [directory, '--at', '2026-11-30T10:00:00']],
    ['restore', [directory, '--when']],
  ] as const) {
    expect(await run(script, words, dataDir)).toMatchObject({ code: 2 });
  }
});

test('the key of a backup is never replaced by one that does not open it', async () => {
  const dataDir = await freshFolder();
  const directory = join(await freshFolder(), 'backup');
  await stopService(await startService(dataDir));
  expect(await run('backup', [directory], dataDir)).toMatchObject({ code: 0 });
  const [live, copied] = [join(dataDir, 'secrets.json'), join(directory, 'secrets.json')];
  const known = JSON.parse(await readFile(live, 'utf8')) as {
    readonly secretsKey: string;
    readonly tokenSecret: string;
  };
  const another = randomBytes(32).toString('base64');
  for (const foreign of [JSON.stringify({ ...known, secretsKey: another }), '{"secretsKey":', '']) {
    await writeFile(live, foreign);
    expect(await run('backup', [directory], dataDir)).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(copied, 'utf8'))).toEqual(known);
  }
  const newer = { ...known, tokenSecret: another };
  await writeFile(live, JSON.stringify(newer));
  expect(await run('backup', [directory], dataDir)).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(copied, 'utf8'))).toEqual(newer);
});

test('the service backs itself up, says how old the last one is, and lists erasures at once', async () => {
  const dataDir = await freshFolder();
  const directory = join(await freshFolder(), 'backup');
  const service = await startService(dataDir, { BACKUP_DIR: directory, BACKUP_EVERY: '1s' });
  const store = await newStoreOf(dataDir);
  const { body } = await callStore(service.url, store, 'POST', '/customers', { name: 'Ana', document: '52998224725' });
  const health = async () =>
    ((await callService(`${service.url}/healthz`, 'GET', undefined, {})).body['backup'] ?? {}) as {
      readonly ok?: boolean;
      readonly at?: string | null;
    };
  await until('the customer is backed up', async () => {
    const { size = 0 } = await run('backup', [directory], dataDir).then(({ said }) => said as { size?: number });
    return size > 0;
  });
  // On a busy machine the next one may be late in between.
  await until('it says so', async () => {
    const { ok, at } = await health();
    return ok === true && typeof at === 'string';
  });
  const metrics = await callService(`${service.url}/metrics`, 'GET', undefined, {});
  expect(metrics.text).toMatch(/^backup_age_seconds \d/m);
  // A copy of its files might be taken in the middle of the next backup.
  const before = join(await freshFolder(), 'before');
  expect(await run('backup', [before], dataDir)).toMatchObject({ code: 0 });
  const erased = await callStore(service.url, store, 'POST', `/customers/${String(body.id)}/erase`);
  expect(erased.status).toBeLessThan(300);
  const list = await readFile(join(directory, 'erasures.jsonl'), 'utf8');
  expect(list).toContain(String(body.id));
  service.kill('SIGKILL');
  await service.ended;

  // An older copy with the newest list: the person stays erased.
  await copyFile(join(directory, 'erasures.jsonl'), join(before, 'erasures.jsonl'));
  const restored = await freshFolder();
  expect(await run('restore', [before], restored)).toMatchObject({ code: 0 });
  const again = await startService(restored);
  const shown = await callStore(again.url, store, 'GET', `/customers/${String(body.id)}`);
  expect(shown.text).not.toContain('Ana');
  await stopService(again);
});

/** Which files a process has open, where the system tells. */
const openFilesOf = ({ pid = 0 }: ServiceProcess): readonly string[] => {
  const folder = `/proc/${String(pid)}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return []; // closed meanwhile
    }
  });
};

if (existsSync('/proc/self/fd')) {
  test('a stop while the service backs itself up is as clean as any', async () => {
    const directory = await freshFolder();
    const copy = join(directory, 'events.db');
    // The backup waits for the lock in the middle of SQLite's work.
    const holder = new DatabaseSync(copy);
    holder.exec('begin exclusive');
    try {
      const service = await startService(await freshFolder(), { BACKUP_DIR: directory, BACKUP_EVERY: '1s' });
      await until('the backup is at work', () => openFilesOf(service).includes(copy));
      service.kill('SIGTERM');
      expect({ ...(await service.ended), err: service.err }).toEqual({ code: 0, signal: null, err: '' });
    } finally {
      holder.close();
    }
  });
}

test('a backup or restore that was killed counts for nothing and can be repeated', async () => {
  const dataDir = await freshFolder();
  const service = await startService(dataDir);
  const store = await newStoreOf(dataDir);
  const load = new CategoryLoad(service.url, [store], 4);
  await until('there is something', () => load.answered >= 100);
  const directory = join(await freshFolder(), 'backup');
  for (let round = 0; round < ROUNDS; round++) {
    const program = startProgram('scripts/backup.js', [directory], { DATA_DIR: dataDir });
    const begun = join(directory, 'events.db-journal');
    let ended = false;
    void program.ended.then(() => (ended = true));
    await until('it writes', () => ended || existsSync(begun));
    await pause(Math.random() * 30);
    program.kill('SIGKILL');
    await program.ended;
  }
  service.kill('SIGKILL');
  await Promise.all([load.ended(), service.ended]);
  const { said } = await run('backup', [directory], dataDir);
  const restored = await freshFolder();
  for (let round = 0; round < ROUNDS; round++) {
    const program = startProgram('scripts/restore.js', [directory], { DATA_DIR: restored });
    let ended = false;
    void program.ended.then(() => (ended = true));
    await until('it writes', () => ended || existsSync(join(restored, 'events.db.restoring')));
    await pause(Math.random() * 30);
    program.kill('SIGKILL');
    await program.ended;
    if (existsSync(join(restored, 'events.db'))) break;
  }
  if (!existsSync(join(restored, 'events.db'))) {
    expect(await run('restore', [directory], restored)).toMatchObject({
      code: 0,
      said: { rootHash: said['rootHash'] },
    });
  }
  expect(await storedEvents(restored)).toEqual(await storedEvents(dataDir));
});
