import type { EventStore } from '../../src/ports/event-store.js';
import { NO_STREAM } from '../../src/ports/event-store.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { Benchmark, Case } from './benchmark.js';
import { measure } from './benchmark.js';
import { eventBatch } from './event-batch.js';
import { openScratchEngines } from './scratch-engines.js';

/** Appends of one event, each worker to a stream of its own. */
const manyStreams = (store: EventStore, concurrency: number): Case => ({
  name: `many streams, ${concurrency} at once`,
  async measure(milliseconds) {
    const revisions = Array.from({ length: concurrency }, () => NO_STREAM);
    const run = newId(Date.now());
    return measure(milliseconds, concurrency, async (worker) => {
      const { revision } = await store.append(`bench-${run}-${worker}`, revisions[worker] ?? NO_STREAM, eventBatch(1));
      revisions[worker] = revision;
      return 1;
    });
  },
});

/** Appends of one event to one stream; each expects the revision that the one sent before it will give. */
const oneStream = (store: EventStore, concurrency: number): Case => ({
  name: `one stream, ${concurrency} at once`,
  async measure(milliseconds) {
    const stream = `bench-${newId(Date.now())}`;
    let sent = NO_STREAM;
    return measure(milliseconds, concurrency, async () => {
      await store.append(stream, sent++, eventBatch(1));
      return 1;
    });
  },
});

export const append: Benchmark = {
  name: 'append',
  unit: 'appends of one event of 500 bytes, each on disk before its answer',
  async prepare() {
    const { engine, engines, close } = await openScratchEngines();
    const store = engines.eventStore;
    return {
      engine,
      cases: [1, 64, 256].flatMap((concurrency) => [oneStream(store, concurrency), manyStreams(store, concurrency)]),
      tearDown: close,
    };
  },
};
