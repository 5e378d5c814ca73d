import type { EventStore } from '../../src/ports/event-store.js';
import { NO_STREAM, START } from '../../src/ports/event-store.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { Benchmark, Case } from './benchmark.js';
import { measure } from './benchmark.js';
import { eventBatch } from './event-batch.js';
import { openScratchEngines } from './scratch-engines.js';

const EVENTS = 50_000;
const BATCH = 500;

async function fill(store: EventStore, stream: string): Promise<void> {
  let revision = NO_STREAM;
  while (revision + 1 < EVENTS) ({ revision } = await store.append(stream, revision, eventBatch(BATCH)));
}

const streamPages = (store: EventStore, stream: string, limit: number): Case => ({
  name: `a stream, pages of ${limit}`,
  async measure(milliseconds) {
    let from = 0;
    return measure(milliseconds, 1, async () => {
      const page = await store.readStream(stream, { from, limit });
      from = page.length < limit ? 0 : from + page.length;
      return page.length;
    });
  },
});

const logPages = (store: EventStore, limit: number): Case => ({
  name: `the log, pages of ${limit}`,
  async measure(milliseconds) {
    let after = START;
    return measure(milliseconds, 1, async () => {
      const page = await store.readAll(after, limit);
      after = page.length < limit ? START : (page.at(-1)?.position ?? START);
      return page.length;
    });
  },
});

export const reads: Benchmark = {
  name: 'reads',
  unit: 'events of 500 bytes; times are those of a page',
  async prepare() {
    const { engine, engines, close } = await openScratchEngines();
    const store = engines.eventStore;
    const stream = `bench-${newId(Date.now())}`;
    await fill(store, stream);
    return {
      engine,
      cases: [streamPages(store, stream, 500), logPages(store, 500), logPages(store, 1000)],
      tearDown: close,
    };
  },
};
