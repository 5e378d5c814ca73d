import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is there after a power cut: the bytes of a file once that file was flushed, and its name once its folder was. */

export function flushFile(path: string, flags = 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** How systems say that a folder is not opened or flushed there: it can be made no safer. */
const NOT_POSSIBLE: ReadonlySet<string> = new Set(['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

/** What was made, renamed or removed in a folder stays so. */
export function flushFolder(folder: string): void {
  try {
    flushFile(folder, 'r');
  } catch (error) {
    if (!NOT_POSSIBLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Gives a file whose bytes were flushed its last name, in the same folder. */
export function putInPlace(flushed: string, path: string): void {
  renameSync(flushed, path);
  flushFolder(dirname(path));
}

/** Whole or not at all, however the process or the power ends, and for its owner alone. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, content, { mode: 0o600, flush: true });
  putInPlace(partial, path);
}
