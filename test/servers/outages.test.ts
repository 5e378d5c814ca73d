import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { onServers } from '../support/on-servers.js';
import type { Credential } from '../support/service-group.js';
import { ServiceGroup, ask } from '../support/service-group.js';
import type { ServiceProcess } from '../support/service-process.js';
import { stopAll } from '../support/service-process.js';
import { until } from '../support/until.js';
import type { Answer } from '../support/world.js';

await onServers('servers away', (servers) => {
  const { standIn, mongo } = servers;
  if (!standIn || !mongo.isFerretdb) {
    test.skip('servers away (left out: a server is not ours to kill)', () => undefined);
    return;
  }
  const group = new ServiceGroup(servers);
  const services: ServiceProcess[] = [];
  let store: Credential;

  beforeAll(async () => {
    services.push(await group.start(), await group.start());
    store = await group.newStore();
  });
  afterAll(stopAll);

  const create = (service: ServiceProcess, name: string, key?: string) =>
    ask(service, store, 'POST', '/categories', { name }, key === undefined ? {} : { 'idempotency-key': key });
  const timed = async (call: Promise<Answer>) => {
    const asked = performance.now();
    const { status, headers } = await call;
    return { status, retryAfter: headers.get('retry-after'), took: performance.now() - asked };
  };

  /** As a client does that is told to come back. A key counts as in use for 30 s when MongoDB hung over its row: then it is sent without. */
  async function persist(service: ServiceProcess, name: string, key: string | undefined): Promise<void> {
    await until(`${name} is recorded`, async () => {
      const { status, body } = await create(service, name, key);
      if (status === 201 || (key === undefined && body.code === 'NAME_TAKEN')) return true;
      expect([name, status]).toEqual([name, 503]);
      await pause(100);
      return false;
    });
  }

  test.each([
    ['EventStoreDB was killed', 'keyed', () => standIn.kill(), () => standIn.start()],
    [
      'EventStoreDB hangs',
      'keyed',
      () => standIn.freeze(),
      soon(() => {
        standIn.thaw();
      }),
    ],
    ['MongoDB was killed', 'not keyed', () => mongo.kill(), () => mongo.start()],
    [
      'MongoDB hangs',
      'not keyed',
      () => mongo.freeze(),
      soon(() => {
        mongo.thaw();
      }),
    ],
  ])('%s: refused in time, then nothing is lost or doubled', async (what, keyed, end, begin) => {
    const names = Array.from({ length: 10 }, (_, at) => `${what} ${String(at)}`);
    const [service] = services;
    if (!service) throw new Error('no service');
    expect((await create(service, `${what}: antes`, randomUUID())).status).toBe(201);
    const recording = names.map((name, at) =>
      persist(services[at % 2] ?? service, name, keyed === 'keyed' ? randomUUID() : undefined),
    );
    await end();
    const refused = await Promise.all([
      timed(create(service, `${what}: recusada`, randomUUID())),
      timed(create(service, `${what}: recusada também`, randomUUID())),
    ]);
    await begin();
    await Promise.all(recording);
    for (const { status, retryAfter, took } of refused) {
      expect([status, Number(retryAfter) > 0]).toEqual([503, true]);
      expect(took).toBeLessThan(15_000); // 5 s, and what a busy machine adds
    }
    for (const each of services) {
      let seen: string[] = [];
      // What the other process recorded while the servers came back may show a moment later.
      await until('it answers again, with all of them', async () => {
        const { status, body } = await ask(each, store, 'GET', '/categories');
        if (status === 200) seen = (body as { name: string }[]).map(({ name }) => name);
        return names.every((name) => seen.includes(name));
      });
      expect(seen.filter((name) => names.includes(name)).sort()).toEqual(names);
      await until('it is ready', async () => (await fetch(`${each.url}/readyz`)).status === 200);
    }
  });
});

function soon(work: () => void): () => Promise<void> {
  return () => Promise.resolve().then(work);
}
