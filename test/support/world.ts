import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApiKeyInput, createStoreInput } from '../../src/operations/administration.js';
import type { BcryptOptions, Surroundings } from '../../src/compose.js';
import { listenOptions, parseConfig } from '../../src/config.js';
import { listen } from '../../src/http/server.js';
import type { Clock } from '../../src/kernel/values/clock.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { Service } from '../../src/service.js';
import { openService } from '../../src/service.js';
import { expectDocumented } from './documented-answers.js';

/** A client of one store, with an API key. */
export interface StoreClient {
  readonly storeId: string;
  readonly slug: string;
  readonly key: string;
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly text: string;
}

/** The whole service on a fresh data folder, listening on a free port. */
export interface World {
  readonly url: string;
  readonly dataDir: string;
  readonly service: Service;
  /** A fresh store with a key that may do everything, or what is named. */
  newStore(options?: { readonly plan?: 'basic' | 'api'; readonly permissions?: string }): Promise<StoreClient>;
  newKey(slug: string, permissions?: string): Promise<StoreClient>;
  /** Closes it; `keep` leaves the data for a restart. */
  close(keep?: 'keep'): Promise<void>;
}

interface WorldOptions {
  readonly dataDir?: string;
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
  /** Cheap unless something else is wanted. */
  readonly hashing?: BcryptOptions;
  /** Takes the lines of the log. */
  readonly log?: string[];
  /** Where the simulated tax authority fails. */
  readonly authorityFaults?: Surroundings['authorityFaults'];
  /** Longer than the service waits by itself, unless something else is said: on a busy machine an authority that answers may need it. */
  readonly authorityPatience?: Surroundings['authorityPatience'];
}

const CHEAP: BcryptOptions = { cost: 4, codeCost: 4 };

let stores = 0;

export async function openWorld({
  dataDir: given,
  clock = systemClock(),
  env = {},
  hashing = CHEAP,
  log,
  authorityFaults,
  authorityPatience = 60_000,
}: WorldOptions = {}): Promise<World> {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'world-')));
  const config = parseConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'false',
    RATE_LIMIT_PER_KEY: '0',
    RATE_LIMIT_OPEN: '0',
    ...env,
  });
  const logger = log
    ? pino({ level: 'trace' }, { write: (line: string) => log.push(line) })
    : pino({ level: 'silent' });
  const service = await openService({
    config,
    clock,
    logger,
    hashing,
    authorityPatience,
    ...(authorityFaults ? { authorityFaults } : {}),
  });
  const listening = await listen(service.app, listenOptions(config));
  const { administration } = service.core;

  const newKey = async (slug: string, permissions = 'all'): Promise<StoreClient> => {
    const { key } = await administration.createApiKey(
      createApiKeyInput.parse({ store: slug, name: 'Teste', permissions }),
    );
    const storeId = (await administration.storeBySlug(slug))?.id ?? '';
    const call: StoreClient['call'] = (method, path, body, headers = {}) =>
      callService(listening.url + path, method, body, {
        authorization: `Bearer ${key}`,
        'x-store-slug': slug,
        ...headers,
      });
    return { storeId, slug, key, call };
  };

  return {
    url: listening.url,
    dataDir,
    service,
    newKey,
    async newStore({ plan = 'api', permissions = 'all' } = {}) {
      const slug = `loja-${String(++stores)}-${randomUUID()}`;
      await administration.createStore(createStoreInput.parse({ slug, name: `Loja ${String(stores)}`, plan }));
      return newKey(slug, permissions);
    },
    async close(keep) {
      service.beginStop();
      await listening.stop();
      await service.close();
      if (keep !== 'keep') await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The whole answer, or the first piece of one without an end. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  const piece = await reader?.read();
  await reader?.cancel();
  return Buffer.from(piece?.value ?? []).toString();
}

/** So long a query is asked again whose answer would be older than the last write: on a busy machine read models may take longer than a query waits. */
const READ_PATIENCE = 60_000;

/** Asks as a client would; an answer that is not as the service's own document says fails the test. */
export async function callService(
  url: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const end = performance.now() + READ_PATIENCE;
  for (;;) {
    const answer = await askOnce(url, method, body, headers);
    const isBehind = method === 'GET' && answer.status === 503 && answer.body?.code === 'PROJECTION_BEHIND';
    if (!isBehind || performance.now() > end) return answer;
  }
}

async function askOnce(
  url: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status } = response;
  const text = await textOf(response);
  expectDocumented(url, method, { status, headers: response.headers, text });
  return {
    status,
    headers: response.headers,
    text,
    body: /json/.test(response.headers.get('content-type') ?? '') ? (JSON.parse(text) as unknown) : undefined,
  };
}
