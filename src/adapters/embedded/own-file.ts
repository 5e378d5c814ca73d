import { statSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { StartRefused } from '../../ports/start-refused.js';
import { fullDisk, isForWantOfRoom } from '../../kernel/files/disk-room.js';
import { messageOf } from '../../kernel/values/message-of.js';

type Options = ConstructorParameters<typeof DatabaseSync>[1];

export const unusable = (cause: unknown): StartRefused =>
  new StartRefused(`DATA_DIR cannot be used: ${messageOf(cause)}`, { cause });

/** SQLite's numbers for a file that is damaged, and for one that is no database. */
const SPOILT: ReadonlySet<number> = new Set([11, 26]);

const kindOf = (error: unknown): number => ((error as { readonly errcode?: number } | undefined)?.errcode ?? 0) & 0xff;

export const isSpoilt = (error: unknown): boolean => SPOILT.has(kindOf(error));

/** SQLite's numbers for a file that the disk did not let it read, write or make larger, and for a disk that is full. */
const [DISK_FAULT, FULL] = [10, 13];

/** Throws StartRefused, which names the folder, where its disk is full. */
export function refuseForFullDisk(cause: unknown, folder: string): void {
  const isFull = kindOf(cause) === FULL || isForWantOfRoom(cause);
  if (isFull) throw new StartRefused(fullDisk(folder), { cause });
}

/** The same where its disk is why something failed. */
export function refuseForDisk(cause: unknown, folder: string): void {
  refuseForFullDisk(cause, folder);
  if (kindOf(cause) === DISK_FAULT || (cause as NodeJS.ErrnoException).code === 'EIO') {
    throw new StartRefused(`${messageOf(cause)} in ${folder}: its disk has no room left, or is broken`, { cause });
  }
}

/** None where there is no such file. A folder that cannot be used is told of by whoever begins to use it. */
export function bytesOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Opens a file of the data folder; throws StartRefused, which names the file, where the system does not let it. */
export function openOwnFile(path: string, options: Options = {}): DatabaseSyncInstance {
  try {
    return new DatabaseSync(path, options);
  } catch (cause) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    throw unusable(`${path}: ${isFolder ? 'a folder lies where the service keeps a file' : messageOf(cause)}`);
  }
}
