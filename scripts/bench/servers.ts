import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { askRunningService } from '../../src/operations/administration-socket.js';
import type { EventStore } from '../../src/ports/event-store.js';
import type { BareRoutes } from './bare-express.js';
import type { Sample } from './benchmark.js';
import { openEnginesOf } from './scratch-engines.js';
import { makeScratchFolder } from './scratch-folder.js';
import type { Strain, StrainQuestion } from './strain.js';

const START_SECONDS = 300;
/** The answer while read models are behind the last write. */
const BEHIND = 503;

export interface Server {
  readonly port: number;
  stop(): Promise<void>;
}

export interface Service extends Server {
  readonly pid: number;
  /** What every request carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who signs in to the console of its demo store. */
  readonly person: { readonly username: string; readonly password: string };
  /** What the service has to bear while something is measured. */
  strainOf<T>(measure: () => Promise<T>): Promise<{ readonly measured: T; readonly strain: Strain }>;
}

/** What is measured, with what the service bears until its read models show all of it. */
export async function strained(service: Service, list: string, run: () => Promise<Sample>): Promise<Sample> {
  const { measured, strain } = await service.strainOf(async () => {
    const sample = await run();
    await shown(service, list);
    return sample;
  });
  return { ...measured, strain };
}

/** Until a list shows all that was written. */
export async function shown({ port, headers }: Service, list: string): Promise<void> {
  while ((await fetch(`http://127.0.0.1:${port}${list}`, { headers })).status === BEHIND) await pause(100);
}

const credentials = z.object({
  storeSlug: z.string(),
  apiKey: z.string(),
  username: z.string().optional(),
  password: z.string().optional(),
});
type Credentials = z.output<typeof credentials>;

export async function startBareExpress(routes: BareRoutes): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./bare-express.js', import.meta.url)));
  child.send(routes);
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Undefined while the service is not ready or its demo store is not there. */
async function readyCredentials(port: number, dataDir: string): Promise<Credentials | undefined> {
  const file = join(dataDir, 'demo-credentials.json');
  if (!existsSync(file) || !(await isReady(port))) return undefined;
  return credentials.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** A log on a server, which the service is started with in place of its own; it has no demo store. */
const LOG_URL = process.env['BENCH_EVENTSTORE_URL'];

export const logEngine = LOG_URL === undefined ? 'embedded' : 'log on a server';

/** A store of its own for each start on a server. */
async function newStore(dataDir: string): Promise<Credentials> {
  const slug = `bench-${randomUUID()}`;
  const ask = async (name: string, input: object): Promise<Record<string, unknown>> => {
    const answer = await askRunningService(dataDir, name, input);
    if (!answer || !('result' in answer)) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer.result;
  };
  const person = { username: slug.slice(0, 30), password: randomUUID() };
  await ask('store create', { slug, name: 'Bench', plan: 'api', email: `${slug}@store.example`, ...person });
  const { key } = await ask('api-key create', { store: slug, name: 'Bench', permissions: 'all' });
  return { storeSlug: slug, apiKey: String(key), ...person };
}

async function credentialsOf(port: number, dataDir: string): Promise<Credentials | undefined> {
  if (LOG_URL === undefined) return readyCredentials(port, dataDir);
  return (await isReady(port)) ? newStore(dataDir) : undefined;
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return answer?.ok === true;
}

/** Puts events into the log of a service that is stopped meanwhile. */
type Fill = (log: EventStore, storeId: string) => Promise<void>;

/** The service with its embedded default in a fresh folder, as `npm start` starts it, with its demo store. */
export async function startService(fill?: Fill): Promise<Service> {
  if (fill) expectOwnLog();
  const folder = await makeScratchFolder();
  try {
    let service = await startServiceIn(folder.path);
    if (fill) {
      await fillStopped(service, folder.path, fill);
      service = await startServiceIn(folder.path);
    }
    return {
      ...service,
      async stop() {
        await service.stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** What was put into a folder would not be in a log on a server, and nothing would be measured. */
function expectOwnLog(): void {
  if (LOG_URL !== undefined) throw new Error('a store that was filled is measured without BENCH_EVENTSTORE_URL');
}

/** Stops a service, for good, and puts events into the log of its store. */
async function fillStopped(service: Service, path: string, fill: Fill): Promise<void> {
  const storeId = await storeIdOf(service);
  await service.stop();
  const engines = await openEnginesOf(embeddedIn(path));
  await fill(engines.eventStore, storeId);
  await engines.close();
}

/** The environment of a service that keeps everything in a folder. */
export function embeddedIn(path: string): NodeJS.ProcessEnv {
  const { EVENTSTORE_URL: _events, MONGODB_URL: _models, ...surroundings } = process.env;
  return { ...surroundings, DATA_DIR: path };
}

async function storeIdOf({ port, headers }: Service): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/store`, { headers });
  return z.object({ id: z.string() }).parse(await answer.json()).id;
}

/** The service on data that are there, for the holder of a key. */
export async function startServiceOn(path: string, known: Credentials, fill?: Fill): Promise<Service> {
  expectOwnLog();
  const start = () => startServiceIn(path, async (port) => ((await isReady(port)) ? known : undefined));
  if (fill) await fillStopped(await start(), path, fill);
  return start();
}

/** One address stands for many clients here. */
const WITHOUT_LIMITS = { RATE_LIMIT_PER_KEY: '0', MAX_CONNECTIONS_PER_ADDRESS: '0' };

async function startServiceIn(path: string, ready = credentialsOf): Promise<Service> {
  const port = await freePort();
  const script = fileURLToPath(new URL('../../src/main.js', import.meta.url));
  const child = spawn(process.execPath, ['--import', new URL('./strain.js', import.meta.url).href, script], {
    env: {
      ...embeddedIn(path),
      ...(LOG_URL === undefined ? {} : { EVENTSTORE_URL: LOG_URL }),
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...WITHOUT_LIMITS,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const strainOf: Service['strainOf'] = async (measure) => {
    child.send('watch' satisfies StrainQuestion);
    const measured = await measure();
    const told = once(child, 'message') as Promise<[Strain]>;
    child.send('tell' satisfies StrainQuestion);
    return { measured, strain: (await told)[0] };
  };
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  const deadline = performance.now() + START_SECONDS * 1000;
  let known: Credentials | undefined;
  while (!(known = await ready(port, path))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`the service was not ready within ${START_SECONDS} s`);
    }
    await pause(50);
  }
  return {
    port,
    pid: child.pid ?? 0,
    headers: { Authorization: `Bearer ${known.apiKey}`, 'X-Store-Slug': known.storeSlug },
    person: { username: known.username ?? '', password: known.password ?? '' },
    stop,
    strainOf,
  };
}
