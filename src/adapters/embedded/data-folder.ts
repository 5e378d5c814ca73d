import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/** Another process, or another part of this one, works in the data folder. */
export class DataFolderBusy extends Error {
  constructor(folder: string) {
    super(`the data folder ${folder} is in use by another process`);
    this.name = 'DataFolderBusy';
  }
}

const BUSY = 5;

/**
 * Takes the folder for this process. The lock is one that the operating system holds on `lock.db`, so that it ends with the
 * process however that ends. (Never open that file otherwise: closing it would give up the lock.)
 */
export function lockDataFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(folder, 'lock.db'));
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    throw (error as { errcode?: number }).errcode === BUSY ? new DataFolderBusy(folder) : error;
  }
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}
