import { test } from '@jest/globals';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Applier } from '../../src/kernel/projections/applier.js';
import { storeApplier } from '../../src/kernel/projections/applier.js';
import type { Position, StoredEvent } from '../../src/ports/event-store.js';
import { START, StoreUnavailable } from '../../src/ports/event-store.js';
import type { TotalsDocument } from '../../src/ports/read-models.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { MemoryProjectionStore } from '../support/memory-projection-store.js';
import type { ShelfEvent, Thing } from '../support/shelf-projectors.js';
import { projectors, shelfEvent, sumsOfThings } from '../support/shelf-projectors.js';

const thing = fc.constantFrom('a', 'b', 'c', 'd');

const shelfEvents: fc.Arbitrary<ShelfEvent> = fc.oneof(
  fc.record({ type: fc.constant('ThingNamed' as const), data: fc.record({ id: thing, name: fc.string() }) }),
  fc.record({
    type: fc.constant('ThingsCounted' as const),
    data: fc.record({ ids: fc.uniqueArray(thing, { minLength: 1 }), by: fc.integer({ min: 1, max: 9 }) }),
  }),
  fc.record({ type: fc.constant('ThingThrown' as const), data: fc.record({ id: thing }) }),
);

const histories = fc.array(shelfEvents, { minLength: 1, maxLength: 60 });

/** How far each batch begins before the end of the one before, and how long it is. */
type Steps = readonly { readonly back: number; readonly length: number }[];

const steps: fc.Arbitrary<Steps> = fc.array(
  fc.record({ back: fc.nat({ max: 8 }), length: fc.integer({ min: 1, max: 15 }) }),
  { maxLength: 30 },
);

async function logOf(history: readonly ShelfEvent[]): Promise<readonly StoredEvent[]> {
  const log = new MemoryEventStore();
  const events = history.map((event) => shelfEvent(event));
  await log.append('shelf', -1, events);
  return log.readAll(START, 10_000);
}

const applierOf = (store: MemoryProjectionStore): Promise<Applier> => storeApplier(store, projectors, 'log');

function apply(applier: Applier, log: readonly StoredEvent[], first: number, end: number): Promise<unknown> {
  const after: Position = log[first - 1]?.position ?? START;
  const collections = applier.collections.map(({ name }) => name);
  return applier.apply({ generation: 'live', collections, after, events: log.slice(first, end) });
}

async function applyFromCheckpoint(applier: Applier, log: readonly StoredEvent[], length: number): Promise<void> {
  // The one that came least far: a crash may fall between two checkpoints.
  const positions = (await applier.checkpoints()).map(({ position }) => position);
  const reached = positions.length < applier.collections.length ? START : (positions.sort()[0] ?? START);
  const first = log.filter(({ position }) => position <= reached).length;
  await apply(applier, log, first, first + length);
}

async function applyInSteps(applier: Applier, log: readonly StoredEvent[], plan: Steps): Promise<void> {
  let end = 0;
  for (const { back, length } of plan) {
    const first = Math.max(0, end - back);
    await apply(applier, log, first, first + length);
    end = Math.max(end, Math.min(log.length, first + length));
  }
  await apply(applier, log, end, log.length);
}

function assertTotals(store: MemoryProjectionStore): void {
  const contents = store.contents();
  const totals = Object.entries(contents['live:things-totals'] ?? {}).map(([key, document]) => {
    const { exact, ...sums } = document as TotalsDocument;
    assert.deepEqual(Object.fromEntries(Object.entries(exact).map(([name, sum]) => [name, Number(sum)])), sums);
    return [key.slice('s1/'.length), sums] as const;
  });
  assert.deepEqual(Object.fromEntries(totals), sumsOfThings(Object.values(contents['live:things'] ?? {}) as Thing[]));
}

async function contentsOfOnePass(log: readonly StoredEvent[]): Promise<unknown> {
  const store = new MemoryProjectionStore();
  await apply(await applierOf(store), log, 0, log.length);
  return store.contents();
}

test('any split into batches, with repeats, gives the documents of one pass', async () => {
  await fc.assert(
    fc.asyncProperty(histories, steps, async (history, plan) => {
      const log = await logOf(history);
      const store = new MemoryProjectionStore();
      await applyInSteps(await applierOf(store), log, plan);
      assert.deepEqual(store.contents(), await contentsOfOnePass(log));
      assertTotals(store);
    }),
    { numRuns: 300 },
  );
});

const crashes = fc.array(fc.record({ length: fc.integer({ min: 1, max: 40 }), writes: fc.nat({ max: 30 }) }), {
  minLength: 1,
  maxLength: 4,
});

test('crashes before any single writes, then batches of another size, gives the documents of one pass', async () => {
  await fc.assert(
    fc.asyncProperty(histories, crashes, fc.integer({ min: 1, max: 20 }), async (history, plan, size) => {
      const log = await logOf(history);
      const store = new MemoryProjectionStore();
      for (const { length, writes } of plan) {
        let left = writes;
        store.between = () => {
          left -= 1;
          if (left < 0) throw new StoreUnavailable('crashed', true);
        };
        const crashing = await applierOf(store);
        await applyFromCheckpoint(crashing, log, length).catch(() => undefined);
      }
      store.between = () => undefined;
      const again = await applierOf(store);
      for (let start = 0; start < log.length; start += size) await apply(again, log, start, start + size);
      assert.deepEqual(store.contents(), await contentsOfOnePass(log));
      assertTotals(store);
    }),
    { numRuns: 300 },
  );
});

test('two processes that project at once give the documents of one pass', async () => {
  await fc.assert(
    fc.asyncProperty(histories, steps, steps, fc.infiniteStream(fc.boolean()), async (history, mine, yours, yields) => {
      const log = await logOf(history);
      const store = new MemoryProjectionStore();
      store.between = async () => {
        if (yields.next().value) await nextTurn();
      };
      const appliers = [await applierOf(store), await applierOf(store)] as const;
      await Promise.all([applyInSteps(appliers[0], log, mine), applyInSteps(appliers[1], log, yours)]);
      assert.deepEqual(store.contents(), await contentsOfOnePass(log));
      assertTotals(store);
    }),
    { numRuns: 200 },
  );
});
