import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StartRefused } from '../../../ports/start-refused.js';
import type { VaultCipher } from '../../vault-cipher.js';
import { vaultCipher, VaultSealBroken } from '../../vault-cipher.js';
import { flushFileSync } from '../../../kernel/files/lasting.js';
import { messageOf } from '../../../kernel/values/message-of.js';
import { expectKnownFormat, LOG_FORMAT } from '../../log-format.js';
import { isSpoilt, openOwnFile, refuseForDisk } from '../own-file.js';
import { damagedLog, expectNoneBefore, expectNothingElse, logFilePath } from './log-before.js';

/** What both workers need to open `events.db`. */
export interface LogFileOptions {
  readonly dataDir: string;
  readonly secretsKey: Uint8Array;
}

/** `events.db`, opened for writing or for reading. */
export interface LogFile {
  readonly database: DatabaseSyncInstance;
  readonly cipher: VaultCipher;
}

export const LOG_SCHEMA = `
  pragma user_version = ${LOG_FORMAT};
  create table if not exists about (logId text not null, keyCheck blob not null);
  create table if not exists streams (id integer primary key, name text not null unique);
  create table if not exists events (
    position integer primary key,
    stream integer not null,
    revision integer not null,
    id text not null,
    type text not null,
    data text not null,
    meta text not null
  );
  create unique index if not exists eventsOfStream on events (stream, revision);
  create table if not exists vault (
    kind text not null,
    id text not null,
    version integer not null,
    value blob not null,
    dueAt integer,
    expiresAt integer
  );
  create unique index if not exists vaultById on vault (kind, id);
  create index if not exists vaultByDueAt on vault (kind, dueAt) where dueAt is not null;
  create index if not exists vaultByExpiry on vault (expiresAt) where expiresAt is not null;
`;

// Every connection starts at NORMAL, which would answer before the flush. Checkpoints are made beside the appends, which SQLite's own
// would hold up for as long as the disk takes. The size limit gives space back that the write-ahead log took during a backup.
const PRAGMAS = `
  pragma busy_timeout = 5000;
  pragma synchronous = full;
  pragma cache_size = -32768;
  pragma wal_autocheckpoint = 0;
  pragma journal_size_limit = 67108864;
  pragma secure_delete = fast;
`;

/** Throws StartRefused, which names the file, where it cannot be opened or read. */
export function openLogForWriting(options: LogFileOptions): LogFile & { readonly logId: string } {
  try {
    return openToWrite(options);
  } catch (cause) {
    if (isSpoilt(cause)) throw damagedLog(options.dataDir, messageOf(cause));
    refuseForDisk(cause, options.dataDir);
    throw cause;
  }
}

function openToWrite({ dataDir, secretsKey }: LogFileOptions): LogFile & { readonly logId: string } {
  const path = logFilePath(dataDir);
  expectNoneBefore(dataDir);
  flushWhatWasLeft(`${path}-wal`);
  const database = openOwnFile(path);
  expectFormat(database, dataDir);
  database.exec(`${PRAGMAS} pragma journal_mode = wal; begin immediate; ${LOG_SCHEMA}`);
  const cipher = vaultCipher(secretsKey);
  if (isNew(database)) {
    const logId = randomUUID();
    database.prepare('insert into about values (?, ?)').run(logId, keyCheckOf(cipher, logId));
  }
  database.exec('commit');
  return { database, cipher, logId: identify(database, cipher, dataDir) };
}

/** A log gets its id with its tables: what lacks it later has lost it, and another would make it another log. */
const isNew = (database: DatabaseSyncInstance): boolean =>
  (['about', 'events', 'vault'] as const).every(
    (table) => database.prepare(`select 1 from ${table}`).get() === undefined,
  );

export function openLogForReading({ dataDir, secretsKey }: LogFileOptions): LogFile {
  const database = openOwnFile(logFilePath(dataDir), { readOnly: true, returnArrays: true });
  database.exec(PRAGMAS);
  return { database, cipher: vaultCipher(secretsKey) };
}

/** What the newest release that opened the log for writing writes. */
export function formatOf(database: DatabaseSyncInstance, schema: 'main' | 'log' = 'main'): number {
  const statement = database.prepare(`pragma ${schema}.user_version`);
  statement.setReturnArrays(true);
  const [format = 0] = statement.get() as unknown as readonly number[];
  return format;
}

/** Throws StartRefused where it is no log, or one that a newer release wrote. */
export function expectFormat(database: DatabaseSyncInstance, dataDir: string): void {
  expectNothingElse(database, dataDir);
  try {
    expectKnownFormat(`the log in ${dataDir}`, formatOf(database));
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A process that was killed may have left commits that only the page cache knows: they count from now on, so they must last. */
function flushWhatWasLeft(writeAheadLog: string): void {
  if (existsSync(writeAheadLog)) flushFileSync(writeAheadLog);
}

/** A log's id, and the same sealed with the key that the log began with. */
export interface LogAbout {
  readonly logId: string;
  readonly keyCheck: Uint8Array;
}

const checkRow = (logId: string) => ({ kind: 'about', id: logId, version: 0 });

export const keyCheckOf = (cipher: VaultCipher, logId: string): Buffer => cipher.seal(checkRow(logId), logId);

/** Whether the key is the one that the log began with. */
export function opens(cipher: VaultCipher, { logId, keyCheck }: LogAbout): boolean {
  try {
    return cipher.open(checkRow(logId), keyCheck) === logId;
  } catch (error) {
    if (error instanceof VaultSealBroken) return false;
    throw error;
  }
}

/** What the log in an attached database, or in the only one, says of itself. Throws StartRefused where it says nothing. */
export function aboutLog(database: DatabaseSyncInstance, dataDir: string, schema: 'main' | 'log' = 'main'): LogAbout {
  const statement = database.prepare(`select logId, keyCheck from ${schema}.about`);
  statement.setReturnArrays(true);
  const found = statement.get() as unknown as readonly [string, Uint8Array] | undefined;
  if (!found) throw damagedLog(dataDir, 'it does not say which log it is');
  const [logId, keyCheck] = found;
  return { logId, keyCheck };
}

/** The log's id; refuses a key other than the one that the log began with. */
export function identify(database: DatabaseSyncInstance, cipher: VaultCipher, dataDir: string): string {
  const about = aboutLog(database, dataDir);
  if (opens(cipher, about)) return about.logId;
  throw new StartRefused('SECRETS_KEY is not the key that this data folder was made with');
}
