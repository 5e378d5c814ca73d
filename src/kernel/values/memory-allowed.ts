import { totalmem } from 'node:os';

const MEGABYTE = 1024 * 1024;
const LEAST = 256;
const MOST = 640;
const SHARE_OF_MACHINE = 10;

/** What this process may take where nobody says: a tenth of the machine's memory, or of what it is given of that, within bounds; in megabytes. */
export function memoryAllowed(): number {
  const allowed = process.constrainedMemory();
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return Math.min(MOST, Math.max(LEAST, Math.floor(memory / SHARE_OF_MACHINE / MEGABYTE)));
}

const SHARE_OF_UNTAKEN = 4;

/** How many bytes of it answers may take that clients have not taken yet. */
export const untakenAllowed = (megabytes: number = memoryAllowed()): number =>
  Math.floor((megabytes * MEGABYTE) / SHARE_OF_UNTAKEN);
