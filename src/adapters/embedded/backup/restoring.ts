import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { replaceFileSync } from '../../../kernel/files/lasting.js';
import type { LogCheck } from '../../../kernel/proof/log-check.js';
import { LogBroken } from '../../../kernel/proof/log-check.js';
import type { RestoredRow, RestoreRules, RowAfter } from '../../../ports/restore-rules.js';
import { StartRefused } from '../../../ports/start-refused.js';
import type { VaultWrite } from '../../../ports/vault.js';
import { newVersion } from '../../../ports/vault.js';
import type { VaultCipher } from '../../vault-cipher.js';
import { vaultCipher } from '../../vault-cipher.js';
import { lockDataFolder } from '../data-folder.js';
import type { LogAbout } from '../log/file.js';
import { keyCheckOf, LOG_SCHEMA, opens } from '../log/file.js';
import { positionText } from '../log/position.js';
import { brokenSeal, chainOf } from '../log/soundness.js';
import { eventsIn } from './backing-up.js';
import type { BackupFile } from './backup-file.js';
import {
  backupPath,
  copying,
  erasuresPath,
  openBackup,
  readable,
  readOnlyUri,
  keyIn,
  secretsPath,
  isVaultAsNoted,
} from './backup-file.js';
import { beginUnfinished, expectEmptyFolder, putLogInPlace, removeUnfinished, unfinishedPath } from './empty-folder.js';
import { FactsAfterCut } from './facts-after-cut.js';

interface RestoreWish {
  readonly dataDir: string;
  readonly directory: string;
  /** To be restored to; the whole backup without it. */
  readonly at: { readonly time: number } | { readonly position: number } | undefined;
  /** Undefined where the backup holds the generated one. */
  readonly secretsKey: Uint8Array | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly rules: RestoreRules;
}

interface RestoreDone {
  readonly logId: string;
  readonly size: number;
  readonly rootHash: string;
  readonly vaultRows: number;
  /** When the backup was made. */
  readonly backupAt: string;
  /** What the log says by now beyond what was backed up. */
  readonly added: FactsAfterCut['added'];
}

/** Makes a data folder from a backup; nothing counts before its last step. Throws StartRefused. */
export const restore = (wish: RestoreWish): RestoreDone =>
  copying(wish.directory, wish.dataDir, () => restoreAll(wish));

function restoreAll(wish: RestoreWish): RestoreDone {
  const { dataDir, directory } = wish;
  const lock = lockDataFolder(dataDir);
  try {
    expectEmptyFolder(dataDir, 'a restore');
    const path = unfinishedPath(dataDir);
    const backup = openBackup(directory, { create: false });
    try {
      expectNoOtherSecrets(wish);
      beginUnfinished(dataDir);
      const done = readable(directory, () => restoreTo(path, backup, wish));
      if (existsSync(secretsPath(directory)))
        replaceFileSync(secretsPath(dataDir), readFileSync(secretsPath(directory)));
      putLogInPlace(dataDir);
      return done;
    } catch (error) {
      removeUnfinished(dataDir);
      throw error;
    } finally {
      backup.database.close();
    }
  } finally {
    lock.release();
  }
}

/** Those that lie in the folder alone may be all that opens another log. */
function expectNoOtherSecrets({ dataDir, directory }: RestoreWish): void {
  const [here, there] = [secretsPath(dataDir), secretsPath(directory)];
  if (!existsSync(here) || !existsSync(there) || readFileSync(here).equals(readFileSync(there))) return;
  throw new StartRefused(`${here} is not the one of the backup, and may be the key of another log: move it elsewhere`);
}

