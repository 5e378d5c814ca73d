import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { LogBroken, LogCheck } from '../../../kernel/proof/log-check.js';
import { messageOf } from '../../../kernel/values/message-of.js';
import type { VaultCipher } from '../../vault-cipher.js';
import { VaultSealBroken } from '../../vault-cipher.js';
import { isSpoilt, openOwnFile, refuseForDisk } from '../own-file.js';
import { eventPages } from './event-pages.js';
import { damagedLog, expectNothingElse, logFilePath } from './log-before.js';

/** What is wrong with the pages of a file; undefined where nothing is. The long check holds indexes to their tables as well. */
export function damageIn(
  database: DatabaseSyncInstance,
  check: 'quick_check' | 'integrity_check',
  schema: 'main' | 'log' = 'main',
): string | undefined {
  const statement = database.prepare(`pragma ${schema}.${check}(1)`);
  statement.setReturnArrays(true);
  const [found] = statement.all() as unknown as readonly (readonly [string])[];
  // What it says first, before the end of the line, is of which database.
  return found?.[0] === 'ok' ? undefined : String(found?.[0]).split('\n').at(-1);
}

const ALL_ROWS = 'select kind, id, version, value from main.vault';

/** Why a row of the vault is not one that its key has sealed; undefined where each is. */
export function brokenSeal(
  database: DatabaseSyncInstance,
  cipher: VaultCipher,
  rows: string = ALL_ROWS,
): string | undefined {
  const statement = database.prepare(rows);
  statement.setReturnArrays(true);
  type Cells = readonly [kind: string, id: string, version: number, value: Uint8Array];
  try {
    for (const [kind, id, version, value] of statement.iterate() as unknown as Iterable<Cells>)
      cipher.open({ kind, id, version }, value);
    return undefined;
  } catch (error) {
    if (error instanceof VaultSealBroken) return error.message;
    throw error;
  }
}

/** Throws StartRefused where the log in a data folder cannot be read; the first look is at its tables alone. */
export function expectReadable(dataDir: string, look: 'at its tables' | 'at all'): void {
  reading(dataDir, (database) => {
    expectNothingElse(database, dataDir);
    const why = look === 'at all' ? damageIn(database, 'quick_check') : undefined;
    if (why !== undefined) throw damagedLog(dataDir, why);
  });
}

/** Goes through all that lies in a log, the vault opened with its key; throws StartRefused at the first damage. */
export function expectSound(dataDir: string, cipher: VaultCipher): void {
  reading(dataDir, (database) => {
    const why = brokenChain(database) ?? brokenSeal(database, cipher) ?? damageIn(database, 'integrity_check');
    if (why !== undefined) throw damagedLog(dataDir, why);
  });
}

/** Goes through every event from the first on; throws LogBroken at one that does not continue its chain. */
export function chainOf(database: DatabaseSyncInstance): LogCheck {
  const check = new LogCheck();
  for (const { bytes, events } of eventPages(database, 'sealed')) {
    for (const event of events) check.addBytes(event, bytes);
  }
  return check;
}

function brokenChain(database: DatabaseSyncInstance): string | undefined {
  try {
    chainOf(database);
    return undefined;
  } catch (error) {
    if (error instanceof LogBroken) return error.message;
    throw error;
  }
}

/** All of one moment, beside whoever writes. */
function reading(dataDir: string, look: (database: DatabaseSyncInstance) => void): void {
  const database = openOwnFile(logFilePath(dataDir), { readOnly: true });
  try {
    database.exec('pragma busy_timeout = 5000; begin');
    look(database);
  } catch (cause) {
    if (isSpoilt(cause)) throw damagedLog(dataDir, messageOf(cause));
    refuseForDisk(cause, dataDir);
    throw cause;
  } finally {
    if (database.isOpen) database.close();
  }
}
