import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { appendCardSales, centsOf } from '../../scripts/bench/card-sales.js';
import { openEventStoreDb } from '../../src/adapters/eventstoredb/event-store.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { EventStore, StoredEvent } from '../../src/ports/event-store.js';
import { StoreUnavailable } from '../../src/ports/event-store.js';
import { recordDocuments } from '../support/fiscal-events.js';
import { onServers } from '../support/on-servers.js';
import type { Credential } from '../support/service-group.js';
import { ServiceGroup, ask } from '../support/service-group.js';
import type { ServiceProcess } from '../support/service-process.js';
import { stopAll } from '../support/service-process.js';
import { until } from '../support/until.js';
import type { Receiver } from '../support/webhook-receiver.js';
import { openReceiver } from '../support/webhook-receiver.js';

/** How many payments a month has and how many deliveries are under way: 50000 and 1000 for a thorough run. */
const PAYMENTS = Number(process.env['FAULT_PAYMENTS'] ?? 300);
const DELIVERIES = Number(process.env['FAULT_DELIVERIES'] ?? 40);
/** After how many seconds a process that hangs goes on, perhaps in the middle of the other's work; otherwise when that is done. */
const HANGS_FOR = Number(process.env['FAULT_SECONDS'] ?? Infinity);
const PATIENCE = 300_000 + 20 * PAYMENTS + 50 * DELIVERIES;
/** From so many on, a month is recalculated in several batches, and a process is ended between them. */
const SEVERAL_BATCHES = 5_000;
const TRIES = 30;
/** What one destination is sent at once, so what a process that ends can have sent without recording it. */
const AT_ONCE = 8;
const TAKEN_OVER_WITHIN = 60_000;
const MONTH = '2026-03';

/** The sales whose payments a fact of the fee stream changed. */
const changesIn = ({ data }: StoredEvent): string[] =>
  (JSON.parse(data) as { changes: { payments: { saleId: string }[] }[] }).changes.flatMap(({ payments }) =>
    payments.map(({ saleId }) => saleId),
  );

/** The same log, asked again by the test when it does not answer: the machine may be busy with what the test shows. */
function patient(store: EventStore): EventStore {
  const repeated = async <T>(call: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || tries === TRIES) throw error;
      }
    }
  };
  return Object.assign(Object.create(store) as EventStore, {
    append: (...of: Parameters<EventStore['append']>) => repeated(() => store.append(...of)),
    readStream: (...of: Parameters<EventStore['readStream']>) => repeated(() => store.readStream(...of)),
  });
}