function restoreTo(path: string, backup: BackupFile, wish: RestoreWish): RestoreDone {
  const { directory, at } = wish;
  const { about, last } = backup;
  if (!about || !last) throw new StartRefused(`the backup in ${directory} was never finished`);
  const cipher = openedBy(wish, about);
  const cut = cutAt(backup.database, at, last.size);
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -65536;');
    database.prepare('attach ? as backup').run(readOnlyUri(backupPath(directory)));
    database.exec('begin; ' + LOG_SCHEMA);
    copyLog(database, cut);
    const check = checked(database, directory);
    if (check.tree.size !== cut || (cut === last.size && check.tree.root() !== last.rootHash)) {
      throw new StartRefused(`the backup in ${directory} is damaged: its events are not those that were backed up`);
    }
    const broken = brokenSeal(database, cipher);
    if (broken !== undefined) throw new StartRefused(`the backup in ${directory} is damaged: ${broken}`);
    if (!isVaultAsNoted(backup.database, last.at)) {
      throw new StartRefused(`the backup in ${directory} is damaged: its vault is not what was backed up`);
    }
    const isListed = forgetErased(database, directory);
    const facts = new FactsAfterCut(database, check, wish.now);
    const kept = () => storedEvents(database, 0, cut);
    const lost = () => storedEvents(backup.database, cut);
    const isNewLife = at !== undefined;
    const logId = isNewLife ? randomUUID() : about.logId;
    const keyCheck = isNewLife ? keyCheckOf(cipher, logId) : about.keyCheck;
    database.prepare('insert into about values (?, ?)').run(logId, keyCheck);
    if (isNewLife) {
      const ended = { fromLogId: about.logId, size: cut, rootHash: check.tree.root() };
      facts.append(wish.rules.factsAfter(ended, kept(), lost()));
    }
    if (isNewLife || isListed) facts.append(wish.rules.erasuresAfter(kept(), rowsOf(database)));
    if (isNewLife) {
      const rowAfter = wish.rules.rowsAfter(kept(), lost());
      rewriteVault(database, cipher, rowAfter, { logId, cut, head: facts.position, now: wish.now });
      writeRows(database, cipher, wish.rules.workAfter(kept(), wish.now));
    }
    const { vaultRows } = database.prepare('select count(*) as vaultRows from main.vault').get() as {
      vaultRows: number;
    };
    const { size } = database.prepare('select count(*) as size from main.events').get() as { size: number };
    database.exec('commit');
    return { logId, size, rootHash: check.tree.root(), vaultRows, backupAt: last.at, added: facts.added };
  } finally {
    database.close();
  }
}

/** Throws where the key is not the one that sealed the backup's vault. */
function openedBy({ directory, secretsKey }: RestoreWish, about: LogAbout): VaultCipher {
  const key = secretsKey ?? generatedKey(directory);
  if (!key) throw new StartRefused('SECRETS_KEY is missing: the vault of this backup was sealed with a configured one');
  const cipher = vaultCipher(key);
  if (opens(cipher, about)) return cipher;
  throw new StartRefused('SECRETS_KEY is not the key that this backup was made with');
}

function generatedKey(directory: string): Buffer | undefined {
  const path = secretsPath(directory);
  if (!existsSync(path)) return undefined;
  try {
    return keyIn(readFileSync(path));
  } catch (cause) {
    throw new StartRefused(`${path} is damaged: bring it back from another copy, or set SECRETS_KEY`, { cause });
  }
}

/** How many events stay. */
function cutAt(database: DatabaseSyncInstance, at: RestoreWish['at'], size: number): number {
  if (at === undefined) return size;
  if ('position' in at) {
    if (at.position > size) throw new StartRefused(`the backup ends at position ${String(size)}`);
    return at.position;
  }
  const later = database
    .prepare(`select min(position) as position from events where json_extract(meta, '$.at') > ?`)
    .get(new Date(at.time).toISOString()) as { readonly position: number | null };
  return later.position === null ? size : later.position - 1;
}

function copyLog(database: DatabaseSyncInstance, cut: number): void {
  database
    .prepare('insert into main.events select * from backup.events where position <= ? order by position')
    .run(cut);
  database.exec(`
    insert into main.streams select id, name from backup.streams
      where id in (select distinct stream from main.events) order by id;
    insert into main.vault select kind, id, version, value, dueAt, expiresAt from backup.vault;
  `);
}

