import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { startProgram, startService, stopService } from './service-process.js';
import { startServers } from './servers.js';

/** A large store goes to servers, is served there, and comes back; prints how long each takes. A copy of the store is taken. */

const given = z.object({ dataDir: z.string(), slug: z.string(), apiKey: z.string() });
const moved = z.object({ events: z.number(), rootHash: z.string() });
type Moved = z.output<typeof moved>;

const { dataDir, slug, apiKey } = given.parse(JSON.parse(process.argv[2] ?? '{}'));
const servers = await startServers();
if (typeof servers === 'string') throw new Error(`servers cannot be stood in for: ${servers}`);
await mkdir('data', { recursive: true });
const scratch = await mkdtemp(join('data', 'move-'));
const source = join(scratch, 'from');
const target = join(scratch, 'back');
await cp(dataDir, source, { recursive: true, filter: (path) => !/\.sock$|service\.pid$/.test(path) });
const env = servers.freshEnv();
const kept = z.object({ secretsKey: z.string(), tokenSecret: z.string() });
const { secretsKey, tokenSecret } = kept.parse(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')));
const secrets = { SECRETS_KEY: secretsKey, JWT_SECRET: tokenSecret };

function said(what: string, began: number, events: number): void {
  const seconds = (performance.now() - began) / 1000;
  const rate = Math.round(events / seconds).toLocaleString('en');
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s, ${events.toLocaleString('en')} events, ${rate}/s\n`);
}

async function move(what: string, folder: string, ...words: readonly string[]): Promise<Moved> {
  const began = performance.now();
  const program = startProgram('scripts/move.js', words, { DATA_DIR: folder, ...secrets });
  const { code } = await program.ended;
  if (code !== 0) throw new Error(program.err);
  const result = moved.parse(JSON.parse(program.out));
  said(what, began, result.events);
  return result;
}

async function serve(
  what: string,
  folder: string,
  more: Readonly<Record<string, string>>,
  events: number,
): Promise<void> {
  const began = performance.now();
  const service = await startService(folder, { ...secrets, ...more });
  const headers = { authorization: `Bearer ${apiKey}`, 'x-store-slug': slug };
  while ((await fetch(`${service.url}/audit/checkpoint`, { headers })).status >= 500);
  said(what, began, events);
  await stopService(service);
}

const to = ['--to-eventstore', env.EVENTSTORE_URL, '--to-mongodb', env.MONGODB_URL];
const back = ['--from-eventstore', env.EVENTSTORE_URL, '--from-mongodb', env.MONGODB_URL];
try {
  const there = await move('to the servers', source, ...to);
  await serve('ready on the servers', join(scratch, 'with-servers'), env, there.events);
  const here = await move('back from the servers', target, ...back);
  if (here.events !== there.events || here.rootHash !== there.rootHash)
    throw new Error('what came back is not what went');
  await serve('ready on the folder', target, {}, here.events);
} finally {
  await rm(scratch, { recursive: true, force: true });
  await servers.dispose();
}
process.exit(0);
