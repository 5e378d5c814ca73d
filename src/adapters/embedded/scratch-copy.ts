import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Applier } from '../../kernel/projections/applier.js';
import type { EveryRecord, FoundRecord, ReadModels } from '../../ports/read-models.js';
import { openEmbeddedReadModels } from './embedded-read-models.js';
import type { Cell } from './cells.js';
import { unpacked } from './cells.js';
import { bodyOf, typicalBodies } from './packed-bodies.js';
import { openReadFileForReading } from './read-file.js';
import { keyOf, tableOf } from './writing/tables.js';

interface ScratchReadModels {
  readonly applier: Applier;
  readonly reads: ReadModels;
  readonly every: EveryRecord;
  /** Nothing is left of it. */
  close(): Promise<void>;
}

/** Read models in a folder of their own, to be compared with others and thrown away. */
export async function openScratchReadModels(logId: string): Promise<ScratchReadModels> {
  const dataDir = await mkdtemp(join(tmpdir(), 'read-models-'));
  const clear = () => rm(dataDir, { recursive: true, force: true });
  try {
    const opened = await openEmbeddedReadModels({ dataDir, logId });
    return {
      applier: opened.applier,
      reads: opened.reads,
      every: everyRecordIn(dataDir),
      close: () => opened.close().finally(clear),
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

const record = (store: string, id: Cell, body: string, hidden: string): FoundRecord => ({
  store,
  body,
  hidden,
  id: String(unpacked(id)),
});

/** In the order of stores and ids, a page at a time. */
const everyRecordIn = (dataDir: string): EveryRecord =>
  function* (collection, pageSize) {
    const database = openReadFileForReading(dataDir, 8, typicalBodies([collection]));
    const key = keyOf(collection);
    try {
      const texts = collection.kind === 'records' ? `${bodyOf(collection)}, hidden` : "'', ''";
      const page = database.prepare(
        `select storeNumbers.store, ${key}, ${texts}, kept.store from ${tableOf(collection, 'live')} as kept
         join storeNumbers on storeNumbers.number = kept.store
         where (kept.store, ${key}) > (?, ?) order by kept.store, ${key} limit ?`,
      );
      for (let [number, last]: [number, Cell] = [-1, '']; ;) {
        const rows = page.all(number, last, pageSize) as unknown as [string, Cell, string, string, number][];
        if (rows.length > 0) yield rows.map(([store, id, body, hidden]) => record(store, id, body, hidden));
        const end = rows.at(-1);
        if (!end || rows.length < pageSize) return;
        [number, last] = [end[4], end[1]];
      }
    } finally {
      database.close();
    }
  };
