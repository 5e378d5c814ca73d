import type { Applier } from '../../kernel/projection-applier.js';
import type { BatchOutcome } from '../../kernel/projection-engine.js';
import type { Checkpoint, ReadModels } from '../../ports/read-models.js';
import type { Snapshots } from '../../ports/snapshots.js';
import { EmbeddedReadModels } from './read-models.js';
import { openReadFileForReading } from './read-file.js';
import { QuestionLink } from './read-link.js';
import type { Reading, WriterOpened, Writing } from './read-protocol.js';
import type { WriterData } from './read-writer-worker.js';
import { EmbeddedSnapshots } from './snapshots.js';

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

const WRITER = new URL('./read-writer-worker.js', import.meta.url);
const READER = new URL('./read-reader-worker.js', import.meta.url);
const PROJECTORS = new URL('../../../projections/index.js', import.meta.url);

/** Opens `read.db` with its threads: one evolves and writes, one reads what is large. */
export async function openEmbeddedReadModels(options: EmbeddedReadModelsOptions): Promise<OpenEmbeddedReadModels> {
  const { dataDir, logId, projectorsModule = PROJECTORS } = options;
  const data: WriterData = { dataDir, logId, projectorsModule: projectorsModule.href };
  const writer = new QuestionLink<Writing, WriterOpened>(WRITER, data);
  const reader = new QuestionLink<Reading, unknown>(READER, { dataDir });
  const { collections } = await writer.start();
  try {
    await reader.start();
    const reads = new EmbeddedReadModels(openReadFileForReading(dataDir), reader);
    return {
      reads,
      snapshots: new EmbeddedSnapshots(writer, reader),
      applier: workerApplier(writer, collections),
      async close() {
        await reads.close();
        await reader.close();
        await writer.close();
      },
    };
  } catch (error) {
    await writer.close();
    throw error;
  }
}

function workerApplier(writer: QuestionLink<Writing, WriterOpened>, collections: WriterOpened['collections']): Applier {
  const tell = async (asked: Writing): Promise<void> => {
    await writer.ask(asked);
  };
  return {
    collections,
    checkpoints: async () => (await writer.ask({ kind: 'checkpoints' })) as Checkpoint[],
    apply: async (batch) => (await writer.ask({ kind: 'apply', batch })) as BatchOutcome,
    pass: (collection, position) => tell({ kind: 'pass', collection, position }),
    beginRebuild: (collection) => tell({ kind: 'beginRebuild', collection }),
    switchRebuild: (collection) => tell({ kind: 'switchRebuild', collection }),
  };
}
