import { systemClock } from '../../src/kernel/values/clock.js';
import { openEventStoreDb } from '../../src/adapters/eventstoredb/event-store.js';
import type { EventStoreHarness } from '../contract/event-store.js';
import { eventStoreContract } from '../contract/event-store.js';
import { SpawnedStandIn } from '../support/eventstoredb-stand-in/spawned.js';

const open = (url: string) => openEventStoreDb({ url, clock: systemClock(), log: { warn: () => undefined } });

function clientsOf(url: () => string): Pick<EventStoreHarness, 'open' | 'reopen' | 'openSecond'> {
  return {
    open: () => open(url()),
    reopen: async (store) => {
      await store.close();
      return open(url());
    },
    openSecond: () => open(url()),
  };
}

const standIn = await SpawnedStandIn.start();

eventStoreContract('EventStoreDB (stand-in)', {
  ...clientsOf(() => standIn.url),
  killServer: () => standIn.kill(),
  startServer: () => standIn.start(),
  dispose: () => standIn.dispose(),
});

const real = process.env.TEST_EVENTSTORE_URL;
if (real !== undefined)
  eventStoreContract(
    'EventStoreDB (real)',
    clientsOf(() => real),
  );
