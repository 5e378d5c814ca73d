import { workerData } from 'node:worker_threads';
import type { Batch } from '../../../kernel/projections/applier.js';
import { storeApplier } from '../../../kernel/projections/applier.js';
import { ReadEvent } from '../../../kernel/projections/batch.js';
import type { Projector } from '../../../kernel/projections/projector.js';
import { answerQuestions } from '../workers/answer-questions.js';
import { checkpoint, WalCheckpoints } from '../workers/wal-checkpoints.js';
import type { MemoryShares } from '../memory.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { typicalBodies } from '../packed-bodies.js';
import { openReadFileForWriting, readFilePath } from '../read-file.js';
import type { Applied, Writing } from '../read-protocol.js';
import { NewestEvents } from './newest-events.js';
import { EmbeddedProjectionStore } from './store.js';
import { writeSnapshot } from './snapshot-rows.js';
import { Sweeping } from './sweeping.js';

/** Documents and rows. */
const WRITES_BETWEEN_CHECKPOINTS = 5_000;

/** The one thread that writes `read.db`: it evolves documents and stores them, and keeps the lanes' snapshots. */
export interface WriterData {
  readonly dataDir: string;
  readonly logId: string;
  readonly projectorsModule: string;
  readonly memory: MemoryShares;
}

const { dataDir, logId, projectorsModule, memory } = workerData as WriterData;
const { projectors } = (await import(projectorsModule)) as { readonly projectors: readonly Projector[] };
const typical = typicalBodies(projectors.map(({ collection }) => collection));
const database = openReadFileForWriting(dataDir, memory.writerMegabytes, typical);
const store = new EmbeddedProjectionStore(database, memory.documentCharacters);
const applier = await storeApplier(store, projectors, logId);
const checkpoints = new WalCheckpoints(database, readFilePath(dataDir), WRITES_BETWEEN_CHECKPOINTS);
const sweeping = new Sweeping(async () => {
  const mayGoOn = await store.sweep();
  checkpoints.consider(store.written);
  return mayGoOn;
});

const newest = new NewestEvents<ReadEvent>();

/** With the events that were left out. */
function whole({ events, ...batch }: Batch, known: number): Batch {
  const atHand = newest.after(batch.after).slice(0, known);
  if (atHand.length < known) throw new StoreUnavailable('the thread that writes was started anew', false);
  const all = [...atHand, ...events.map((event) => ReadEvent.of(event))];
  if (batch.generation === 'live') newest.add(batch.after, all);
  return { ...batch, events: all };
}

async function answer(asked: Writing): Promise<unknown> {
  switch (asked.kind) {
    case 'checkpoints':
      return applier.checkpoints();
    case 'apply': {
      const outcome = await applier.apply(whole(asked.batch, asked.known));
      checkpoints.consider(store.written);
      return { outcome, changed: store.takeChanged() } satisfies Applied;
    }
    case 'pass':
      return applier.pass(asked.collection, asked.position);
    case 'beginRebuild':
      return applier.beginRebuild(asked.collection);
    case 'switchRebuild':
      return applier.switchRebuild(asked.collection).finally(() => {
        sweeping.begin();
      });
    case 'saveSnapshot':
      writeSnapshot(database, asked.stream, asked.snapshot);
      return undefined;
  }
}

sweeping.begin();
answerQuestions(true, answer, async () => {
  await sweeping.stop();
  await checkpoints.close();
  checkpoint(database, 'truncate');
  database.close();
});
