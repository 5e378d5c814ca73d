import { setTimeout as pause } from 'node:timers/promises';
import type { Benchmark, Case, Sample } from './benchmark.js';
import { largeStore } from './large-store.js';
import { startLoadGenerator } from './load.js';
import type { Started } from './processes.js';
import { plainService, pssMb, startOn } from './processes.js';
import { makeScratchFolder } from './scratch-folder.js';
import { startServiceOn } from './servers.js';

const REST = 30_000;
const CLIENTS = 32;

const sampleOf = (seconds: number, n: number, memory: number): Sample => ({
  n,
  seconds,
  latenciesMs: [],
  more: { 'PSS MB': memory },
});

/** What it takes once nothing has been asked of it for a while. */
function atRest(name: string, started: Started, beside: readonly number[] = []): Case {
  const rested = pause(REST - Math.min(REST, started.milliseconds));
  return {
    name,
    async measure() {
      await rested;
      const own = pssMb(started.pid);
      return sampleOf(
        1,
        1,
        beside.reduce((sum, pid) => sum + pssMb(pid), own),
      );
    },
  };
}

/** Asked about everything that takes room: pages, records, recalls and traces. */
const MIX = [
  '/products?take=50',
  '/products?take=50&q=p',
  '/bakery-production/orders?limit=50',
  '/sales?limit=50',
  '/stock/balances?limit=50',
  '/bakery-production/recall?lotCode=MIX-1',
  '/bakery-production/traceability?lotCode=PAO-100',
];

export const memory: Benchmark = {
  name: 'memory',
  unit: `memory at rest ${REST / 1000} s after the start, and while ${CLIENTS} clients ask`,
  async prepare() {
    const folder = await makeScratchFolder();
    await (await startOn(folder.path)).stop();
    const demo = await startOn(folder.path);
    const plain = plainService();
    const other = await plain?.start();
    const { dataDir, slug, apiKey, remove } = await largeStore();
    const busy = await startServiceOn(dataDir, { storeSlug: slug, apiKey });
    const load = startLoadGenerator();
    const { port, headers } = busy;
    const cases: Case[] = [
      atRest('the service with its demo store', demo),
      {
        name: 'the service with a large store, under load',
        async measure(milliseconds) {
          const asked = { method: 'GET', path: MIX, status: 200, port, headers, clients: CLIENTS } as const;
          const { n, seconds } = await load.run({ ...asked, milliseconds });
          return sampleOf(seconds, n, pssMb(busy.pid));
        },
      },
    ];
    if (plain && other) {
      cases.push(atRest('a plain service', other), atRest('a plain service with its database', other, plain.beside));
    }
    return {
      engine: 'embedded',
      cases,
      async tearDown() {
        load.stop();
        await Promise.all([demo.stop(), other?.stop(), busy.stop()]);
        await folder.remove();
        await remove();
      },
    };
  },
};
