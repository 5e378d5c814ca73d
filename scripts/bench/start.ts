import type { Benchmark, Case, Sample } from './benchmark.js';
import type { Started } from './processes.js';
import { plainService, processorSeconds, pssMb, startOn } from './processes.js';
import { makeScratchFolder } from './scratch-folder.js';

const MS_OF_A_SECOND = 1000;

/** Starts one after the other until the time is over; the first is always measured. */
async function starts(milliseconds: number, start: () => Promise<Started>): Promise<Sample> {
  const latenciesMs: number[] = [];
  const end = performance.now() + milliseconds;
  let processorMs = 0;
  let memory = 0;
  do {
    const started = await start();
    latenciesMs.push(started.milliseconds);
    processorMs += processorSeconds(started.pid) * MS_OF_A_SECOND;
    memory = Math.max(memory, pssMb(started.pid));
    await started.stop();
  } while (performance.now() < end);
  const n = latenciesMs.length;
  const seconds = latenciesMs.reduce((sum, each) => sum + each, 0) / MS_OF_A_SECOND;
  return { n, seconds, latenciesMs, more: { 'processor ms': processorMs / n, 'PSS MB': memory } };
}

async function firstStart(): Promise<Started> {
  const folder = await makeScratchFolder();
  const started = await startOn(folder.path);
  return {
    ...started,
    async stop() {
      await started.stop();
      await folder.remove();
    },
  };
}

export const start: Benchmark = {
  name: 'start',
  unit: 'starts until the service is ready; memory at that moment',
  async prepare() {
    const folder = await makeScratchFolder();
    await (await startOn(folder.path)).stop();
    const plain = plainService();
    const cases: Case[] = [
      { name: 'first start, which makes the demo store', measure: (milliseconds) => starts(milliseconds, firstStart) },
      { name: 'start on the demo store', measure: (milliseconds) => starts(milliseconds, () => startOn(folder.path)) },
    ];
    if (plain) {
      cases.push({ name: 'a plain service', measure: (milliseconds) => starts(milliseconds, () => plain.start()) });
    }
    return { engine: 'embedded', cases, tearDown: () => folder.remove() };
  },
};
