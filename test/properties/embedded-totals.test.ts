import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { test } from '@jest/globals';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { openReadFileForWriting } from '../../src/adapters/embedded/read-file.js';
import { EmbeddedProjectionStore } from '../../src/adapters/embedded/writing/store.js';
import { storeApplier } from '../../src/kernel/projections/applier.js';
import { totalsOf } from '../../src/kernel/projections/projector.js';
import { START } from '../../src/ports/event-store.js';
import type { ProjectionStore, TotalsDocument } from '../../src/ports/read-models.js';
import { freshFolder } from '../support/embedded-reads.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import type { ShelfEvent, Thing } from '../support/shelf-projectors.js';
import {
  countThings,
  nameThing,
  shelfEvent,
  sumsOfThings,
  things,
  thingsProjector,
  throwThing,
} from '../support/shelf-projectors.js';

const THINGS = ['a', 'b', 'c'];
const NAMES = ['', 'x', 'y'];

const shelfEvents: fc.Arbitrary<ShelfEvent> = fc.oneof(
  fc.tuple(fc.constantFrom(...THINGS), fc.constantFrom(...NAMES)).map(([id, name]) => nameThing(id, name)),
  fc.constantFrom(...THINGS).map((id) => countThings(1, id)),
  fc.constantFrom(...THINGS).map((id) => throwThing(id)),
);

/** How many events each batch repeats, and how long it is. */
const batches = fc.array(fc.record({ back: fc.nat({ max: 6 }), length: fc.integer({ min: 1, max: 12 }) }), {
  maxLength: 12,
});

/** A process that has just been started: it remembers nothing. */
async function restarted(database: DatabaseSyncInstance) {
  const store = new EmbeddedProjectionStore(database);
  return { store, applier: await storeApplier(store, [thingsProjector], 'log') };
}

async function assertTotals(store: ProjectionStore): Promise<void> {
  const keys = (ids: readonly string[]) => ids.map((id) => ({ store: 's1', id }));
  const documents = [...(await store.load(things, 'live', keys(THINGS))).values()].flatMap(
    ({ document }) => document ?? [],
  );
  const ids = ['all', ...NAMES.map((name) => `called ${name}`)];
  const totals: Record<string, object> = {};
  for (const [key, { document }] of await store.load(totalsOf(things), 'live', keys(ids))) {
    if (!document) continue;
    const { exact, ...sums } = document as TotalsDocument;
    totals[key.slice('s1/'.length)] = sums;
    assert.deepEqual(Object.keys(exact), Object.keys(sums));
  }
  assert.deepEqual(totals, sumsOfThings(documents as Thing[]));
}

test('totals take each event once, also when a restarted process repeats what was committed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(shelfEvents, { minLength: 1, maxLength: 40 }), batches, async (history, plan) => {
      const log = new MemoryEventStore();
      await log.append(
        'shelf',
        -1,
        history.map((event) => shelfEvent(event)),
      );
      const events = await log.readAll(START, 1_000);
      const dataDir = await freshFolder();
      const database = openReadFileForWriting(dataDir);
      try {
        let end = 0;
        for (const { back, length } of [...plan, { back: 6, length: events.length + 6 }]) {
          const { applier } = await restarted(database);
          const first = Math.max(0, end - back);
          const after = events[first - 1]?.position ?? START;
          const some = events.slice(first, first + length);
          await applier.apply({ generation: 'live', collections: ['things'], after, events: some });
          end = Math.max(end, Math.min(events.length, first + length));
        }
        await assertTotals((await restarted(database)).store);
      } finally {
        database.close();
        await rm(dataDir, { recursive: true });
      }
    }),
    { numRuns: 60 },
  );
});
