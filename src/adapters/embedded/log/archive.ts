import { Readable } from 'node:stream';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { LogArchive } from '../../../ports/log-archive.js';
import { StartRefused } from '../../../ports/start-refused.js';
import { vaultCipher } from '../../vault-cipher.js';
import { eventPages } from './event-pages.js';
import { openOwnFile } from '../own-file.js';
import { expectFormat, identify } from './file.js';
import { expectNothingElse, lacksLog, logFilePath } from './log-before.js';
import type { EventRow } from './protocol.js';
import { storedEvent } from './stored-event.js';
import { messageOf } from '../../../kernel/values/message-of.js';

/** Reads `events.db` beside the service that writes it, or without one. Nothing of it is changed, and the vault stays sealed. */
export function openEmbeddedArchive(dataDir: string): LogArchive {
  const path = logFilePath(dataDir);
  if (lacksLog(dataDir)) throw new StartRefused(`there is no log in the data folder ${dataDir}`);
  const database = openToRead(path, { returnArrays: true });
  expectNothingElse(database, path);
  expectFormat(database, dataDir);
  database.exec('pragma busy_timeout = 5000');
  const [logId] = database.prepare('select logId from about').get() as unknown as readonly [string];
  const ofStream = database.prepare(
    `select position, name, revision, events.id, type, data, meta from events join streams on streams.id = stream where name = ? order by revision`,
  );
  return {
    logId,
    sealed: () => Readable.from(eventPages(database, 'sealed')),
    lines: () => Readable.from(eventPages(database, 'line')),
    stream: (name) => Promise.resolve((ofStream.all(name) as unknown as readonly EventRow[]).map(storedEvent)),
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}

/** Also what is only read needs a file beside it, which a file system that is read-only does not take. */
function openToRead(path: string, options: { readonly returnArrays?: boolean } = {}): DatabaseSyncInstance {
  const database = openOwnFile(path, { ...options, readOnly: true });
  try {
    database.exec('pragma user_version');
    return database;
  } catch (cause) {
    database.close();
    const why = messageOf(cause);
    throw new StartRefused(`${path} cannot be read where it lies: ${why}`, { cause });
  }
}

/** Throws StartRefused where the key is not the one that the log began with. */
export function expectKey(dataDir: string, secretsKey: Uint8Array): void {
  const database = openToRead(logFilePath(dataDir));
  try {
    identify(database, vaultCipher(secretsKey));
  } finally {
    database.close();
  }
}
