import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Applier } from '../../kernel/projections/applier.js';
import type { AnyCollection, EveryRecord, FoundRecord, ReadModels } from '../../ports/read-models.js';
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
  const clearAtOnce = () => {
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', clearAtOnce);
  const clear = async () => {
    await rm(dataDir, { recursive: true, force: true });
    process.off('exit', clearAtOnce);
  };
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

type Found = readonly [store: string, id: Cell, body: string, hidden: string, number: number];

interface PagePlan {
  readonly text: string;
  readonly start: readonly Cell[];
  /** What the next page begins after. */
  readonly after: (last: Found) => readonly Cell[];
}

/** By the indexes that there are, so that no page looks at what another one holds: records by stores and ids, rows by their places. */
function pagePlan(collection: AnyCollection): PagePlan {
  const key = keyOf(collection);
  const texts = collection.kind === 'records' ? `${bodyOf(collection)}, hidden` : "'', ''";
  const found = `select storeNumbers.store, ${key}, ${texts}, kept.store from ${tableOf(collection, 'live')} as kept
    cross join storeNumbers on storeNumbers.number = kept.store`;
  return collection.kind === 'records'
    ? {
        text: `${found} where (kept.store, ${key}) > (?, ?) order by kept.store, ${key} limit ?`,
        start: [-1, ''],
        after: ([, id, , , number]) => [number, id],
      }
    : { text: `${found} where ${key} > ? order by ${key} limit ?`, start: [-1], after: ([, place]) => [place] };
}

/** A page at a time. */
const everyRecordIn = (dataDir: string): EveryRecord =>
  function* (collection, pageSize) {
    const database = openReadFileForReading(dataDir, 8, typicalBodies([collection]));
    try {
      const { text, start, after } = pagePlan(collection);
      const page = database.prepare(text);
      for (let from = start; ;) {
        const rows = page.all(...from, pageSize) as unknown as readonly Found[];
        if (rows.length > 0) yield rows.map(([store, id, body, hidden]) => record(store, id, body, hidden));
        const last = rows.at(-1);
        if (!last || rows.length < pageSize) return;
        from = after(last);
      }
    } finally {
      database.close();
    }
  };
