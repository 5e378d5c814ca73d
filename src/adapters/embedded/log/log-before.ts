import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { StartRefused } from '../../../ports/start-refused.js';
import { bytesOf, openOwnFile, unusable } from '../own-file.js';
import { readFilePath } from '../read-file.js';

/** Whoever has lost the log must hear of it: another one in its place would be an empty shop, and the old one's backups would not be its. */

const LOG = 'events.db';

/** What becomes the log in the last step of a restore, or of a move to here. One that was broken off leaves it. */
export const UNFINISHED = `${LOG}.restoring`;

export const logFilePath = (dataDir: string): string => join(dataDir, LOG);

/** Whether no log has begun in the folder; one whose start was broken off may have left an empty file. */
export const lacksLog = (dataDir: string): boolean => bytesOf(logFilePath(dataDir)) === 0;

/** Throws StartRefused where a folder lacks its log, and something else in it tells that there was one, or was to be one. */
export function expectNoneBefore(dataDir: string): void {
  if (!lacksLog(dataDir)) return;
  const unfinished = join(dataDir, UNFINISHED);
  if (existsSync(unfinished)) {
    throw unusable(`a restore or move to it was broken off: repeat that, or remove ${unfinished} to begin a new log`);
  }
  const trace = Object.entries(TRACES).find(([, isThere]) => isThere(dataDir))?.[0];
  if (trace === undefined) return;
  const remedy = 'bring it back, or restore the last backup; a new log begins in an empty folder alone';
  throw unusable(`${logFilePath(dataDir)} is missing or empty, and ${trace} is of a log that was there: ${remedy}`);
}

const TRACES: Readonly<Record<string, (dataDir: string) => boolean>> = {
  // SQLite would throw it away.
  [`${LOG}-wal`]: (dataDir) => bytesOf(`${logFilePath(dataDir)}-wal`) > 0,
  // Beside no file at all they may be those of another log, which are made anew.
  'read.db': (dataDir) =>
    existsSync(logFilePath(dataDir)) && bytesOf(readFilePath(dataDir)) > 0 && hasFollowed(dataDir),
  checkpoints: (dataDir) => hasFiles(join(dataDir, 'checkpoints')),
};

/** Whether the read models were made of events. What cannot be read tells nothing. */
function hasFollowed(dataDir: string): boolean {
  try {
    const database = openOwnFile(readFilePath(dataDir), { readOnly: true });
    try {
      return database.prepare(`select 1 from checkpoints where position <> ''`).get() !== undefined;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.json'));
  } catch {
    return false;
  }
}

/** Why a log that begins nowhere else is not to be used, and what to do. */
export const damagedLog = (dataDir: string, why: string): StartRefused =>
  unusable(`${logFilePath(dataDir)} is damaged (${why}): keep a copy of it, and restore the last backup`);

const TABLES = ['about', 'events', 'streams', 'vault'];

const KINDS = `select
  (select count(*) from pragma_table_info('about') where name in ('logId', 'keyCheck')) as own,
  (select group_concat(name) from sqlite_master where type = 'table') as names`;

/** Throws StartRefused where the file is a database of something else, or of a log that lacks a part: it would begin anew, empty. */
export function expectNothingElse(database: DatabaseSyncInstance, dataDir: string): void {
  const statement = database.prepare(KINDS);
  statement.setReturnArrays(true);
  const [own, names] = statement.get() as unknown as readonly [number, string | null];
  if (names === null) return;
  if (own > 1) {
    const there = new Set(names.split(','));
    const missing = TABLES.find((name) => !there.has(name));
    if (missing === undefined) return;
    database.close();
    throw damagedLog(dataDir, `it has no table ${missing}`);
  }
  database.close();
  throw unusable(
    `${logFilePath(dataDir)} is a database, but no log of this service: put the log in its place, or restore the last backup`,
  );
}