function checked(database: DatabaseSyncInstance, directory: string): LogCheck {
  try {
    return chainOf(database);
  } catch (cause) {
    if (!(cause instanceof LogBroken)) throw cause;
    throw new StartRefused(`the backup in ${directory} is damaged: ${cause.message}`, { cause });
  }
}

function* storedEvents(database: DatabaseSyncInstance, after: number, end = Infinity) {
  let position = after;
  for (const event of eventsIn(database, after)) {
    if (position >= end) return;
    yield { ...event, position: positionText(++position) };
  }
}

function rowsOf(database: DatabaseSyncInstance): (kind: string, id: string) => boolean {
  const find = database.prepare('select 1 from main.vault where kind = ? and id = ?');
  return (kind, id) => find.get(kind, id) !== undefined;
}

/** What was erased since the backup was made stays erased: the list lies beside it. Gives whether there is one. */
function forgetErased(database: DatabaseSyncInstance, directory: string): boolean {
  if (!existsSync(erasuresPath(directory))) return false;
  const forget = database.prepare('delete from main.vault where kind = ? and id = ?');
  // What a crash left half written stands behind the last end of a line, and is nothing.
  const lines = readFileSync(erasuresPath(directory), 'utf8').split('\n').slice(0, -1);
  for (const line of lines) {
    const erased = parsed(line);
    if (erased) forget.run(erased.kind, erased.id);
    else throw new StartRefused(`${basename(dirname(erasuresPath(directory)))}/erasures.jsonl is damaged: ${line}`);
  }
  return true;
}

function parsed(line: string): { readonly kind: string; readonly id: string } | undefined {
  try {
    return JSON.parse(line) as { readonly kind: string; readonly id: string };
  } catch {
    return undefined;
  }
}

type Cells = readonly [
  kind: string,
  id: string,
  version: number,
  value: Uint8Array,
  dueAt: number | null,
  expiresAt: number | null,
];

/** Rows that speak of what no longer happened go; those that follow the log go on from its new end. */
function rewriteVault(
  database: DatabaseSyncInstance,
  cipher: VaultCipher,
  rowAfter: RowAfter,
  {
    logId,
    cut,
    head,
    now,
  }: { readonly logId: string; readonly cut: number; readonly head: number; readonly now: number },
): void {
  const lastAt = database
    .prepare(`select json_extract(meta, '$.at') as at from main.events where position = ?`)
    .get(cut) as { readonly at: string } | undefined;
  const moment = {
    at: lastAt ? Date.parse(lastAt.at) : 0,
    now,
    logId,
    cut: positionText(cut),
    head: positionText(head),
  };
  const all = database.prepare('select kind, id, version, value, dueAt, expiresAt from main.vault');
  all.setReturnArrays(true);
  const remove = database.prepare('delete from main.vault where kind = ? and id = ?');
  const update = database.prepare('update main.vault set version = ?, value = ? where kind = ? and id = ?');
  const putOff = database.prepare('update main.vault set dueAt = ?, expiresAt = null where kind = ? and id = ?');
  for (const [kind, id, version, value] of all.all() as unknown as Cells[]) {
    const row: RestoredRow = {
      kind,
      id,
      value: () => JSON.parse(cipher.open({ kind, id, version }, value)) as unknown,
    };
    const after = rowAfter(row, moment);
    if (after === 'stays') continue;
    if (after === 'goes') remove.run(kind, id);
    else {
      const sealed = cipher.seal({ kind, id, version: version + 1 }, JSON.stringify(after.value));
      update.run(version + 1, sealed, kind, id);
      if (after.dueAt !== undefined) putOff.run(after.dueAt, kind, id);
    }
  }
}

function writeRows(database: DatabaseSyncInstance, cipher: VaultCipher, rows: readonly VaultWrite[]): void {
  const insert = database.prepare('insert or ignore into main.vault values (?, ?, ?, ?, ?, ?)');
  for (const { kind, id, value, dueAt, expiresAt } of rows) {
    const version = newVersion();
    const sealed = cipher.seal({ kind, id, version }, JSON.stringify(value));
    insert.run(kind, id, version, sealed, dueAt ?? null, expiresAt ?? null);
  }
}
