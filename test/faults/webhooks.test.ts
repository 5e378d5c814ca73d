import { afterEach, expect, test } from '@jest/globals';
import { openEnginesOf } from '../../scripts/bench/scratch-engines.js';
import type { StoreAccess } from '../support/category-load.js';
import { callStore, newStoreOf } from '../support/category-load.js';
import { recordDocuments } from '../support/fiscal-events.js';
import type { ServiceProcess } from '../support/service-process.js';
import { freshFolder, startService, stopAll, stopService } from '../support/service-process.js';
import { until } from '../support/until.js';
import type { Receiver } from '../support/webhook-receiver.js';
import { openReceiver } from '../support/webhook-receiver.js';

/** How often the service is killed, and with how many deliveries under way: 100 and 1000 for a thorough run. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const DELIVERIES = Number(process.env['FAULT_DELIVERIES'] ?? 120);
/** Requests that one destination may have under way. */
const AT_ONCE = 8;

let receiver: Receiver | undefined;
afterEach(async () => {
  await stopAll();
  await receiver?.close();
});

const start = (dataDir: string): Promise<ServiceProcess> => startService(dataDir, { WEBHOOK_ALLOW_PRIVATE: 'true' });

async function recordWhileStopped(dataDir: string, storeId: string): Promise<void> {
  const engines = await openEnginesOf({ DATA_DIR: dataDir });
  await recordDocuments(engines.eventStore, storeId, Array<string>(DELIVERIES).fill('DocumentAuthorized'));
  await engines.close();
}

test(
  'deliveries outlive kills: each arrives with the same bytes, and again only what was under way',
  async () => {
    const dataDir = await freshFolder();
    const { received, ...opened } = (receiver = await openReceiver());
    receiver.answer = (_request, response) => setTimeout(() => response.end('ok'), 5);
    let service = await start(dataDir);
    const store: StoreAccess = await newStoreOf(dataDir);
    const ask = (method: string, path: string, body?: object) => callStore(service.url, store, method, path, body);
    const storeId = (await ask('GET', '/store')).body.id as string;
    const { id } = (await ask('POST', '/outbound-webhooks', { url: opened.url })).body;
    const ids = () => new Set(received.map(({ headers }) => headers['x-service-delivery']));
    for (let round = 1; round <= ROUNDS; round++) {
      await stopService(service);
      await recordWhileStopped(dataDir, storeId);
      const before = ids().size;
      service = await start(dataDir);
      await until('they are under way', () => ids().size > before + DELIVERIES * Math.random() * 0.8);
      service.kill('SIGKILL');
      await service.ended;
      service = await start(dataDir);
      await until('each has arrived', () => ids().size === round * DELIVERIES);
      await until('each is recorded', async () => {
        const open = ['PENDING', 'RETRYING'].map((status) =>
          ask('GET', `/outbound-webhooks/${String(id)}/deliveries?status=${status}&limit=1`),
        );
        return (await Promise.all(open)).every(({ body }) => (body.items as object[]).length === 0);
      });
      expect(received.length - ids().size).toBeLessThanOrEqual(round * AT_ONCE);
    }
    const sent = received.length;
    await stopService(service);
    service = await start(dataDir);
    await stopService(service);
    expect(received).toHaveLength(sent);
    const bodies = new Map(received.map(({ headers, body }) => [headers['x-service-delivery'], body]));
    for (const { headers, body } of received) expect(bodies.get(headers['x-service-delivery'])).toBe(body);
  },
  120_000 + ROUNDS * 120_000,
);
