import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { replaceFileSync } from '../../../kernel/files/lasting.js';
import type { StreamHead } from '../../../kernel/proof/log-check.js';
import { LogBroken, LogCheck } from '../../../kernel/proof/log-check.js';
import { StartRefused } from '../../../ports/start-refused.js';
import { eventPages } from '../log/event-pages.js';
import { expectKnownFormat } from '../../log-format.js';
import type { VaultCipher } from '../../vault-cipher.js';
import { vaultCipher } from '../../vault-cipher.js';
import { isSpoilt } from '../own-file.js';
import type { LogAbout } from '../log/file.js';
import { aboutLog, formatOf, opens } from '../log/file.js';
import { damagedLog, lacksLog, logFilePath } from '../log/log-before.js';
import { brokenSeal, damageIn, expectReadable } from '../log/soundness.js';
import type { BackupFile } from './backup-file.js';
import {
  backupIn,
  backupPath,
  beginBackup,
  copying,
  keyIn,
  noteVault,
  noteWholeCheck,
  noteFormat,
  openBackup,
  readable,
  readOnlyUri,
  secretsPath,
  wholeCheckAt,
} from './backup-file.js';

/** So many events are flushed together. */
const SLICE = 8_000;
/** Disks spoil what nobody reads: what was copied before is read again so often, and each time where it is soon done. */
const WHOLE_EVERY = 86_400_000;
const SOON_READ = 100_000;

export interface BackupWish {
  readonly dataDir: string;
  readonly directory: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Opens the vault where it is configured; otherwise the generated one does. */
  readonly secretsKey: Uint8Array | undefined;
  /** Shared with whoever may break it off, by setting it to 1. */
  readonly brokenOff?: Int32Array;
}

/** What a backup came to. */
export interface BackupDone {
  readonly logId: string;
  readonly at: string;
  /** Events that the backup holds by now, and how many of them are new. */
  readonly size: number;
  readonly added: number;
  readonly vaultRows: number;
  readonly rootHash: string;
}

/**
 * Copies what is new in a log and its vault, all of one moment, while the service goes on: a reader holds up no writer. It counts only
 * when every new event continues its chain, and what lies there already is found as it was whenever it is read again; broken off, nothing
 * of it was.
 */
export const backUp = (wish: BackupWish): BackupDone => copying(wish.dataDir, wish.directory, () => backUpNew(wish));

function backUpNew(wish: BackupWish): BackupDone {
  const { dataDir, directory } = wish;
  if (lacksLog(dataDir)) throw new StartRefused(`there is no log in the data folder ${dataDir}`);
  if (existsSync(directory) && realpathSync(directory) === realpathSync(dataDir)) {
    throw new StartRefused(`${directory} is the data folder itself: its backup needs another`);
  }
  if (existsSync(directory) && !statSync(directory).isDirectory()) {
    throw new StartRefused(`${directory} is a file: a backup needs a folder`);
  }
  expectReadable(dataDir, 'at its tables');
  const backup = openBackup(directory, { create: true });
  // Closed after the database: closing it first would take the database's locks away.
  const file = openSync(backupPath(directory), 'r+');
  try {
    return readable(directory, () => copy(backup.database, file, wish));
  } catch (error) {
    // SQLite does not say which of the two files it could not read.
    if (error instanceof StartRefused && isSpoilt(error.cause)) expectReadable(dataDir, 'at all');
    throw error;
  } finally {
    backup.database.close();
    closeSync(file);
  }
}

