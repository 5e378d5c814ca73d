import { randomBytes } from 'node:crypto';
import type { PathLike } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { examine } from '../../src/operations/doctor/examination.js';
import type { Finding } from '../../src/operations/doctor/findings.js';
import { backupFolder, folder, nodeVersion } from '../../src/operations/doctor/machine.js';
import { secretFindings } from '../../src/operations/doctor/secrets.js';
import { openInstruments } from '../../src/compose-copies.js';
import { parseConfig } from '../../src/config.js';
import { makePlace } from '../../src/operations/socket-place.js';
import { freshFolder, startProgram, stopAll } from '../support/service-process.js';
import { openEmbeddedLog } from '../../src/adapters/embedded/log/embedded-log.js';
import { systemClock } from '../../src/kernel/values/clock.js';

afterEach(stopAll);

const clock = systemClock();
const KEY = randomBytes(32).toString('base64');

async function findingsOf(variables: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Finding>> {
  const config = parseConfig({ PORT: '0', SECRETS_KEY: KEY, ...variables });
  const found = await examine(config, openInstruments(config, clock));
  return new Map(found.map((finding) => [finding.about, finding]));
}

test('an installation in order has nothing wrong', async () => {
  const dataDir = await freshFolder();
  const log = await openEmbeddedLog({ dataDir, secretsKey: Buffer.from(KEY, 'base64'), clock });
  await log.close();
  const found = await findingsOf({ DATA_DIR: dataDir });
  expect([...found.values()].filter(({ state }) => state === 'wrong')).toEqual([]);
  expect(found.get('log')?.says).toContain('its key fits');
});

test.each([
  ['EVENTSTORE_URL', 'esdb://127.0.0.1:9?tls=false', 'the vault lies in DATA_DIR'],
  ['MONGODB_URL', 'mongodb://127.0.0.1:9/x', 'the log lies in DATA_DIR'],
])('who waits for backups beside %s alone hears that none are made, and what to copy', async (name, url, says) => {
  const dataDir = await freshFolder();
  const waiting = await findingsOf({ DATA_DIR: dataDir, BACKUP_DIR: join(dataDir, 'backups'), [name]: url });
  expect(waiting.get('backups')).toMatchObject({ state: 'wrong', says: expect.stringContaining(says) });
  const others = await findingsOf({ DATA_DIR: dataDir, [name]: url });
  expect(others.get('backups')).toMatchObject({ state: 'note', says: expect.stringContaining(says) });
});

test('what is wrong is named with what to do', async () => {
  const dataDir = await freshFolder();
  const log = await openEmbeddedLog({ dataDir, secretsKey: randomBytes(32), clock });
  await log.close();
  await chmod(dataDir, 0o755);
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as { readonly port: number };
  const backups = join(dataDir, 'backups');
  await mkdir(backups);
  const found = await findingsOf({ DATA_DIR: dataDir, PORT: String(port), BACKUP_DIR: backups });
  busy.close();
  expect(found.get('log')).toMatchObject({ state: 'wrong' });
  expect(found.get('log')?.says).toContain('SECRETS_KEY');
  expect(found.get('HOST and PORT')).toMatchObject({ state: 'wrong' });
  expect(found.get('DATA_DIR')?.says).toContain('open to other users');
  expect(found.get('backups')).toMatchObject({ state: 'wrong' });
  expect(found.get('backups')?.says).toContain('npm run backup');
  const away = await findingsOf({
    EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false',
    MONGODB_URL: 'mongodb://127.0.0.1:9/x',
  });
  expect(away.get('EVENTSTORE_URL')).toMatchObject({ state: 'wrong' });
  expect(away.get('MONGODB_URL')).toMatchObject({ state: 'wrong' });
  expect(nodeVersion('18.20.1')).toMatchObject({ state: 'wrong' });
  expect(nodeVersion('22.1.0')).toMatchObject({ state: 'ok' });
});

test('a backup that cannot be read is not taken for none', async () => {
  const [dataDir, backups] = [await freshFolder(), await freshFolder()];
  await writeFile(join(backups, 'events.db'), randomBytes(10_000));
  const found = await findingsOf({ DATA_DIR: dataDir, BACKUP_DIR: backups });
  expect(found.get('backups')).toMatchObject({ state: 'wrong', says: expect.stringContaining('is damaged') });
});

test('a backup that bears a time to come is wrong, and its age is not reckoned', async () => {
  const config = parseConfig({ PORT: '0', SECRETS_KEY: KEY, DATA_DIR: await freshFolder(), BACKUP_DIR: '/copies' });
  const lastBackupAt = () => Promise.resolve(Date.parse('2040-01-01T00:00:00.000Z'));
  const found = await examine(config, { ...openInstruments(config, clock), lastBackupAt });
  expect(found.find(({ about }) => about === 'backups')).toMatchObject({
    state: 'wrong',
    says: expect.stringMatching(
      /^the last one bears the time 2040-01-01T00:00:00.000Z, which is later than now: .*npm run backup/,
    ),
  });
});

test('a service that hangs is named as such, and not waited for', async () => {
  const dataDir = await freshFolder();
  const { path } = await makePlace(dataDir);
  const hanging = createServer().listen(path); // it takes what it is asked, and says nothing
  await once(hanging, 'listening');
  const config = parseConfig({ PORT: '0', SECRETS_KEY: KEY, DATA_DIR: dataDir });
  const found = await examine(config, openInstruments(config, clock, 100));
  hanging.close();
  expect(found.find(({ about }) => about === 'service')).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining('does not answer'),
  });
});

