import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { bytesOf, isSpoilt, openOwnFile, refuseForDisk } from './own-file.js';
import type { TypicalBodies } from './packed-bodies.js';
import { readPackedBodies } from './packed-bodies.js';
import { STORE_NUMBERS } from './writing/store-numbers.js';

const SCHEMA = `
  create table if not exists shapes (collection text primary key, shape text not null) without rowid;
  create table if not exists checkpoints (
    collection text not null,
    generation text not null,
    version integer not null,
    logId text not null,
    position text not null,
    primary key (collection, generation)
  ) without rowid;
  create table if not exists builds (collection text primary key, number integer not null) without rowid;
  create table if not exists ${STORE_NUMBERS};
  create table if not exists snapshots (
    stream text primary key,
    logId text not null,
    version integer not null,
    revision integer not null
  ) without rowid;
  create table if not exists snapshotPieces (stream text not null, piece integer not null, bytes blob not null);
  create unique index if not exists piecesOfSnapshot on snapshotPieces (stream, piece);
`;

/** What is asked of those tables. A file of something else may have others of the same names. */
const COLUMNS = [
  'select collection, shape from shapes',
  'select collection, generation, version, logId, position from checkpoints',
  'select collection, number from builds',
  'select stream, logId, version, revision from snapshots',
  'select stream, piece, bytes from snapshotPieces',
];

// Nothing here needs a flush: what is lost is projected again. Checkpoints of the write-ahead log happen on a thread of their own.
const WRITING = `
  pragma busy_timeout = 5000;
  pragma journal_mode = wal;
  pragma synchronous = normal;
  pragma temp_store = memory;
  pragma wal_autocheckpoint = 0;
  pragma journal_size_limit = 67108864;
`;

const READING = `
  pragma busy_timeout = 5000;
  pragma temp_store = memory;
`;

export const readFilePath = (dataDir: string): string => join(dataDir, 'read.db');

/** How much room the read models take: none where they are on a server. */
export const readFileBytes = (dataDir: string): number =>
  bytesOf(readFilePath(dataDir)) + bytesOf(`${readFilePath(dataDir)}-wal`);

/** What cannot be read is thrown away: everything in it can be made again. */
export function openReadFileForWriting(
  dataDir: string,
  cacheMegabytes = 64,
  typical: TypicalBodies = {},
): DatabaseSyncInstance {
  try {
    return open(dataDir, cacheMegabytes, typical);
  } catch (error) {
    if (!isSpoilt(error) && !lacksWhatIsAsked(error)) {
      refuseForDisk(error, dataDir);
      throw error;
    }
    for (const suffix of ['', '-wal', '-shm']) rmSync(readFilePath(dataDir) + suffix, { force: true });
    return open(dataDir, cacheMegabytes, typical);
  }
}

/** SQLite's number for a statement that does not fit the tables. */
const lacksWhatIsAsked = (error: unknown): boolean => (error as { readonly errcode?: number }).errcode === 1;

function open(dataDir: string, cacheMegabytes: number, typical: TypicalBodies): DatabaseSyncInstance {
  const database = openOwnFile(readFilePath(dataDir));
  try {
    database.exec(`${WRITING} pragma cache_size = -${cacheMegabytes * 1024}; begin immediate; ${SCHEMA} commit;`);
    for (const text of COLUMNS) database.prepare(text);
    readPackedBodies(database, typical);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Rows come as arrays. */
export function openReadFileForReading(
  dataDir: string,
  cacheMegabytes = 64,
  typical: TypicalBodies = {},
): DatabaseSyncInstance {
  const database = openOwnFile(readFilePath(dataDir), { readOnly: true, returnArrays: true });
  database.exec(`${READING} pragma cache_size = -${cacheMegabytes * 1024};`);
  readPackedBodies(database, typical);
  return database;
}
