import type { Applier } from '../../kernel/projections/applier.js';
import type { Projector } from '../../kernel/projections/projector.js';
import { collectionsTouched } from '../../kernel/projections/projector.js';
import type { Checkpoint, ReadModels } from '../../ports/read-models.js';
import type { Snapshots } from '../../ports/snapshots.js';
import { EmbeddedReadModels } from './reading/read-models.js';
import { ChangeStamps } from './reading/changes.js';
import type { MemoryShares } from './memory.js';
import { sharesOf } from './memory.js';
import { typicalBodies } from './packed-bodies.js';
import { openReadFileForReading } from './read-file.js';
import { QuestionLink } from './workers/question-link.js';
import { readersOf } from './reading/readers.js';
import type { Applied, Writing } from './read-protocol.js';
import type { WriterData } from './writing/writer-worker.js';
import { NewestEvents } from './writing/newest-events.js';
import { preparedCheckpoints } from './writing/prepared.js';
import { EmbeddedSnapshots } from './writing/snapshots.js';

interface EmbeddedReadModelsOptions {
  readonly dataDir: string;
  /** The id of the log that is projected. */
  readonly logId: string;
  /** A module that exports `projectors`. */
  readonly projectorsModule?: URL;
  readonly memory?: MemoryShares;
}

export interface OpenEmbeddedReadModels {
  readonly reads: ReadModels;
  readonly snapshots: Snapshots;
  readonly applier: Applier;
  close(): Promise<void>;
}

const WRITER = new URL('./writing/writer-worker.js', import.meta.url);
const PROJECTORS = new URL('../../../projections/index.js', import.meta.url);

/**
 * Opens `read.db`. One thread evolves and writes, one reads pages, two read what may take long; each is started when it is first
 * needed. The one that writes is needed at once where the file was not left in order.
 */
export async function openEmbeddedReadModels(options: EmbeddedReadModelsOptions): Promise<OpenEmbeddedReadModels> {
  const { dataDir, logId, projectorsModule = PROJECTORS, memory = sharesOf() } = options;
  const data: WriterData = { dataDir, logId, projectorsModule: projectorsModule.href, memory };
  const { projectors } = (await import(projectorsModule.href)) as { readonly projectors: readonly Projector[] };
  const collections = projectors.map(({ collection }) => collection);
  const writer = new QuestionLink<Writing, true>(WRITER, data, memory.writerYoungMegabytes);
  const typical = typicalBodies(collections);
  const readers = readersOf(dataDir, memory, typical);
  const prepared = preparedCheckpoints(dataDir, collections);
  if (!prepared) await writer.start();
  try {
    const stamps = new ChangeStamps();
    const reads = new EmbeddedReadModels(
      openReadFileForReading(dataDir, memory.mainMegabytes, typical),
      readers,
      stamps,
      memory,
    );
    return {
      reads,
      snapshots: new EmbeddedSnapshots(writer, readers),
      applier: workerApplier(writer, { projectors, prepared }, stamps),
      async close() {
        await reads.close();
        await readers.close();
        await writer.close();
      },
    };
  } catch (error) {
    await writer.close();
    throw error;
  }
}

interface Found {
  readonly projectors: readonly Projector[];
  /** What stands in the file while nobody has written to it. */
  readonly prepared: readonly Checkpoint[] | undefined;
}

function workerApplier(writer: QuestionLink<Writing, true>, found: Found, stamps: ChangeStamps): Applier {
  const changing = async (names: readonly string[], asked: Writing): Promise<unknown> => {
    try {
      return await writer.ask(asked);
    } catch (error) {
      stamps.allChanged(names); // perhaps
      throw error;
    }
  };
  const newest = new NewestEvents();
  return {
    collections: found.projectors.map(({ collection: { name, version } }) => ({ name, version })),
    touchedBy: collectionsTouched(found.projectors),
    oneByOne: true,
    checkpoints: async () =>
      found.prepared && !writer.begun ? found.prepared : ((await writer.ask({ kind: 'checkpoints' })) as Checkpoint[]),
    // One that does not start says so to whoever asks it.
    awake: () => (writer.begun ? undefined : writer.start().catch(() => undefined)),
    async apply(batch) {
      const { after, events, generation } = batch;
      const known = generation === 'live' ? Math.min(newest.after(after).length, events.length) : 0;
      const asked: Writing = { kind: 'apply', batch: { ...batch, events: events.slice(known) }, known };
      if (generation === 'live') newest.add(after, events);
      try {
        const { outcome, changed } = (await changing(batch.collections, asked)) as Applied;
        stamps.changed(changed);
        return outcome;
      } catch (error) {
        newest.forget();
        throw error;
      }
    },
    async pass(collection, position) {
      await writer.ask({ kind: 'pass', collection, position });
    },
    async beginRebuild(collection) {
      await writer.ask({ kind: 'beginRebuild', collection });
    },
    async switchRebuild(collection) {
      await changing([collection], { kind: 'switchRebuild', collection });
      stamps.allChanged([collection]);
    },
  };
}
