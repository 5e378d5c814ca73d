import { categories } from '../../projections/categories/categories.js';
import { categoryEvents } from '../../src/features/categories/events.js';
import { CHAIN_START } from '../../src/kernel/events/chain.js';
import { streamName } from '../../src/kernel/events/decider.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { EventStore, NewEvent } from '../../src/ports/event-store.js';
import { NO_STREAM } from '../../src/ports/event-store.js';
import type { Benchmark } from './benchmark.js';
import { measure } from './benchmark.js';
import { openScratchEngines } from './scratch-engines.js';

const STORES = 50;
const CATEGORIES = 600;
const LIVE_STORES = 20;

/** The events of one store: its categories are created, and every third is changed once. */
function eventsOf(storeId: string, count: number): NewEvent[] {
  const at = Date.now();
  const meta = JSON.stringify({
    schemaVersion: 1,
    storeId,
    actor: { kind: 'system', id: newId(at), name: 'bench' },
    requestId: newId(at),
    causationId: newId(at),
    at: new Date(at).toISOString(),
    hash: CHAIN_START,
  });
  const event = (type: string, id: string, name: string): NewEvent => ({
    id: newId(at),
    type,
    data: JSON.stringify({ id, name, fields: { defaultNcm: null } }),
    meta,
  });
  const ids = Array.from({ length: count }, () => newId(at));
  return [
    ...ids.map((id, index) => event(categoryEvents.created, id, `Category ${index}`)),
    ...ids
      .filter((_, index) => index % 3 === 0)
      .map((id, index) => event(categoryEvents.changed, id, `Changed ${index}`)),
  ];
}

/** Gives how many events were appended. */
async function appendStores(store: EventStore, stores: number): Promise<number> {
  const appends = Array.from({ length: stores }, async () => {
    const storeId = newId(Date.now());
    const events = eventsOf(storeId, CATEGORIES);
    await store.append(streamName('categories', storeId), NO_STREAM, events);
    return events.length;
  });
  return (await Promise.all(appends)).reduce((sum, count) => sum + count, 0);
}

export const projector: Benchmark = {
  name: 'projector',
  unit: 'events of categories; times are those of the whole',
  async prepare() {
    const { engine, engines, close } = await openScratchEngines();
    const { eventStore } = engines;
    let events = await appendStores(eventStore, STORES);
    const projections = await engines.startProjections();
    await projections.caughtUp();
    const rebuild = async () => {
      await projections.rebuild(categories.name);
      return events;
    };
    const live = async () => {
      const appended = await appendStores(eventStore, LIVE_STORES);
      await projections.caughtUp();
      events += appended;
      return appended;
    };
    return {
      engine,
      cases: [
        { name: 'rebuild', measure: (milliseconds) => measure(milliseconds, 1, rebuild) },
        { name: 'appended and projected live', measure: (milliseconds) => measure(milliseconds, 1, live) },
      ],
      async tearDown() {
        await projections.close();
        await close();
      },
    };
  },
};
