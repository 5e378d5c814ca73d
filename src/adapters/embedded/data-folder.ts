import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '../../ports/start-refused.js';
import { makeFolder } from '../../kernel/files/folders.js';
import { isSpoilt, openOwnFile, refuseForDisk, unusable } from './own-file.js';

/** Another process, or another part of this one, works in the data folder. */
export class DataFolderBusy extends StartRefused {
  constructor(folder: string, owner: string | undefined) {
    super(`the data folder ${folder} is in use by another process${owner === undefined ? '' : ` (${owner})`}`);
  }
}

const BUSY = 5;
const OWNER_FILE = 'service.pid';
const lockPath = (folder: string): string => join(folder, 'lock.db');

/**
 * Takes the folder for this process. The lock is one that the operating system holds on `lock.db`, so that it ends with the
 * process however that ends. (Never open that file otherwise: closing it would give up the lock.)
 */
export function lockDataFolder(folder: string): { release(): void } {
  const database = openLock(folder);
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (isSpoilt(error)) throw unusable(`${lockPath(folder)} is no lock: remove it while nothing runs on the folder`);
    refuseForDisk(error, folder);
    throw (error as { errcode?: number }).errcode === BUSY ? new DataFolderBusy(folder, ownerOf(folder)) : error;
  }
  noteOwner(folder, database);
  return {
    release() {
      if (!database.isOpen) return;
      rmSync(join(folder, OWNER_FILE), { force: true });
      database.close();
    },
  };
}

/** Leaves its number for who finds the folder taken; it says nothing where the lock is free. */
function noteOwner(folder: string, lock: ReturnType<typeof openLock>): void {
  try {
    writeFileSync(join(folder, OWNER_FILE), String(process.pid), { mode: 0o600 });
  } catch (cause) {
    lock.close();
    refuseForDisk(cause, folder);
    throw unusable(cause);
  }
}

function ownerOf(folder: string): string | undefined {
  try {
    return `process ${/^\d+$/.exec(readFileSync(join(folder, OWNER_FILE), 'utf8'))?.[0] ?? 'unknown'}`;
  } catch {
    return undefined;
  }
}

function openLock(folder: string) {
  try {
    makeFolder(folder);
  } catch (cause) {
    refuseForDisk(cause, folder);
    throw unusable(cause);
  }
  return openOwnFile(lockPath(folder));
}
