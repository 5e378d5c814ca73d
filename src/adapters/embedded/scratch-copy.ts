import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../kernel/files/folders.js';
import type { Applier } from '../../kernel/projections/applier.js';
import type { AnyCollection, EveryRecord, FoundRecord, ReadModels } from '../../ports/read-models.js';
import { StartRefused } from '../../ports/start-refused.js';
import { lockDataFolder } from './data-folder.js';
import { openEmbeddedReadModels } from './embedded-read-models.js';
import { demandRoomForCopy } from '../../kernel/files/disk-room.js';
import type { Cell } from './cells.js';
import { unpacked } from './cells.js';
import { bodyOf, typicalBodies } from './packed-bodies.js';
import { openReadFileForReading, readFileBytes } from './read-file.js';
import { keyOf, tableOf } from './writing/tables.js';

export interface ScratchReadModels {
  readonly applier: Applier;
  readonly reads: ReadModels;
  readonly every: EveryRecord;
  /** Nothing is left of it. */
  close(): Promise<void>;
}

const copiesFolder = (dataDir: string): string => join(dataDir, 'replays');

/**
 * Read models in a folder of their own, to be compared with others and thrown away. Each folder is locked by whoever made it, so that
 * the next one finds what a process that was killed has left.
 */
export async function openScratchReadModels(dataDir: string, logId: string): Promise<ScratchReadModels> {
  makeFolder(copiesFolder(dataDir));
  await sweepScratchReadModels(dataDir);
  demandRoomForCopy(dataDir, readFileBytes(dataDir));
  const { folder, clear } = makeScratchFolder(dataDir);
  try {
    const opened = await openEmbeddedReadModels({ dataDir: folder, logId });
    return {
      applier: opened.applier,
      reads: opened.reads,
      every: everyRecordIn(folder),
      close: () => opened.close().finally(clear),
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Made and locked in one step of this process. */
function makeScratchFolder(dataDir: string) {
  const folder = mkdtempSync(join(copiesFolder(dataDir), 'replay-'));
  const lock = lockDataFolder(folder);
  const clearAtOnce = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', clearAtOnce);
  const clear = async () => {
    await rm(folder, { recursive: true, force: true });
    lock.release();
    process.off('exit', clearAtOnce);
  };
  return { folder, clear };
}

/** Removes the copies that nobody holds any more. */
export async function sweepScratchReadModels(dataDir: string): Promise<void> {
  const copies = copiesFolder(dataDir);
  for (const name of await readdir(copies).catch(() => [])) await removeUnlessHeld(join(copies, name));
}

async function removeUnlessHeld(folder: string): Promise<void> {
  try {
    const lock = lockDataFolder(folder);
    await rm(folder, { recursive: true, force: true }).finally(() => {
      lock.release();
    });
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
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
