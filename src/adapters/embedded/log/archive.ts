import { Readable } from 'node:stream';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { BytesPage, LogArchive } from '../../../ports/log-archive.js';
import { StartRefused } from '../../../ports/start-refused.js';
import { vaultCipher } from '../../vault-cipher.js';
import { eventPages } from './event-pages.js';
import { expectNotMoved } from '../moved-folder.js';
import { isSpoilt, openOwnFile, refuseForDisk } from '../own-file.js';
import { aboutLog, expectFormat, identify } from './file.js';
import { damagedLog, expectNothingElse, lacksLog, logFilePath } from './log-before.js';
import type { EventRow } from './protocol.js';
import { storedEvent } from './stored-event.js';
import { messageOf } from '../../../kernel/values/message-of.js';

/** Reads `events.db` beside the service that writes it, or without one. Nothing of it is changed, and the vault stays sealed. */
export function openEmbeddedArchive(dataDir: string): LogArchive {
  if (lacksLog(dataDir)) throw new StartRefused(`there is no log in the data folder ${dataDir}`);
  // The vault stays closed, wherever it lies.
  expectNotMoved(dataDir, { MONGODB_URL: true });
  const database = openToRead(dataDir, { returnArrays: true });
  expectFormat(database, dataDir);
  database.exec('pragma busy_timeout = 5000');
  const { logId } = aboutLog(database, dataDir);
  const ofStream = database.prepare(
    `select position, name, revision, events.id, type, data, meta from events join streams on streams.id = stream where name = ? order by revision`,
  );
  return {
    logId,
    sealed: () => Readable.from(told(dataDir, eventPages(database, 'sealed'))),
    lines: () => Readable.from(told(dataDir, eventPages(database, 'line'))),
    stream: (name) => Promise.resolve((ofStream.all(name) as unknown as readonly EventRow[]).map(storedEvent)),
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}

/** Says of a damaged page which file has it. */
function* told(dataDir: string, pages: Iterable<BytesPage>): Generator<BytesPage> {
  try {
    yield* pages;
  } catch (cause) {
    if (isSpoilt(cause)) throw damagedLog(dataDir, messageOf(cause));
    throw cause;
  }
}

/** Also what is only read needs a file beside it, which a file system that is read-only does not take. */
function openToRead(dataDir: string, options: { readonly returnArrays?: boolean } = {}): DatabaseSyncInstance {
  const path = logFilePath(dataDir);
  const database = openOwnFile(path, { ...options, readOnly: true });
  try {
    database.exec('pragma user_version');
    return database;
  } catch (cause) {
    database.close();
    const why = messageOf(cause);
    if (isSpoilt(cause)) throw damagedLog(dataDir, why);
    refuseForDisk(cause, dataDir);
    throw new StartRefused(`${path} cannot be read where it lies: ${why}`, { cause });
  }
}

/** Throws StartRefused where the key is not the one that the log began with. */
export function expectKey(dataDir: string, secretsKey: Uint8Array): void {
  const database = openToRead(dataDir);
  try {
    expectNothingElse(database, dataDir);
    identify(database, vaultCipher(secretsKey), dataDir);
  } finally {
    if (database.isOpen) database.close();
  }
}