function copy(database: DatabaseSyncInstance, file: number, wish: BackupWish): BackupDone {
  const { dataDir, directory, now } = wish;
  database.prepare('attach ? as log').run(readOnlyUri(logFilePath(dataDir)));
  database.exec('begin immediate');
  try {
    // Another backup may have ended while this one waited for it.
    const backup = backupIn(database, directory);
    const { last } = backup;
    const about = expectSameLog(backup, wish);
    const size = copyEvents(database, file, last?.size ?? 0, wish);
    const isWhole = !last || isReadWhole(size, wholeCheckAt(database), now);
    const check = isWhole ? checkAll(backup, size, wish) : checkNew(backup, size, wish);
    expectWanted(wish);
    copyVault(database, cipherOf(database, wish, about));
    if (isWhole) {
      expectWanted(wish);
      expectWhole(database, dataDir);
      noteWholeCheck(database, now);
    }
    copySecrets(dataDir, directory, about);
    const at = new Date(now).toISOString();
    const rootHash = check.tree.root();
    database.exec('delete from backups');
    database
      .prepare('insert into backups (at, size, rootHash, tree) values (?, ?, ?, ?)')
      .run(at, size, rootHash, JSON.stringify(check.tree.state()));
    const vaultRows = noteVault(database, at);
    database.exec('commit');
    return { logId: about.logId, at, size, added: size - (last?.size ?? 0), vaultRows, rootHash };
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** Whether all of a backup of so many events is read again. What was last read at a time to come was read by a clock that was ahead. */
export const isReadWhole = (size: number, readAt: number | undefined, now: number): boolean =>
  size <= SOON_READ || readAt === undefined || Math.abs(now - readAt) >= WHOLE_EVERY;

/** Asked wherever the copy can end within moments. */
function expectWanted({ brokenOff }: BackupWish): void {
  if (brokenOff && Atomics.load(brokenOff, 0) !== 0) throw new StartRefused('the backup was broken off');
}

/** The log must be the one that the backup began with, and go on from where it was. */
function expectSameLog(backup: BackupFile, { dataDir, directory }: BackupWish): LogAbout {
  const { database, about, last } = backup;
  const format = formatOf(database, 'log');
  expectKnownFormat(`the log in ${dataDir}`, format);
  const live = aboutLog(database, dataDir, 'log');
  if (!about) {
    beginBackup(backup, format, live);
    return live;
  }
  if (about.logId !== live.logId) {
    throw new StartRefused(
      `the backup in ${directory} is of the log ${about.logId}, and this one is ${live.logId}: name another folder`,
    );
  }
  const newest = (schema: 'main' | 'log'): unknown =>
    database.prepare(`select id from ${schema}.events where position = ?`).get(last?.size ?? 0);
  if (JSON.stringify(newest('main')) !== JSON.stringify(newest('log'))) {
    throw new StartRefused(
      `the backup in ${directory} holds events that this log has lost: restore it, or name another folder`,
    );
  }
  noteFormat(backup, format);
  return live;
}

/**
 * Gives how many there are by now. What is copied goes to the disk a little at a time: flushed all at once, it would hold up those who
 * wait for the flush of the log.
 */
function copyEvents(database: DatabaseSyncInstance, file: number, before: number, wish: BackupWish): number {
  database.exec(`insert into main.streams (id, name, revision, hash)
    select id, name, -1, '' from log.streams where id > (select coalesce(max(id), 0) from main.streams) order by id`);
  const { head } = database.prepare('select coalesce(max(position), 0) as head from log.events').get() as {
    readonly head: number;
  };
  const slice = database.prepare(
    'insert into main.events select * from log.events where position > ? and position <= ? order by position',
  );
  for (let from = before; from < head; from += SLICE) {
    expectWanted(wish);
    slice.run(from, from + SLICE);
    fdatasyncSync(file);
  }
  const { size, count } = database
    .prepare('select coalesce(max(position), 0) as size, count(*) as count from main.events where position > ?')
    .get(before) as { readonly size: number; readonly count: number };
  const reached = Math.max(size, before);
  if (count !== reached - before)
    throw new StartRefused('the log has lost events in its middle: nothing was backed up');
  return reached;
}

type Row = readonly [stream: string, revision: number, id: string, type: string, data: string, meta: string];

/** Everything in the copy, as it lies there. Streams begin anew, so that their heads need no look. */
function checkAll({ database, last }: BackupFile, size: number, wish: BackupWish): LogCheck {
  const { directory } = wish;
  const heads = new Map<string, StreamHead>();
  const check = new LogCheck(heads);
  const before = last?.size ?? 0;
  try {
    for (const { bytes, events } of eventPages(database, 'sealed')) {
      expectWanted(wish);
      for (const event of events) {
        check.addBytes(event, bytes);
        if (check.tree.size === before && check.tree.root() !== last?.rootHash) throw spoilt(directory);
      }
    }
  } catch (cause) {
    if (cause instanceof LogBroken && check.tree.size <= before) throw spoilt(directory, cause);
    throw cause;
  }
  return setHeads(database, heads, check, size);
}

const spoilt = (directory: string, cause?: LogBroken): StartRefused =>
  new StartRefused(
    `the backup in ${directory} is damaged: ${cause?.message ?? 'its events are not those that were backed up'}; name another folder`,
    { cause },
  );

/** Every new event, as it lies in the copy, must continue its stream. */
function checkNew({ database, last }: BackupFile, size: number, wish: BackupWish): LogCheck {
  const headOf = database.prepare('select revision, hash from main.streams where name = ?');
  const heads = new Map<string, StreamHead>();
  const check = new LogCheck(heads, last?.tree);
  for (const { bytes, events } of eventPages(database, 'sealed', last?.size)) {
    expectWanted(wish);
    for (const event of events) {
      if (!heads.has(event.stream)) {
        const before = headOf.get(event.stream) as StreamHead | undefined;
        if (before && before.revision >= 0) heads.set(event.stream, before);
      }
      check.addBytes(event, bytes);
    }
  }
  return setHeads(database, heads, check, size);
}

function setHeads(
  database: DatabaseSyncInstance,
  heads: ReadonlyMap<string, StreamHead>,
  check: LogCheck,
  size: number,
): LogCheck {
  const setHead = database.prepare('update main.streams set revision = ?, hash = ? where name = ?');
  for (const [stream, { revision, hash }] of heads) setHead.run(revision, hash, stream);
  if (check.tree.size !== size) throw new StartRefused('the copy of the log is not whole');
  return check;
}

export function* eventsIn(database: DatabaseSyncInstance, after: number) {
  const rows = database.prepare(
    `select name, events.revision, events.id, type, data, meta from main.events join main.streams on main.streams.id = stream
     where position > ? order by position`,
  );
  rows.setReturnArrays(true);
  for (const row of rows.iterate(after) as Iterable<Row>) {
    const [stream, revision, id, type, data, meta] = row;
    yield { stream, revision, id, type, data, meta };
  }
}

/** Rows may have come, gone or changed; each is sealed anew with every change, so that its bytes tell. */
function copyVault(database: DatabaseSyncInstance, cipher: VaultCipher | undefined): void {
  database.exec(`
    delete from main.vault where not exists (
      select 1 from log.vault as live where live.kind = vault.kind and live.id = vault.id and live.value = vault.value
        and live.version = vault.version
        and live.dueAt is vault.dueAt and live.expiresAt is vault.expiresAt
    );
  `);
  const broken = cipher && brokenSeal(database, cipher, NEW_ROWS);
  if (broken !== undefined) throw new StartRefused(`${broken}: nothing was backed up`);
  database.exec('insert or ignore into main.vault select kind, id, version, value, dueAt, expiresAt from log.vault');
}

const NEW_ROWS = `select kind, id, version, value from log.vault as live
  where not exists (select 1 from main.vault as kept where kept.kind = live.kind and kept.id = live.id)`;

function expectWhole(database: DatabaseSyncInstance, dataDir: string): void {
  // No chain tells what is gone from an end of a table; its indexes do.
  const lost = damageIn(database, 'integrity_check', 'log');
  if (lost !== undefined) throw damagedLog(dataDir, lost);
  const why = damageIn(database, 'quick_check');
  if (why !== undefined) throw new StartRefused(`the copy is damaged: ${why}`);
}

/**
 * Those that the installation made for itself; configured ones are the operator's own to keep. What does not open this log never takes the
 * place of what is there: it may be all that does.
 */
function copySecrets(dataDir: string, directory: string, about: LogAbout): void {
  if (!existsSync(secretsPath(dataDir))) return;
  const secrets = readFileSync(secretsPath(dataDir));
  const target = secretsPath(directory);
  if (existsSync(target) && (readFileSync(target).equals(secrets) || !areKeyOf(about, secrets))) return;
  replaceFileSync(target, secrets);
}

function areKeyOf(about: LogAbout, secrets: Buffer): boolean {
  const cipher = cipherIn(secrets);
  return cipher !== undefined && opens(cipher, about);
}

function cipherIn(secrets: Buffer): VaultCipher | undefined {
  try {
    return vaultCipher(keyIn(secrets));
  } catch {
    return undefined; // damaged ones are no key
  }
}

/** Undefined where the key is not at hand: a backup needs none. Throws StartRefused where it opens the vault alone. */
function cipherOf(database: DatabaseSyncInstance, { secretsKey, dataDir }: BackupWish, about: LogAbout) {
  const path = secretsPath(dataDir);
  const generated = () => (existsSync(path) ? cipherIn(readFileSync(path)) : undefined);
  const cipher = secretsKey ? vaultCipher(secretsKey) : generated();
  if (!cipher || opens(cipher, about)) return cipher;
  const first = 'select kind, id, version, value from log.vault limit 1';
  if (!database.prepare(first).get() || brokenSeal(database, cipher, first) !== undefined) return undefined;
  throw damagedLog(dataDir, 'it does not say which log it is');
}
