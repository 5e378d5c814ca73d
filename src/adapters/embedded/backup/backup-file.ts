import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import type { TreeState } from '../../../kernel/proof/growing-tree.js';
import type { LogAbout } from '../log/file.js';
import { isSpoilt, refuseForFullDisk } from '../own-file.js';
import { isStartRefused, StartRefused } from '../../../ports/start-refused.js';
import { expectKnownFormat } from '../../log-format.js';
import { makeFolder } from '../../../kernel/files/folders.js';
import { messageOf } from '../../../kernel/values/message-of.js';

/** A folder with the copy of a log, its vault, and the secrets that the installation made for itself. */

const BUSY = 5;
/** SQLite's number for what was broken off where nothing may be written (SQLITE_READONLY_ROLLBACK). */
const HALF_WRITTEN = 776;

const SCHEMA = `
  create table about (format integer not null, logId text not null, keyCheck blob not null);
  create table streams (id integer primary key, name text not null unique, revision integer not null, hash text not null);
  create table events (
    position integer primary key,
    stream integer not null,
    revision integer not null,
    id text not null,
    type text not null,
    data text not null,
    meta text not null
  );
  create table vault (
    kind text not null,
    id text not null,
    version integer not null,
    value blob not null,
    dueAt integer,
    expiresAt integer,
    primary key (kind, id)
  );
  create table backups (number integer primary key, at text not null, size integer not null, rootHash text not null, tree text not null);
`;

// A small cache: what it holds is flushed in one go at the end. Without EXTRA a power cut brings the journal back after a commit, and the
// backup is what it was before.
const PRAGMAS = `
  pragma busy_timeout = 1000;
  pragma journal_mode = delete;
  pragma synchronous = extra;
  pragma secure_delete = on;
  pragma cache_size = -16384;
`;

export const backupPath = (directory: string): string => join(directory, 'events.db');
export const secretsPath = (folder: string): string => join(folder, 'secrets.json');

/** The vault's key among the secrets that an installation made for itself; throws where they are none. */
export const keyIn = (secrets: Buffer): Buffer =>
  Buffer.from((JSON.parse(secrets.toString()) as { readonly secretsKey: string }).secretsKey, 'base64');

/** A line for each row of the vault that was erased for good: no restore brings it back. */
export const erasuresPath = (directory: string): string => join(directory, 'erasures.jsonl');

/** For `attach`, so that nothing is written to it. */
export const readOnlyUri = (path: string): string => `${pathToFileURL(path).href}?mode=ro`;

interface KnownBackup {
  readonly at: string;
  readonly size: number;
  readonly rootHash: string;
  readonly tree: TreeState;
}

export interface BackupFile {
  readonly database: DatabaseSyncInstance;
  /** Undefined in one that was just made. */
  readonly about: LogAbout | undefined;
  /** The newest that counts. */
  readonly last: KnownBackup | undefined;
}

