import { openReadModelsIn } from '../../src/compose.js';
import { customerSearchPreparation } from '../../src/features/customers/search-preparation.js';
import type { StoredEvent } from '../../src/ports/event-store.js';
import { START } from '../../src/ports/event-store.js';
import type { Case, Sample } from './benchmark.js';
import { openEnginesOf } from './scratch-engines.js';
import { makeScratchFolder } from './scratch-folder.js';
import { embeddedIn } from './servers.js';

/** As many events as a busy service projects at once. */
const BATCH = 64;
const MOST_EVENTS = 20_000;
const PAGE = 500;
const MICROSECONDS = 1e6;
const ALL = new URL('../../projections/index.js', import.meta.url);
const WITHOUT_TREE = new URL('./projectors-without-tree.js', import.meta.url);

/** Events of a log as projectors take them. */
interface LogSample {
  readonly logId: string;
  readonly events: readonly StoredEvent[];
}

/** The beginning of the log in a folder that no service has. */
export async function sampleOf(dataDir: string): Promise<LogSample> {
  const engines = await openEnginesOf(embeddedIn(dataDir));
  const { eventStore, vault } = engines;
  const prepare = customerSearchPreparation(vault);
  const events: StoredEvent[] = [];
  for (let page: readonly StoredEvent[] = []; events.length < MOST_EVENTS;) {
    page = await eventStore.readAll(events.at(-1)?.position ?? START, PAGE);
    events.push(...(await prepare(page)));
    if (page.length < PAGE) break;
  }
  await engines.close();
  return { logId: eventStore.logId, events };
}

/** Projects events in small batches into an empty folder; `seconds` is processor time of all threads, which other work on the machine leaves alone. */
async function projected({ logId, events }: LogSample, projectorsModule: URL, milliseconds: number): Promise<Sample> {
  const folder = await makeScratchFolder();
  const models = await openReadModelsIn({
    dataDir: folder.path,
    logId,
    projectorsModule,
  });
  try {
    const collections = models.applier.collections.map(({ name }) => name);
    const latenciesMs: number[] = [];
    const end = performance.now() + milliseconds;
    let n = 0;
    let began = process.cpuUsage();
    for (let start = 0; start < events.length && performance.now() < end; start += BATCH) {
      const batch = events.slice(start, start + BATCH);
      const before = performance.now();
      const after = events[start - 1]?.position ?? START;
      await models.applier.apply({ generation: 'live', collections, after, events: batch });
      // The first batch starts the thread, which is not what is measured.
      if (start === 0) began = process.cpuUsage();
      else {
        n += batch.length;
        latenciesMs.push(performance.now() - before);
      }
    }
    const { user, system } = process.cpuUsage(began);
    return { n, seconds: (user + system) / MICROSECONDS, latenciesMs };
  } finally {
    await models.close();
    await folder.remove();
  }
}

/** Projecting is a part of what a command costs: what the tree adds to it is more than what it adds to a command. */
export function treeCostCases(sample: LogSample): readonly Case[] {
  const name = 'events projected without the tree, by processor time';
  return [
    { name, measure: (milliseconds) => projected(sample, WITHOUT_TREE, milliseconds) },
    {
      name: 'the same with the tree',
      comparedWith: name,
      measure: (milliseconds) => projected(sample, ALL, milliseconds),
    },
  ];
}