test('a secret that somebody made up is named, and none that came by chance', async () => {
  const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
  const found = await findingsOf({
    DATA_DIR: await freshFolder(),
    SECRETS_KEY: base64('the padaria keeps its bread warm'),
    JWT_SECRET: base64(Buffer.alloc(32)),
  });
  expect(found.get('SECRETS_KEY')).toMatchObject({ state: 'wrong' });
  expect(found.get('JWT_SECRET')).toMatchObject({ state: 'wrong', says: expect.stringContaining('openssl rand') });
  for (let time = 0; time < 1_000; time++) {
    expect(secretFindings({ JWT_SECRET: randomBytes(32), SECRETS_KEY: undefined })).toMatchObject([{ state: 'ok' }]);
  }
});

test('a data folder that is read-only is named as such', async () => {
  const readOnly = (): never => {
    throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
  };
  expect(folder(await freshFolder(), readOnly)).toMatchObject([
    { state: 'wrong', says: expect.stringMatching(/lies on a file system that is read-only: mount it for writing/) },
  ]);
});

test.each(['events.db', 'read.db', 'read.db-wal', 'lock.db'])(
  '%s that another user made, or that takes no writes, is named with what to do',
  async (name) => {
    const dataDir = await freshFolder();
    await chmod(dataDir, 0o700);
    await mkdir(join(dataDir, 'lost+found'), { mode: 0o700 });
    await writeFile(join(dataDir, name), '', { mode: 0o400 });
    // Whoever runs the tests may be allowed to open everything.
    const only = (path: PathLike): void => {
      if (path !== dataDir) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    };
    expect(folder(dataDir, only)).toMatchObject([
      {
        state: 'wrong',
        says: expect.stringMatching(/ cannot be read and written, .*: as root run chown \d+ .*chmod u\+rw/),
      },
    ]);
    await rm(join(dataDir, name));
    expect(folder(dataDir, only)).toMatchObject([{ state: 'ok' }]);
  },
);

test('a backup folder that takes nothing is named', async () => {
  const denied = (): never => {
    throw new Error('EACCES: permission denied');
  };
  const directory = await freshFolder();
  expect(backupFolder(directory, denied)).toMatchObject([
    { about: 'BACKUP_DIR', state: 'wrong', says: expect.stringContaining('permission denied') },
  ]);
  expect(backupFolder(directory)).toEqual([]);
});

test('a log that cannot be read where it lies is named', async () => {
  const dataDir = await freshFolder();
  const log = await openEmbeddedLog({ dataDir, secretsKey: Buffer.from(KEY, 'base64'), clock });
  await log.close();
  // Stands for a file system that is read-only: SQLite cannot open the file that it needs to read.
  await mkdir(join(dataDir, 'events.db-wal'));
  const says = (await findingsOf({ DATA_DIR: dataDir })).get('log')?.says;
  expect(says).toContain(`${join(dataDir, 'events.db')} cannot be read where it lies: `);
});

test('the program prints a line for each thing it looked at, and ends with 1 when something is wrong', async () => {
  const program = startProgram('scripts/doctor.js', [], { DATA_DIR: await freshFolder(), PORT: 'x' });
  expect((await program.ended).code).toBe(1);
  expect(program.out).toMatch(/^WRONG {2}settings: wrong setting: PORT/);
});