/** Opens the copy in a folder, or begins one. Throws StartRefused. */
export function openBackup(directory: string, { create }: { readonly create: boolean }): BackupFile {
  const path = backupPath(directory);
  if (!existsSync(path) && !create) throw new StartRefused(`there is no backup in ${directory}`);
  if (create) makeFolder(directory);
  return readable(directory, () => {
    const database = new DatabaseSync(path);
    try {
      database.exec(PRAGMAS);
      if (create && isNew(database)) makeTables(database);
      const backup = backupIn(database, directory);
      if (!create && !backup.about) throw new StartRefused(`the backup in ${directory} was never finished`);
      return backup;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** What it holds; it may be another than when it was opened, until it is locked. */
export const backupIn = (database: DatabaseSyncInstance, directory: string): BackupFile => ({
  database,
  about: aboutIn(database, directory),
  last: lastIn(database),
});

/** Unless another backup has made them meanwhile. */
function makeTables(database: DatabaseSyncInstance): void {
  database.exec('begin immediate');
  if (isNew(database)) database.exec(SCHEMA);
  database.exec('commit');
}

/** The copied log may come from a newer release than the copy before. */
export const noteFormat = ({ database }: BackupFile, format: number): void => {
  database.prepare('update main.about set format = ?').run(format);
};

export const beginBackup = ({ database }: BackupFile, format: number, { logId, keyCheck }: LogAbout): void => {
  database.prepare('insert into about (format, logId, keyCheck) values (?, ?, ?)').run(format, logId, keyCheck);
};

/** When everything in it was last read and found whole; a table of its own, which older releases overlook. */
export function wholeCheckAt(database: DatabaseSyncInstance): number | undefined {
  if (!database.prepare(`select 1 from main.sqlite_master where name = 'wholeChecks'`).get()) return undefined;
  const found = database.prepare('select max(at) as at from main.wholeChecks').get() as { readonly at: number | null };
  return found.at ?? undefined;
}

export function noteWholeCheck(database: DatabaseSyncInstance, at: number): void {
  database.exec('create table if not exists main.wholeChecks (at integer not null); delete from main.wholeChecks');
  database.prepare('insert into main.wholeChecks (at) values (?)').run(at);
}

// A row's seal is over its kind, id, version and value. The rest, and which rows there are, shows here; any prime keeps the sums small.
const VAULT_SUMS = `select count(*), coalesce(sum(version % 1000000007), 0), coalesce(sum(dueAt % 1000000007), 0),
  coalesce(sum(expiresAt % 1000000007), 0) from main.vault`;

function sumsOf(database: DatabaseSyncInstance): readonly number[] {
  const [sums] = database.prepare(VAULT_SUMS).all() as readonly Readonly<Record<string, number>>[];
  return Object.values(sums ?? {});
}

/** Notes of the backup of that moment what its vault comes to, in a table that older releases overlook; gives the number of its rows. */
export function noteVault(database: DatabaseSyncInstance, at: string): number {
  const sums = sumsOf(database);
  database.exec('create table if not exists main.vaultSums (at text not null, sums text not null)');
  database.exec('delete from main.vaultSums');
  database.prepare('insert into main.vaultSums values (?, ?)').run(at, JSON.stringify(sums));
  return sums[0] ?? 0;
}

/** Whether the vault is still what was backed up at that moment, as far as the backup tells. */
export function isVaultAsNoted(database: DatabaseSyncInstance, at: string): boolean {
  if (!database.prepare(`select 1 from main.sqlite_master where name = 'vaultSums'`).get()) return true;
  const noted = database.prepare('select sums from main.vaultSums where at = ?').get(at) as
    { readonly sums: string } | undefined;
  return noted === undefined || noted.sums === JSON.stringify(sumsOf(database));
}

/** Runs what reads a backup, and says in a line when it is damaged or in use. */
export function readable<T>(directory: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { errcode = 0 } = cause as { errcode?: number };
    const reason = messageOf(cause);
    if (isSpoilt(cause)) {
      throw new StartRefused(`the backup in ${directory} is damaged: ${reason}`, { cause });
    }
    if (errcode === HALF_WRITTEN) {
      const remedy = 'let the folder be written, or copy it to where it can be';
      throw new StartRefused(`a backup into ${directory} was broken off, and has to be taken back first: ${remedy}`, {
        cause,
      });
    }
    if ((errcode & 0xff) === BUSY) throw new StartRefused(`the backup in ${directory} is being written`, { cause });
    throw cause;
  }
}

/** Says of what the system refuses, which names no folder, what was copied and where to. */
export function copying<T>(from: string, to: string, copy: () => T): T {
  try {
    return copy();
  } catch (cause) {
    if (isStartRefused(cause) || !(cause instanceof Error && 'code' in cause)) throw cause;
    refuseForFullDisk(cause, to);
    throw new StartRefused(`${from} could not be copied to ${to}: ${cause.message}`, { cause });
  }
}

const isNew = (database: DatabaseSyncInstance): boolean =>
  database.prepare('select 1 from sqlite_master').get() === undefined;

const isBegun = (database: DatabaseSyncInstance): boolean =>
  database.prepare(`select 1 from sqlite_master where name = 'backups'`).get() !== undefined;

function aboutIn(database: DatabaseSyncInstance, directory: string): LogAbout | undefined {
  if (!isBegun(database)) {
    if (isNew(database)) return undefined;
    throw new StartRefused(`${backupPath(directory)} is not a backup`);
  }
  const about = database.prepare('select * from about').get() as (LogAbout & { readonly format: number }) | undefined;
  if (about) expectKnownFormat(`the backup in ${directory}`, about.format);
  return about && { logId: about.logId, keyCheck: about.keyCheck };
}

function lastIn(database: DatabaseSyncInstance): KnownBackup | undefined {
  if (!isBegun(database)) return undefined;
  const found = database.prepare('select at, size, rootHash, tree from backups order by number desc limit 1').get() as
    { readonly at: string; readonly size: number; readonly rootHash: string; readonly tree: string } | undefined;
  return found && { ...found, tree: JSON.parse(found.tree) as TreeState };
}
