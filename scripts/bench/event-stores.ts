import { randomBytes } from 'node:crypto';
import { destination, pino } from 'pino';
import { openEmbeddedLog } from '../../src/adapters/embedded/embedded-log.js';
import { openEventStoreDb } from '../../src/adapters/eventstoredb/event-store.js';
import { systemClock } from '../../src/kernel/clock.js';
import type { EventStore } from '../../src/ports/event-store.js';
import { makeScratchFolder } from './scratch-folder.js';

export interface MeasuredStore {
  readonly engine: string;
  readonly store: EventStore;
  readonly close: () => Promise<void>;
}

/** The server of EVENTSTORE_URL when it is set, otherwise the embedded log in a fresh folder. */
export async function openMeasuredStore(): Promise<MeasuredStore> {
  const url = process.env['EVENTSTORE_URL'];
  const clock = systemClock();
  if (url) {
    const store = await openEventStoreDb({ url, clock, log: pino(destination(2)) });
    return { engine: 'EventStoreDB', store, close: () => store.close() };
  }
  const folder = await makeScratchFolder();
  const log = await openEmbeddedLog({ dataDir: folder.path, secretsKey: randomBytes(32), clock });
  return {
    engine: 'embedded',
    store: log.eventStore,
    async close() {
      await log.close();
      await folder.remove();
    },
  };
}
