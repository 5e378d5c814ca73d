import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { destination, pino } from 'pino';
import { parseConfig } from '../../src/config.js';
import { webhooks as destinations } from '../../src/features/webhooks/decider.js';
import { newSecret, secretRow } from '../../src/features/webhooks/secrets.js';
import { CHAIN_START, sealEvent } from '../../src/kernel/events/chain.js';
import { CommandContext } from '../../src/kernel/lanes/command-context.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { newId, newSeed } from '../../src/kernel/values/ids.js';
import { Turns } from '../../src/kernel/values/turns.js';
import type { EventStore } from '../../src/ports/event-store.js';
import type { Service } from '../../src/service.js';
import { openService } from '../../src/service.js';
import type { Benchmark, Case, Sample } from './benchmark.js';
import { makeScratchFolder } from './scratch-folder.js';

const STORES = 8;
const DESTINATIONS = 5;
/** Events of one append. */
const BATCH = 20;
/** Deliveries that may be under way while more events are appended. */
const UNDER_WAY = 4_000;

interface Report {
  readonly received: number;
  readonly latenciesMs?: readonly number[];
}

/** The receiver's process. */
class Receiver {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<Receiver> {
    const child = fork(fileURLToPath(new URL('./webhook-receiver.js', import.meta.url)));
    const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
    return new Receiver(child, port);
  }

  async ask(question: 'count' | 'report'): Promise<Report> {
    this.child.send(question);
    const [report] = (await once(this.child, 'message')) as [Report];
    return report;
  }

  stop(): void {
    this.child.kill();
  }
}

/** A store's fiscal stream, written as if its documents were authorized. */
class FiscalStream {
  private revision = -1;
  private previous = CHAIN_START;
  private readonly turns = new Turns();

  constructor(
    private readonly eventStore: EventStore,
    private readonly storeId: string,
  ) {}

  append(count: number): Promise<void> {
    const now = Date.now();
    return this.turns.take(() => this.appendNow(count, now));
  }

  private async appendNow(count: number, now: number): Promise<void> {
    const events = Array.from({ length: count }, () => {
      const made = sealEvent(this.previous, authorized(now), metaOf(this.storeId, now));
      this.previous = made.hash;
      return made.event;
    });
    this.revision = (await this.eventStore.append(`fiscal-${this.storeId}`, this.revision, events)).revision;
  }
}

const metaOf = (storeId: string, now: number) => ({
  schemaVersion: 1,
  storeId,
  actor: SYSTEM,
  requestId: 'bench',
  causationId: newId(now),
  at: new Date(now).toISOString(),
});

function authorized(now: number) {
  const document = {
    documentId: newId(now),
    saleId: newId(now),
    model: 65,
    series: 1,
    number: 101,
    status: 'AUTHORIZED',
    accessKey: '3'.repeat(44),
    protocol: '135260000000001',
    environment: 'HOMOLOGATION',
    issuedAt: new Date(now).toISOString(),
    qrCodeUrl: `https://example.com/qrcode?p=${'3'.repeat(44)}`,
    rejection: null,
    contingency: null,
    cancellation: null,
  };
  const data = { document, code: '100', authorizedAt: document.issuedAt, protocolXml: '<protNFe/>' };
  return { id: newId(now), type: 'DocumentAuthorized', data };
}

async function addDestinations(
  { core }: Service,
  storeId: string,
  url: string,
  count = DESTINATIONS,
): Promise<readonly string[]> {
  const facts = { storeId, actor: SYSTEM, requestId: 'bench', seed: newSeed(Date.now()), keyed: false };
  const context = new CommandContext(core.lanes, { ...facts, claim: undefined, repeatSince: undefined });
  const ids = Array.from({ length: count }, () => context.newId());
  for (const destinationId of ids) {
    const settings = { url, description: null, active: true, events: null };
    const rows = [secretRow(destinationId, newSecret())];
    await context.execute(destinations, { type: 'add', destinationId, settings }, { rows });
  }
  return ids;
}

/** Until all has arrived, and is written down as delivered. */
async function settled({ core }: Service, receiver: Receiver, expected: number, ids: readonly string[]): Promise<void> {
  while ((await receiver.ask('count')).received < expected) await pause(5);
  for (const id of ids) {
    const due = () => core.engines.vault.due(`webhook-delivery-${id}`, Number.MAX_SAFE_INTEGER, 1);
    while ((await due()).length > 0) await pause(2);
  }
}

export const webhooks: Benchmark = {
  name: 'webhooks',
  unit: `deliveries from event to record, ${STORES} stores with ${DESTINATIONS} destinations each, received by another process`,
  async prepare() {
    const folder = await makeScratchFolder();
    const receiver = await Receiver.start();
    const env = { DATA_DIR: folder.path, DEMO: 'false', WEBHOOK_ALLOW_PRIVATE: 'true' };
    const logger = pino({ level: 'warn' }, destination(2));
    const service = await openService({ config: parseConfig(env), clock: systemClock(), logger });
    const stores = Array.from({ length: STORES }, () => newId(Date.now()));
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const ids = (await Promise.all(stores.map((storeId) => addDestinations(service, storeId, url)))).flat();
    const streams = stores.map((storeId) => new FiscalStream(service.core.engines.eventStore, storeId));
    const half = newId(Date.now());
    const answering = await addDestinations(service, half, url, DESTINATIONS - 1);
    await addDestinations(service, half, `http://127.0.0.1:${receiver.port}/hang`, 1);
    const besideHung = new FiscalStream(service.core.engines.eventStore, half);
    let expected = 0;
    const append = async (stream: FiscalStream | undefined, count: number) => {
      expected += count * (stream === besideHung ? answering.length : DESTINATIONS);
      await stream?.append(count);
    };

    async function sampleOf(work: () => Promise<void>): Promise<Sample> {
      await receiver.ask('report');
      const [before, start] = [expected, performance.now()];
      await work();
      await settled(service, receiver, expected, [...ids, ...answering]);
      const seconds = (performance.now() - start) / 1000;
      return { n: expected - before, seconds, latenciesMs: (await receiver.ask('report')).latenciesMs ?? [] };
    }

    const asFastAsItGoes: Case = {
      name: 'as fast as it goes',
      measure: (milliseconds) =>
        sampleOf(async () => {
          const end = performance.now() + milliseconds;
          while (performance.now() < end) {
            if (expected - (await receiver.ask('count')).received > UNDER_WAY) await pause(2);
            else await Promise.all(streams.map((stream) => append(stream, BATCH)));
          }
        }),
    };
    const steadily = (perSecond: number, name = `${perSecond} a second`, only?: FiscalStream): Case => ({
      name,
      measure: (milliseconds) =>
        sampleOf(async () => {
          const each = only ? answering.length : DESTINATIONS;
          const [start, every] = [performance.now(), (1000 * each) / perSecond];
          const appended: Promise<void>[] = [];
          for (let sent = 0; sent * every < milliseconds; sent++) {
            await pause(Math.max(0, start + sent * every - performance.now()));
            appended.push(append(only ?? streams[sent % STORES], 1));
          }
          await Promise.all(appended);
        }),
    });

    return {
      engine: 'embedded',
      cases: [
        steadily(200),
        steadily(200, '200 a second, one of five hangs', besideHung),
        steadily(1_000),
        asFastAsItGoes,
      ],
      async tearDown() {
        await service.close();
        receiver.stop();
        await folder.remove();
      },
    };
  },
};
