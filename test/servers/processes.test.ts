import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SpawnedStandIn } from '../support/eventstoredb-stand-in/spawned.js';
import { EventStream } from '../support/event-stream.js';
import { onServers } from '../support/on-servers.js';
import type { Credential } from '../support/service-group.js';
import { ServiceGroup, ask } from '../support/service-group.js';
import type { ServiceProcess } from '../support/service-process.js';
import { stopAll, stopService } from '../support/service-process.js';
import { until } from '../support/until.js';
import type { Answer } from '../support/world.js';

await onServers('several processes', (servers) => {
  const group = new ServiceGroup(servers);
  let store: Credential;
  let first: ServiceProcess;
  let second: ServiceProcess;

  beforeAll(async () => {
    // One after the other: FerretDB breaks off when two build its first indexes at once.
    first = await group.start();
    second = await group.start();
    store = await group.newStore();
  });
  afterAll(stopAll);

  const create = (service: ServiceProcess, name: string, headers = {}) =>
    ask(service, store, 'POST', '/categories', { name }, headers);
  const namesSeenBy = async (service: ServiceProcess): Promise<string[]> => {
    const { status, body } = await ask(service, store, 'GET', '/categories');
    return status === 200 ? (body as { name: string }[]).map(({ name }) => name) : [`status ${String(status)}`];
  };
  const through = (index: number): ServiceProcess => (index % 2 === 0 ? first : second);
  const withStatus = (answers: readonly Answer[], status: number) => answers.filter((each) => each.status === status);

  test('a process says that its JWT_SECRET is not that of the others, and one that has theirs says nothing', async () => {
    const said = 'JWT_SECRET is another one than that of the process that started before';
    expect([first.out, second.out].filter((out) => out.includes(said))).toEqual([]);
    const other = await group.start({ JWT_SECRET: randomBytes(32).toString('base64') });
    expect(other.out).toContain(said);
    await stopService(other);
  });

  test('a process that is led to another log than that of the vault in MongoDB is refused', async () => {
    const elsewhere = await SpawnedStandIn.start();
    try {
      const led = group.start({ EVENTSTORE_URL: elsewhere.url });
      await expect(led).rejects.toThrow('EVENTSTORE_URL leads to another log than MONGODB_URL');
    } finally {
      await elsewhere.dispose();
    }
    expect((await create(first, 'Ainda aqui')).status).toBe(201);
    expect(await namesSeenBy(second)).toContain('Ainda aqui');
  });

  test('a process whose vault is empty beside the log of the others says so, and those whose vault it is say nothing', async () => {
    const said = 'the vault holds no password, and the log is in use';
    expect([first.out, second.out].filter((out) => out.includes(said))).toEqual([]);
    for (const slip of [{ MONGODB_URL: servers.mongo.freshUrl() }, { MONGODB_URL: '' }]) {
      const lost = await group.start(slip);
      expect(lost.out).toContain(said);
      await stopService(lost);
    }
  });

  test('a name is taken once, through whichever process', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => create(through(at), 'Disputada')));
    expect([withStatus(answers, 201).length, withStatus(answers, 409).length]).toEqual([1, 49]);
    for (const service of [first, second]) {
      expect((await namesSeenBy(service)).filter((name) => name === 'Disputada')).toHaveLength(1);
    }
  });

  test('what one has answered the other shows at once', async () => {
    for (let round = 0; round < 20; round++) {
      const name = `Vista ${String(round)}`;
      expect((await create(through(round), name)).status).toBe(201);
      expect(await namesSeenBy(through(round + 1))).toContain(name);
    }
  });

  test('what one records the watchers of the other hear of, and of the revocation of their key', async () => {
    const { key, id } = (await ask(first, store, 'POST', '/api-keys', { name: 'Painel' })).body as Record<
      string,
      string
    >;
    const headers = { authorization: `Bearer ${key ?? ''}`, 'x-store-slug': store.slug };
    const stream = await EventStream.open(`${second.url}/live`, headers);
    expect((await create(first, 'Ao vivo')).status).toBe(201);
    await until('it is told', () => stream.kinds.includes('category'));
    const seen = await ask(second, store, 'GET', '/categories', undefined, { 'x-min-position': stream.lastId });
    expect(seen.body).toContainEqual(expect.objectContaining({ name: 'Ao vivo' }));
    await ask(first, store, 'DELETE', `/api-keys/${id ?? ''}`);
    await until('the stream ends', () => stream.ended);
  });

  test('of many changes with one entity tag one wins', async () => {
    const made = await create(first, 'Antes');
    const path = `/categories/${String(made.body.id)}`;
    const tag = { 'if-match': made.headers.get('etag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        ask(through(at), store, 'PATCH', path, { name: `Depois ${String(at)}` }, tag),
      ),
    );
    expect([withStatus(answers, 200).length, withStatus(answers, 412).length]).toEqual([1, 19]);
  });

  test('one idempotency key sent to both makes one record', async () => {
    for (let round = 0; round < 10; round++) {
      const name = `Uma vez ${String(round)}`;
      const key = { 'idempotency-key': randomUUID() };
      const answers = await Promise.all([0, 1, 2, 3].map((at) => create(through(at), name, key)));
      const ids = new Set(withStatus(answers, 201).map(({ body }) => body.id as string));
      expect([ids.size, withStatus(answers, 201).length + withStatus(answers, 409).length]).toEqual([1, 4]);
      const again = await create(through(round), name, key);
      expect([again.status, ids.has(again.body.id as string)]).toEqual([201, true]);
      expect((await namesSeenBy(first)).filter((each) => each === name)).toHaveLength(1);
    }
  });

  test('read models are rebuilt from a machine that does not project, while the others go on', async () => {
    expect((await create(first, 'Antes da reconstrução')).status).toBe(201);
    const rebuilding = new AbortController();
    const rebuilt = group.lookAfterProjections('rebuild', 'categories').finally(() => {
      rebuilding.abort();
    });
    let created = 0;
    for (; !rebuilding.signal.aborted || created < 4; created++) {
      const name = `Durante ${String(created)}`;
      expect((await create(through(created), name)).status).toBe(201);
      expect(await namesSeenBy(through(created + 1))).toContain(name);
    }
    expect(await rebuilt).toMatchObject({ name: 'categories', state: 'live' });
    for (const service of [first, second]) {
      const names = await namesSeenBy(service);
      expect(names).toContain('Antes da reconstrução');
      expect(names.filter((name) => name.startsWith('Durante'))).toHaveLength(created);
    }
    await expect(group.lookAfterProjections('skip', 'categories', '5')).rejects.toThrow('has not stopped at 5');
  });

  describe('an API key', () => {
    const newKey = async (through: ServiceProcess) => {
      const { status, body } = await ask(through, store, 'POST', '/api-keys', { name: 'Caixa' });
      expect(status).toBe(201);
      return { id: body.id as string, credential: { slug: store.slug, key: body.key as string } };
    };

    test('works in every process from the moment that it is given', async () => {
      const { credential } = await newKey(first);
      expect((await ask(second, credential, 'GET', '/categories')).status).toBe(200);
    });

    test('works in none from the moment that its revocation is answered', async () => {
      const { id, credential } = await newKey(first);
      let revoked = false;
      const uses: { readonly after: boolean; readonly status: number }[] = [];
      const using = (async () => {
        while (uses.filter(({ after }) => after).length < 20) {
          const after = revoked;
          uses.push({ after, status: (await ask(second, credential, 'GET', '/categories')).status });
        }
      })();
      await until('the other process knows it', () => uses.length > 5);
      const asked = performance.now();
      expect((await ask(first, store, 'DELETE', `/api-keys/${id}`)).status).toBe(204);
      const took = performance.now() - asked;
      revoked = true;
      await using;
      // By then a process that has heard nothing trusts its cache no more.
      expect(took).toBeGreaterThan(1_000);
      expect(took).toBeLessThan(30_000);
      expect(uses[0]?.status).toBe(200);
      expect(new Set(uses.filter(({ after }) => after).map(({ status }) => status))).toEqual(new Set([401]));
    });
  });
});
