import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Case, Sample } from './benchmark.js';
import { largeStore } from './large-store.js';
import type { LoadGenerator, LoadJob } from './load.js';
import { startLoadGenerator } from './load.js';
import { makeScratchFolder } from './scratch-folder.js';
import { embeddedIn, startServiceOn } from './servers.js';

const WRITING = 1_000;
const SHORT = 250;

/** A program of the command line, as a user starts it; gives what it said. */
async function run(program: string, words: readonly string[], dataDir: string): Promise<{ readonly size: number }> {
  const script = fileURLToPath(new URL(`../${program}.js`, import.meta.url));
  const env = embeddedIn(dataDir);
  const child = spawn(process.execPath, [script, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} failed`);
  return JSON.parse(text) as { readonly size: number };
}

async function timed(work: () => Promise<{ readonly size: number }>): Promise<Sample> {
  const began = performance.now();
  const { size } = await work();
  const milliseconds = performance.now() - began;
  return { n: size, seconds: milliseconds / 1000, latenciesMs: [milliseconds] };
}

/** One writer the whole time while something is done: how long a write waited at most. */
async function besideWrites<T>(load: LoadGenerator, job: Omit<LoadJob, 'milliseconds'>, work: Promise<T>) {
  let longest = 0;
  const state = { over: false };
  const ended = work.finally(() => {
    state.over = true;
  });
  while (!state.over) {
    const { latenciesMs } = await load.run({ ...job, milliseconds: SHORT });
    longest = latenciesMs.reduce((most, each) => Math.max(most, each), longest);
  }
  return { done: await ended, longest };
}

export const backup: Benchmark = {
  name: 'backup',
  unit: 'events beside a running service; times are those of the whole, programs started anew',
  async prepare() {
    const { dataDir, slug, apiKey, remove } = await largeStore();
    const service = await startServiceOn(dataDir, { storeSlug: slug, apiKey });
    const { port, headers } = service;
    const load = startLoadGenerator();
    const body = JSON.stringify({ name: `Bench ${Date.now()} {unique}` });
    const writing = { method: 'POST', path: '/brands', body, status: 201, headers, port, clients: 1 } as const;
    const folders: Awaited<ReturnType<typeof makeScratchFolder>>[] = [];
    const emptyFolder = async (): Promise<string> => {
      const folder = await makeScratchFolder();
      folders.push(folder);
      return join(folder.path, 'copy');
    };
    const written = await emptyFolder();
    await run('backup', [written], dataDir);
    const cases: readonly Case[] = [
      {
        name: 'the first backup',
        async measure() {
          const directory = await emptyFolder();
          const work = timed(() => run('backup', [directory], dataDir));
          const { done, longest } = await besideWrites(load, writing, work);
          return { ...done, more: { 'longest write ms': longest } };
        },
      },
      {
        name: 'one more, after some writes',
        async measure() {
          await load.run({ ...writing, clients: 16, milliseconds: WRITING });
          const work = timed(() => run('backup', [written], dataDir));
          const { done, longest } = await besideWrites(load, writing, work);
          return { ...done, more: { 'longest write ms': longest } };
        },
      },
      {
        name: 'a restore',
        measure: async () => {
          const restored = await emptyFolder();
          return timed(() => run('restore', [written], restored));
        },
      },
    ];
    return {
      engine: 'embedded',
      cases,
      async tearDown() {
        load.stop();
        await service.stop();
        for (const folder of folders) await folder.remove();
        await remove();
      },
    };
  },
};
