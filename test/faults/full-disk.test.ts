import { spawnSync } from 'node:child_process';
import { cp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import type { StoreAccess } from '../support/category-load.js';
import { callStore, newStoreOf } from '../support/category-load.js';
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
import { fillDisk, mayMount, mountDisk, unmountAll } from '../support/small-disks.js';
import { until } from '../support/until.js';
import { callService } from '../support/world.js';

const MEGABYTE = 1024 * 1024;
const canMount = await mayMount();

afterEach(async () => {
  unmountAll();
  await stopAll();
});

const create = (service: ServiceProcess, store: StoreAccess, name: string) =>
  callStore(service.url, store, 'POST', '/categories', { name });

/** What the service says of the disk, and of itself as a whole. */
async function healthOf({ url }: ServiceProcess) {
  const { body } = await callService(`${url}/healthz`, 'GET', undefined, {});
  return { status: body['status'], disk: body['disk'] };
}

async function namesOf(service: ServiceProcess, store: StoreAccess): Promise<readonly string[]> {
  const { status, body } = await callStore(service.url, store, 'GET', '/categories');
  expect(status).toBe(200);
  return (body as readonly { readonly name: string }[]).map(({ name }) => name).sort();
}

(canMount ? test : test.skip)(
  'on a full disk commands get 503, queries go on, and all is well once there is space (needs the right to mount)',
  async () => {
    const dataDir = await mountDisk(96);
    let service = await startService(dataDir);
    const store = await newStoreOf(dataDir);
    const acknowledged: string[] = [];
    const attempt = async (name: string) => {
      const answer = await create(service, store, name);
      expect([201, 503]).toContain(answer.status);
      if (answer.status === 201) acknowledged.push(name);
      return answer;
    };
    await attempt('Pães');
    expect(await namesOf(service, store)).toEqual(acknowledged);
    expect(await healthOf(service)).toEqual({ status: 'ok', disk: { ok: true } });

    const ballast = await fillDisk(dataDir);
    let tries = 0;
    await until('a command is refused', async () => (await attempt(`Bolos ${++tries}`)).status === 503);
    for (let more = 0; more < 5; more++) {
      const refused = await attempt(`Tortas ${more}`);
      if (refused.status === 503) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await namesOf(service, store)).toEqual([...acknowledged].sort());
    expect(await healthOf(service)).toEqual({ status: 'degraded', disk: { ok: false } });

    await rm(ballast);
    await until('commands are taken again', async () => (await attempt(`Doces ${++tries}`)).status === 201);
    expect(await namesOf(service, store)).toEqual([...acknowledged].sort());
    await stopService(service);
    service = await startService(dataDir);
    expect(await namesOf(service, store)).toEqual([...acknowledged].sort());
  },
);

/** How a program ends, and what it says of that in lines. */
const endOf = async (program: ReturnType<typeof startProgram>) => {
  const { code } = await program.ended;
  return { code, err: linesOf(program.err) };
};

(canMount ? test.each : test.skip.each)([0, 8_192])(
  'where %i bytes are left, start, commands, backup and restore say in a line whose disk is full, and go on once there is room (needs the right to mount)',
  async (room) => {
    const [disk, other] = [await mountDisk(64), await freshFolder()];
    const [dataDir, sound, backup] = [join(disk, 'data'), join(other, 'data'), join(other, 'backup')];
    for (const folder of [dataDir, sound]) await stopService(await startService(folder));
    const run = (script: string, words: readonly string[], folder: string) =>
      endOf(startProgram(`scripts/${script}.js`, words, { DATA_DIR: folder }));
    expect(await run('backup', [backup], sound)).toMatchObject({ code: 0 });

    const ballast = await fillDisk(disk);
    await truncate(ballast, (await stat(ballast)).size - room);
    const fault = (folder: string) =>
      `disk I/O error in ${folder}: its disk has no room .*|.* could not be copied to ${folder}: disk I/O error`;
    const refused = (folder: string) => ({
      code: 1,
      err: [expect.stringMatching(new RegExp(`^(?:the disk of ${folder} is full: make room|${fault(folder)})$`))],
    });
    expect(await endOf(startProcess(dataDir))).toEqual(refused(dataDir));
    expect(await endOf(startProcess(join(disk, 'new')))).toEqual(refused(join(disk, 'new')));
    expect(await run('audit', ['verify'], dataDir)).toEqual(refused(dataDir));
    expect(await run('projections', ['status'], dataDir)).toEqual(refused(dataDir));
    expect(await run('backup', [join(other, 'never')], dataDir)).toEqual(refused(dataDir));
    expect(await run('backup', [join(disk, 'backup')], sound)).toEqual(refused(join(disk, 'backup')));
    expect(await run('restore', [backup], join(disk, 'restored'))).toEqual(refused(join(disk, 'restored')));

    await rm(ballast);
    expect(await run('restore', [backup], join(disk, 'restored'))).toEqual({ code: 0, err: [] });
    expect(await run('backup', [join(disk, 'backup')], sound)).toEqual({ code: 0, err: [] });
    await stopService(await startService(dataDir));
  },
);

(canMount ? test : test.skip)(
  'a verification whose copy has no room is refused in a line, and leaves nothing (needs the right to mount)',
  async () => {
    const dataDir = await mountDisk(96);
    const service = await startService(dataDir);
    const ballast = await fillDisk(dataDir);
    await truncate(ballast, (await stat(ballast)).size - 32 * MEGABYTE);
    const verifying = startProgram('scripts/projections.js', ['verify'], { DATA_DIR: dataDir });
    const { code } = await verifying.ended;
    expect({ code, err: linesOf(verifying.err) }).toEqual({
      code: 1,
      err: [
        expect.stringMatching(
          /^the disk has no room for a copy of the read models: \d+ bytes are free, and \d+ are needed$/,
        ),
      ],
    });
    expect(await readdir(join(dataDir, 'replays'))).toEqual([]);
    await stopService(service);
  },
);

(canMount ? test : test.skip)(
  'a restore from a disk that is read-only says when a backup was broken off there (needs the right to mount)',
  async () => {
    const dataDir = await freshFolder();
    await stopService(await startService(dataDir));
    const directory = join(await freshFolder(), 'backup');
    const run = async (script: string, folder: string, of: string) => {
      const program = startProgram(`scripts/${script}.js`, [folder], { DATA_DIR: of });
      const { code } = await program.ended;
      return { code, err: linesOf(program.err) };
    };
    expect(await run('backup', directory, dataDir)).toEqual({ code: 0, err: [] });
    const disk = await mountDisk(32);
    const begun = new DatabaseSync(join(directory, 'events.db'));
    try {
      begun.exec('pragma cache_size = 1; begin immediate; update vault set dueAt = 1; update streams set hash = name;');
      await cp(directory, disk, { recursive: true });
    } finally {
      begun.close();
    }
    expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0);
    expect(await run('restore', disk, join(await freshFolder(), 'restored'))).toEqual({
      code: 1,
      err: [expect.stringContaining(`a backup into ${disk} was broken off, and has to be taken back first: let the`)],
    });
    expect(spawnSync('mount', ['-o', 'remount,rw', disk]).status).toBe(0);
    expect(await run('restore', disk, join(await freshFolder(), 'restored'))).toEqual({ code: 0, err: [] });
  },
);
