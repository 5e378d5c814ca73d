import { totalmem } from 'node:os';

const MEGABYTE = 1024 * 1024;
const MOST = 256 * MEGABYTE;
const SHARE = 16;

/** How much of the machine answers may take that are kept: a share of its memory, or of what this process is allowed. */
export function bytesForAnswers(): number {
  const allowed = process.constrainedMemory();
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return Math.min(MOST, Math.floor(memory / SHARE));
}
