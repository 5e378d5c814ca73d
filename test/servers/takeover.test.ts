import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { onServers } from '../support/on-servers.js';
import type { Credential } from '../support/service-group.js';
import { ServiceGroup, ask } from '../support/service-group.js';
import type { ServiceProcess } from '../support/service-process.js';
import { stopAll, stopService } from '../support/service-process.js';
import { until } from '../support/until.js';

await onServers('taking over projections', (servers) => {
  const group = new ServiceGroup(servers);
  const services: ServiceProcess[] = [];
  let store: Credential;

  const start = async (settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
    const service = await group.start(settings);
    services.push(service);
    return service;
  };

  beforeAll(async () => {
    store = await group.newStore();
  });
  /** Stopped as asked, so that none of the next test waits for the lease of one of this. */
  afterEach(async () => {
    for (const service of services.splice(0)) {
      service.kill('SIGCONT');
      service.kill('SIGTERM');
      await service.ended;
    }
    await stopAll();
  });
  afterAll(stopAll);

  const create = (service: ServiceProcess, name: string) => ask(service, store, 'POST', '/categories', { name });
  /** Through one that does not know of the last write by itself. */
  const sees = async (service: ServiceProcess, name: string): Promise<boolean> => {
    const { status, body } = await ask(service, store, 'GET', '/categories');
    return status === 200 && (body as { name: string }[]).some((each) => each.name === name);
  };

  test('one serves what another projects, and says that it is not ready while none does', async () => {
    const api = await start({ ROLES: 'api' });
    const ready = async () => (await fetch(`${api.url}/readyz`)).status;
    expect(await ready()).toBe(503);
    const projecting = await start({ ROLES: 'projections' });
    await until('it is ready', async () => (await ready()) === 200);
    expect((await create(api, 'Separada')).status).toBe(201);
    expect(await sees(api, 'Separada')).toBe(true);
    // Its roles leave the interface out: the document does not speak of it.
    expect((await fetch(`${projecting.url}/categories`)).status).toBe(404);
  });

  test.each([
    ['was killed', 'SIGKILL' as const],
    ['hangs', 'SIGSTOP' as const],
  ])('another takes over from the one that projected and %s', async (what, signal) => {
    const first = await start();
    expect((await create(first, `Antes: ${what}`)).status).toBe(201);
    const second = await start();
    first.kill(signal);
    const left = performance.now();
    expect((await create(second, `Depois: ${what}`)).status).toBe(201);
    await until('the other projects', () => sees(second, `Depois: ${what}`));
    expect(performance.now() - left).toBeLessThan(30_000);
    expect(await sees(second, `Antes: ${what}`)).toBe(true);
    first.kill('SIGCONT');
    expect((await create(second, `Enfim: ${what}`)).status).toBe(201);
    expect(await sees(second, `Enfim: ${what}`)).toBe(true);
  });

  test('what one has answered while nobody projects no other shows as it was before: it says that it is behind', async () => {
    const projecting = await start();
    expect((await create(projecting, 'Antes da pausa')).status).toBe(201);
    const [writing, reading] = [await start({ ROLES: 'api' }), await start({ ROLES: 'api' })];
    await until('the third sees it', () => sees(reading, 'Antes da pausa'));
    projecting.kill('SIGSTOP');
    expect((await create(writing, 'Durante a pausa')).status).toBe(201);
    // Asked once: the tests' own client would ask again for a minute.
    const headers = { authorization: `Bearer ${store.key}`, 'x-store-slug': store.slug };
    const answer = await fetch(`${reading.url}/categories`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'PROJECTION_BEHIND' }]);
    projecting.kill('SIGCONT');
    await until('the third sees it', () => sees(reading, 'Durante a pausa'));
  });

  test('one that stops as asked hands over at once', async () => {
    const first = await start();
    expect((await create(first, 'Antes da passagem')).status).toBe(201);
    await until('it projects', () => sees(first, 'Antes da passagem'));
    const asked = performance.now();
    expect((await create(first, 'Como sempre')).status).toBe(201);
    await until('it projects', () => sees(first, 'Como sempre'));
    // What it takes on this machine, be it busy.
    const usual = performance.now() - asked;
    const second = await start();
    await stopService(first);
    const left = performance.now();
    expect((await create(second, 'Passagem')).status).toBe(201);
    await until('the other projects', () => sees(second, 'Passagem'));
    expect(performance.now() - left).toBeLessThan(5_000 + 10 * usual);
  });
});
