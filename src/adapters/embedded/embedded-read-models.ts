import type { Applier } from '../../kernel/projections/applier.js';
import type { Checkpoint, ReadModels } from '../../ports/read-models.js';
import type { Snapshots } from '../../ports/snapshots.js';
import { EmbeddedReadModels } from './reading/read-models.js';
import { ChangeStamps } from './reading/changes.js';
import { openReadFileForReading } from './read-file.js';
import { QuestionLink } from './workers/question-link.js';
import { readersOf } from './reading/readers.js';
import type { Applied, WriterOpened, Writing } from './read-protocol.js';
import type { WriterData } from './writing/writer-worker.js';
import { EmbeddedSnapshots } from './writing/snapshots.js';

export interface EmbeddedReadModelsOptions {
  readonly dataDir: string;
  /** Of the log that is projected. */
  readonly logId: string;
  /** A module that exports `projectors`. */
  readonly projectorsModule?: URL;
}

export interface OpenEmbeddedReadModels {
  readonly reads: ReadModels;
  readonly snapshots: Snapshots;
  readonly applier: Applier;
  close(): Promise<void>;
}

const WRITER = new URL('./writing/writer-worker.js', import.meta.url);
const PROJECTORS = new URL('../../../projections/index.js', import.meta.url);

/** Opens `read.db` with its threads: one evolves and writes, one reads pages, two read what may take long. */
export async function openEmbeddedReadModels(options: EmbeddedReadModelsOptions): Promise<OpenEmbeddedReadModels> {
  const { dataDir, logId, projectorsModule = PROJECTORS } = options;
  const data: WriterData = { dataDir, logId, projectorsModule: projectorsModule.href };
  const writer = new QuestionLink<Writing, WriterOpened>(WRITER, data);
  const readers = readersOf(dataDir);
  const { collections } = await writer.start();
  try {
    await readers.start();
    const stamps = new ChangeStamps();
    const reads = new EmbeddedReadModels(openReadFileForReading(dataDir), readers, stamps);
    return {
      reads,
      snapshots: new EmbeddedSnapshots(writer, readers),
      applier: workerApplier(writer, collections, stamps),
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

function workerApplier(
  writer: QuestionLink<Writing, WriterOpened>,
  collections: WriterOpened['collections'],
  stamps: ChangeStamps,
): Applier {
  const changing = async (names: readonly string[], asked: Writing): Promise<unknown> => {
    try {
      return await writer.ask(asked);
    } catch (error) {
      stamps.allChanged(names); // perhaps
      throw error;
    }
  };
  return {
    collections,
    checkpoints: async () => (await writer.ask({ kind: 'checkpoints' })) as Checkpoint[],
    async apply(batch) {
      const { outcome, changed } = (await changing(batch.collections, { kind: 'apply', batch })) as Applied;
      stamps.changed(changed);
      return outcome;
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
