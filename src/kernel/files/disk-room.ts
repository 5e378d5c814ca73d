import { statfsSync } from 'node:fs';

/** What the log leaves free, so that the read models have room for whatever it has taken. */
export const RESERVED_BYTES = 32 * 1024 * 1024;

/** Throws when a folder's disk has no more room than the reserve. Asked for every group of writes: it takes some millionths of a second. */
export function demandRoom(folder: string): void {
  const free = freeBytes(folder);
  if (free < RESERVED_BYTES) {
    throw new Error(`the disk is full: ${free} bytes are free, and ${RESERVED_BYTES} are kept for the read models`);
  }
}

/** Throws when a copy of so many bytes would take the room that the log and the read models need. */
export function demandRoomForCopy(folder: string, bytes: number): void {
  const free = freeBytes(folder);
  if (free < bytes + RESERVED_BYTES) {
    throw new Error(
      `the disk has no room for a copy of the read models: ${free} bytes are free, and ${bytes + RESERVED_BYTES} are needed`,
    );
  }
}

/** The system's number for a disk of which whoever writes has no share left; Node has no name for it. */
const OVER_QUOTA = -122;

/** Whether a file was refused for want of room. */
export function isForWantOfRoom(error: unknown): boolean {
  const { code, errno } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || errno === OVER_QUOTA;
}

export const fullDisk = (folder: string): string => `the disk of ${folder} is full: make room`;

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
