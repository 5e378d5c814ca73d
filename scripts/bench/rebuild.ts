import { openReplay } from '../../src/compose.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import type { Benchmark } from './benchmark.js';
import { measure } from './benchmark.js';
import { largeStore } from './large-store.js';
import { openEnginesOf } from './scratch-engines.js';
import { embeddedIn } from './servers.js';

export const rebuild: Benchmark = {
  name: 'rebuild',
  unit: 'events of a large store, each of one command; times are those of the whole',
  async prepare() {
    const { dataDir, remove } = await largeStore();
    const engines = await openEnginesOf(embeddedIn(dataDir));
    // Positions of the embedded log are numbers without a gap.
    const events = Number(await engines.eventStore.head());
    return {
      engine: `embedded, ${events.toLocaleString('en')} events`,
      cases: [
        {
          name: 'all read models out of the log',
          measure: (milliseconds) =>
            measure(milliseconds, 1, async () => {
              const replay = await openReplay(engines, systemClock());
              await replay.projections.caughtUp();
              await replay.close();
              return events;
            }),
        },
      ],
      async tearDown() {
        await engines.close();
        await remove();
      },
    };
  },
};