await onServers('work of several processes', (servers) => {
  const group = new ServiceGroup(servers);
  const services: ServiceProcess[] = [];
  let eventStore: EventStore;
  let store: Credential;
  let receiver: Receiver;

  const start = async (): Promise<ServiceProcess> => {
    const service = await group.start({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    services.push(service);
    return service;
  };
  const ok = async (service: ServiceProcess, method: string, path: string, body?: unknown) => {
    const answer = await ask(service, store, method, path, body);
    expect([method, path, answer.status < 300, answer.text]).toEqual([method, path, true, answer.text]);
    return answer.body as Record<string, unknown>;
  };
  /** A query that is asked again where MongoDB's stand-in takes too long for it. */
  const read = async (service: ServiceProcess, path: string) => {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const { status, text, body } = await ask(service, store, 'GET', path);
      if (status === 503 && performance.now() < end) continue;
      expect([path, status, text]).toEqual([path, 200, text]);
      return body as Record<string, unknown>;
    }
  };

  beforeAll(async () => {
    const url = servers.freshEnv().EVENTSTORE_URL;
    eventStore = patient(await openEventStoreDb({ url, clock: systemClock(), log: pino({ level: 'silent' }) }));
  });
  beforeEach(async () => {
    store = await group.newStore();
    receiver = await openReceiver();
    receiver.answer = (_request, response) => setTimeout(() => response.end('ok'), 10);
  });
  afterEach(async () => {
    for (const service of services.splice(0)) {
      service.kill('SIGCONT');
      service.kill('SIGTERM');
      await service.ended;
    }
    await receiver.close();
    await stopAll();
  });
  afterAll(async () => {
    await eventStore.close();
  });

  const recalculated = async (storeId: string) =>
    (await eventStore.readStream(`card-fees-${storeId}`, { limit: 100_000 })).filter(
      ({ type }) => type === 'FeesRecalculated',
    );
  const arrived = () => new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']));

  /** The month's payments are recalculated to the cent, each in one fact alone. */
  async function expectRecalculated(service: ServiceProcess, storeId: string, jobId: unknown): Promise<void> {
    let job: Record<string, unknown> | undefined;
    await until(
      'the recalculation is over',
      async () => {
        const { status, body } = await ask(service, store, 'GET', '/card-fees/calc-jobs');
        if (status === 200) [job] = (body as { items: Record<string, unknown>[] }).items;
        return job?.['id'] === jobId && job?.['status'] === 'DONE';
      },
      PATIENCE,
    );
    const cents = Array.from({ length: PAYMENTS }, (_, at) => Math.floor((centsOf(at) * 25 + 500) / 1_000));
    const feeAfter = cents.reduce((sum, each) => sum + each, 0) / 100;
    const progress = { matched: PAYMENTS, updated: PAYMENTS, skipped: 0, failed: 0 };
    expect(job).toMatchObject({ progress, feeAfter });
    const { total } = await read(service, `/card-fees/summary?month=${MONTH}`);
    expect(total).toMatchObject({ payments: PAYMENTS, fee: feeAfter, pending: 0 });
    const changed = (await recalculated(storeId)).flatMap(changesIn);
    expect([changed.length, new Set(changed).size]).toEqual([PAYMENTS, PAYMENTS]);
  }

  async function expectDelivered(service: ServiceProcess, destinationId: unknown): Promise<void> {
    await until('each has arrived', () => arrived().size === DELIVERIES, PATIENCE);
    const path = `/outbound-webhooks/${String(destinationId)}/deliveries?limit=200`;
    const open = async () => {
      const { items } = await read(service, path);
      return (items as { status: string }[]).filter(({ status }) => status !== 'DELIVERED').length;
    };
    await until('each is recorded', async () => (await open()) === 0, PATIENCE);
    expect(receiver.received.length - DELIVERIES).toBeLessThanOrEqual(AT_ONCE);
  }

  /** A process in the middle of a month's recalculation and of deliveries. */
  async function inTheMiddle() {
    const working = await start();
    const { id: storeId } = (await ok(working, 'GET', '/store')) as { id: string };
    const { id: destinationId } = await ok(working, 'POST', '/outbound-webhooks', { url: receiver.url });
    await ok(working, 'POST', '/card-fees/accounts', { name: 'Azul', debitFeePercent: 2.5 });
    await appendCardSales(eventStore, { storeId, count: PAYMENTS, month: MONTH });
    await recordDocuments(eventStore, storeId, Array<string>(DELIVERIES).fill('DocumentAuthorized'));
    const { id: jobId } = await ok(working, 'POST', '/card-fees/calc-jobs', { month: MONTH });
    const underWay = async () =>
      receiver.received.length >= DELIVERIES / 10 && (await recalculated(storeId)).length > 0;
    await until('it is in the middle of both', underWay, PATIENCE);
    const finished = (service: ServiceProcess) =>
      Promise.all([expectDelivered(service, destinationId), expectRecalculated(service, storeId, jobId)]);
    return { working, storeId, finished };
  }

  describe.each([
    ['was killed', 'SIGKILL' as const],
    ['hangs', 'SIGSTOP' as const],
  ])('when the process that works %s', (_what, signal) => {
    test(
      'another goes on: each payment is recalculated once, each delivery arrives, and never again once it is recorded',
      async () => {
        const { working: first, storeId, finished } = await inTheMiddle();
        first.kill(signal);
        const left = performance.now();
        const comesBack = setTimeout(
          () => {
            first.kill('SIGCONT');
          },
          Math.min(HANGS_FOR, PATIENCE / 1_000) * 1_000,
        );
        const done = (await recalculated(storeId)).flatMap(changesIn).length;
        if (PAYMENTS >= SEVERAL_BATCHES) expect(done).toBeLessThan(PAYMENTS);
        const before = arrived().size;
        const second = await start();
        const others = () => arrived().size > before || before === DELIVERIES;
        await until('the other sends', others, PATIENCE);
        expect(performance.now() - left).toBeLessThan(TAKEN_OVER_WITHIN);
        await finished(second);
        clearTimeout(comesBack);
        const sent = receiver.received.length;
        first.kill('SIGCONT');
        await recordDocuments(eventStore, storeId, ['DocumentCancelled']);
        await until('the next has arrived', () => arrived().size === DELIVERIES + 1, PATIENCE);
        // A process that comes back may finish the attempts that it was in the middle of.
        expect(receiver.received.length - sent).toBeLessThanOrEqual(1 + AT_ONCE);
        const bodies = new Map(receiver.received.map(({ headers, body }) => [headers['x-service-delivery'], body]));
        for (const { headers, body } of receiver.received) expect(body).toBe(bodies.get(headers['x-service-delivery']));
      },
      PATIENCE * 2,
    );
  });

  const { mongo, standIn } = servers;
  if (!standIn || !mongo.isFerretdb) return;
  test(
    'when both servers are away for a while, the process goes on where it was',
    async () => {
      const { working, finished } = await inTheMiddle();
      await Promise.all([mongo.kill(), standIn.kill()]);
      const isAway = async () => (await ask(working, store, 'GET', '/categories')).status === 503;
      await until('it says so', isAway, PATIENCE);
      await Promise.all([mongo.start(), standIn.start()]);
      await until('it is ready', async () => (await fetch(`${working.url}/readyz`)).ok, PATIENCE);
      await finished(working);
    },
    PATIENCE * 2,
  );
});
