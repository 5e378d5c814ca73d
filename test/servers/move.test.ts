import { randomBytes } from 'node:crypto';
import { rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { StoreAccess } from '../support/category-load.js';
import { callStore, createCategory, newStoreOf } from '../support/category-load.js';
import { SpawnedStandIn } from '../support/eventstoredb-stand-in/spawned.js';
import { onMongo } from '../support/on-servers.js';
import type { ServiceProcess } from '../support/service-process.js';
import { freshFolder, startProgram, startService, stopAll, stopService } from '../support/service-process.js';
import { fillDisk, mayMount, mountDisk, unmountAll } from '../support/small-disks.js';
import { brokenLinks, storedEvents } from '../support/stored-log.js';
import { until } from '../support/until.js';

/** How often a move is killed; `FAULT_ROUNDS=20` for a thorough run. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const canMount = await mayMount();
await onMongo('moves', (database) => {
  const secret = randomBytes(32).toString('base64');
  const secrets = { SECRETS_KEY: secret, JWT_SECRET: secret };
  const standIns: SpawnedStandIn[] = [];
  const emptyServers = async () => {
    const standIn = await SpawnedStandIn.start();
    standIns.push(standIn);
    return { EVENTSTORE_URL: standIn.url, MONGODB_URL: database.freshUrl() };
  };
  const run = async (script: string, words: readonly string[], variables: Readonly<Record<string, string>>) => {
    const program = startProgram(`scripts/${script}.js`, words, variables);
    const { code } = await program.ended;
    return { code, said: code === 0 ? (JSON.parse(program.out) as Record<string, unknown>) : {}, err: program.err };
  };
  const move = (dataDir: string, ...words: readonly string[]) => run('move', words, { DATA_DIR: dataDir, ...secrets });
  const refused = (why: string) => ({ code: 1, err: expect.stringContaining(why) as unknown });
  /** A store that no service has run with yet, so that no reactor has been anywhere. */
  const unusedStore = (variables: Readonly<Record<string, string>>) =>
    run(
      'admin',
      [
        'store',
        'create',
        '--slug',
        'loja',
        '--name',
        'Loja',
        '--username',
        'ana',
        '--email',
        'ana@example.com',
        '--password',
        'uma frase bem longa',
      ],
      { ...secrets, ...variables },
    );
  const create = (service: ServiceProcess, store: StoreAccess, name: string) =>
    createCategory(service.url, { store, name, idempotencyKey: `key-of-${name}` });
  const namesOf = async (service: ServiceProcess, store: StoreAccess) => {
    let names: readonly string[] = [];
    await until('the read models are there', async () => {
      const { status, body } = await callStore(service.url, store, 'GET', '/categories');
      if (status === 200) names = (body as readonly { readonly name: string }[]).map(({ name }) => name).sort();
      return status === 200;
    });
    return names;
  };

  afterEach(async () => {
    unmountAll();
    await stopAll();
  });
  afterAll(async () => {
    await Promise.all(standIns.map((standIn) => standIn.dispose()));
  });

  test('an installation goes to servers and comes back, also when a move is killed on its way', async () => {
    const dataDir = await freshFolder();
    const first = await startService(dataDir, secrets);
    const store = await newStoreOf(dataDir);
    for (let index = 0; index < 10; index++) await create(first, store, `c${String(index)}`);
    const kept = await create(first, store, 'Doces');
    await stopService(first);
    const before = await storedEvents(dataDir, secret);
    const servers = await emptyServers();
    const to = ['--to-eventstore', servers.EVENTSTORE_URL, '--to-mongodb', servers.MONGODB_URL];
    for (let round = 0; round < ROUNDS; round++) {
      const program = startProgram('scripts/move.js', to, { DATA_DIR: dataDir, ...secrets });
      await Promise.race([pause(400 + Math.random() * 800), program.ended]);
      program.kill('SIGKILL');
      await program.ended;
    }
    const there = await move(dataDir, ...to);
    if (there.code !== 0)
      expect(there.err).toContain('was moved already'); // a round was too slow to be killed
    else expect(there.said).toMatchObject({ events: before.length });
    await expect(startService(dataDir, secrets)).rejects.toThrow(/was moved to a server/);
    // A slip in the first start's address.
    const { EVENTSTORE_URL } = await emptyServers();
    const elsewhere = { ...secrets, ...servers, EVENTSTORE_URL };
    await expect(startService(await freshFolder(), elsewhere)).rejects.toThrow(/leads to another log/);

    const onServers = await startService(await freshFolder(), { ...secrets, ...servers });
    expect(await namesOf(onServers, store)).toHaveLength(11);
    expect((await create(onServers, store, 'Doces')).body).toEqual(kept.body);
    expect((await create(onServers, store, 'Bolos')).status).toBe(201);
    await stopService(onServers);

    const back = await freshFolder();
    const from = ['--from-eventstore', servers.EVENTSTORE_URL, '--from-mongodb', servers.MONGODB_URL];
    const returned = await move(back, ...from);
    expect(returned).toMatchObject({ code: 0, said: { events: before.length + 1 } });
    const events = await storedEvents(back, secret);
    expect(events.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(brokenLinks(events)).toEqual([]);
    await expect(startService(await freshFolder(), { ...secrets, ...servers })).rejects.toThrow(/moved away/);
    const again = await startService(back, secrets);
    expect(await namesOf(again, store)).toHaveLength(12);
    expect((await create(again, store, 'Bolos')).status).toBe(201);
    await stopService(again);
    // Neither side takes anything twice.
    expect((await move(back, ...to)).err).toMatch(/not empty|moved away|in use/);
    expect((await move(back, ...from)).err).toContain('was moved away already: that move is done');
    expect((await move(dataDir, ...to)).err).toContain('was moved already, to a server: that move is done');
  });

  test('nothing leaves servers that a process still uses: what that answered later would be left behind', async () => {
    const servers = await emptyServers();
    const settings = { ...secrets, ...servers };
    const onServers = await startService(await freshFolder(), settings);
    const from = ['--from-eventstore', servers.EVENTSTORE_URL, '--from-mongodb', servers.MONGODB_URL];
    const back = await freshFolder();
    expect(await move(back, ...from)).toMatchObject({ code: 1, err: expect.stringContaining('still runs on these') });
    await stopService(onServers);
    expect(await move(back, ...from)).toMatchObject({ code: 0 });
  });

  test('a vault that was moved apart from its log does not leave either while a process uses it', async () => {
    const dataDir = await freshFolder();
    await unusedStore({ DATA_DIR: dataDir });
    const servers = await emptyServers();
    expect(await move(dataDir, '--to-eventstore', servers.EVENTSTORE_URL)).toMatchObject({ code: 0 });
    expect(await move(dataDir, '--to-mongodb', servers.MONGODB_URL)).toMatchObject({ code: 0 });
    const onServers = await startService(await freshFolder(), { ...secrets, ...servers });
    const from = ['--from-mongodb', servers.MONGODB_URL];
    expect(await move(dataDir, ...from)).toMatchObject(refused('still runs on these'));
    await stopService(onServers);
    expect(await move(dataDir, ...from)).toMatchObject({ code: 0 });
    expect(await move(dataDir, '--from-eventstore', servers.EVENTSTORE_URL)).toMatchObject({ code: 0 });
    await stopService(await startService(dataDir, secrets));
  });

  test('nothing goes anywhere with another key, also where no row of the vault needs to be opened on the way', async () => {
    const other = { SECRETS_KEY: randomBytes(32).toString('base64') };
    const dataDir = await freshFolder();
    await unusedStore({ DATA_DIR: dataDir });
    const servers = await emptyServers();
    const to = ['--to-eventstore', servers.EVENTSTORE_URL, '--to-mongodb', servers.MONGODB_URL];
    expect(await run('move', to, { DATA_DIR: dataDir, ...other })).toMatchObject(refused('SECRETS_KEY is not the key'));
    expect(await move(dataDir, ...to)).toMatchObject({ code: 0 });
    const from = ['--from-eventstore', servers.EVENTSTORE_URL, '--from-mongodb', servers.MONGODB_URL];
    const back = await freshFolder();
    expect(await run('move', from, { DATA_DIR: back, ...other })).toMatchObject(refused('SECRETS_KEY is not the key'));
    expect(await move(back, ...from)).toMatchObject({ code: 0 });
  });

  test('a log does not come from servers without its vault, nor with that of another log', async () => {
    const [servers, others] = [await emptyServers(), await emptyServers()];
    for (const variables of [servers, others]) await unusedStore({ DATA_DIR: await freshFolder(), ...variables });
    const from = (database: string) => ['--from-eventstore', servers.EVENTSTORE_URL, '--from-mongodb', database];
    const back = await freshFolder();
    expect(await move(back, ...from((await emptyServers()).MONGODB_URL))).toMatchObject(refused('holds no vault'));
    expect(await move(back, ...from(others.MONGODB_URL))).toMatchObject(refused('leads to another log'));
    expect(await move(back, ...from(servers.MONGODB_URL))).toMatchObject({ code: 0, said: { vaultRows: 2 } });
  });

  test('a move that one of the servers refuses leaves nothing on the other', async () => {
    const dataDir = await freshFolder();
    await unusedStore({ DATA_DIR: dataDir });
    const [free, used] = [await emptyServers(), await emptyServers()];
    await unusedStore({ DATA_DIR: await freshFolder(), ...used });
    const to = (log: string, vault: string) => ['--to-eventstore', log, '--to-mongodb', vault];
    expect(await move(dataDir, ...to(free.EVENTSTORE_URL, used.MONGODB_URL))).toMatchObject(refused('is not empty'));
    expect(await move(dataDir, ...to(used.EVENTSTORE_URL, free.MONGODB_URL))).toMatchObject(refused('another log'));
    const another = await freshFolder();
    await unusedStore({ DATA_DIR: another });
    expect(await move(another, ...to(free.EVENTSTORE_URL, free.MONGODB_URL))).toMatchObject({ code: 0 });
  });

  test('what lies in a folder since its log was moved away is neither backed up nor audited any more', async () => {
    const dataDir = await freshFolder();
    await unusedStore({ DATA_DIR: dataDir });
    const { EVENTSTORE_URL, MONGODB_URL } = await emptyServers();
    const variables = { DATA_DIR: dataDir, ...secrets };
    expect(await run('backup', [await freshFolder()], variables)).toMatchObject({ code: 0 });
    expect(await move(dataDir, '--to-eventstore', EVENTSTORE_URL, '--to-mongodb', MONGODB_URL)).toMatchObject({
      code: 0,
    });
    expect(await run('backup', [await freshFolder()], variables)).toMatchObject(refused('was moved to a server'));
    expect(await run('audit', ['verify'], variables)).toMatchObject(refused('was moved to a server'));
    expect(await run('audit', ['verify'], { ...variables, EVENTSTORE_URL })).toMatchObject({ code: 0 });
  });

  test('the log alone may go to its server and come back', async () => {
    const dataDir = await freshFolder();
    const first = await startService(dataDir, secrets);
    const store = await newStoreOf(dataDir);
    await create(first, store, 'Doces');
    await stopService(first);
    const { EVENTSTORE_URL } = await emptyServers();
    expect(await move(dataDir, '--to-eventstore', EVENTSTORE_URL)).toMatchObject({ code: 0 });
    await expect(startService(dataDir, secrets)).rejects.toThrow(/EVENTSTORE_URL must name it/);
    const slip = { ...secrets, EVENTSTORE_URL: (await emptyServers()).EVENTSTORE_URL };
    await expect(startService(dataDir, slip)).rejects.toThrow(/leads to another log/);
    const onServer = await startService(dataDir, { ...secrets, EVENTSTORE_URL });
    expect((await create(onServer, store, 'Bolos')).status).toBe(201);
    await stopService(onServer);
    expect(await move(dataDir, '--from-eventstore', EVENTSTORE_URL)).toMatchObject({ code: 0 });
    const again = await startService(dataDir, secrets);
    expect(await namesOf(again, store)).toEqual(['Bolos', 'Doces']);
    await stopService(again);
  });

  test('a vault whose log began on a server goes to another and comes back', async () => {
    const dataDir = await freshFolder();
    const { EVENTSTORE_URL, MONGODB_URL } = await emptyServers();
    await unusedStore({ DATA_DIR: dataDir, EVENTSTORE_URL });
    expect(await move(dataDir, '--to-mongodb', MONGODB_URL)).toMatchObject({ code: 0 });
    await stopService(await startService(await freshFolder(), { ...secrets, EVENTSTORE_URL, MONGODB_URL }));
    expect(await move(dataDir, '--from-mongodb', MONGODB_URL)).toMatchObject({ code: 0 });
    await stopService(await startService(dataDir, { ...secrets, EVENTSTORE_URL }));
  });

  (canMount ? test : test.skip)(
    'what has no room on the disk that it comes to stays on the servers, and the line names the folder (needs the right to mount)',
    async () => {
      const servers = await emptyServers();
      await unusedStore({ DATA_DIR: await freshFolder(), ...servers, ...secrets });
      const disk = await mountDisk(8);
      const dataDir = join(disk, 'data');
      const from = ['--from-eventstore', servers.EVENTSTORE_URL, '--from-mongodb', servers.MONGODB_URL];
      const ballast = await fillDisk(disk);
      await truncate(ballast, (await stat(ballast)).size - 16_384);
      expect(await move(dataDir, ...from)).toEqual({
        code: 1,
        said: {},
        err: expect.stringMatching(
          new RegExp(`^(?:the disk of ${dataDir} is full: make room|disk I/O error in ${dataDir}: .*)\n$`),
        ),
      });
      await rm(ballast);
      expect(await move(dataDir, ...from)).toMatchObject({ code: 0 });
    },
  );

  test('what the move is not told is asked for', async () => {
    const dataDir = await freshFolder();
    for (const words of [[], ['--to-mongodb', 'mongodb://a/b', '--from-eventstore', 'esdb://a'], ['--to-redis', 'x']]) {
      expect(await move(dataDir, ...words)).toMatchObject({ code: 2 });
    }
    const to = ['--to-mongodb', 'mongodb://127.0.0.1:9/x'];
    expect((await move(dataDir, ...to)).err).toContain('there is no log');
    await writeFile(join(dataDir, 'events.db'), '');
    expect((await move(dataDir, ...to)).err).toContain('there is no log');
    await writeFile(join(dataDir, 'events.db'), 'none at all');
    expect((await move(dataDir, ...to)).err).toContain('events.db is damaged');
  });
});
