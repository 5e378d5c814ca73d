import { chmodSync, closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { chmod, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * What is there after a power cut: the bytes of a file once that file was flushed, and its name once its folder was. A disk may take its
 * time for either, so what serves requests meanwhile waits beside the event loop; commands and threads of their own have it done at once.
 */

export function flushFileSync(path: string, flags = 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** How systems say that a folder is not opened or flushed there: it can be made no safer. */
const NOT_POSSIBLE: ReadonlySet<string> = new Set(['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

function expectNotPossible(error: unknown): void {
  if (!NOT_POSSIBLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

/** What was made, renamed or removed in a folder stays so. */
export async function flushFolder(folder: string): Promise<void> {
  try {
    const opened = await open(folder, 'r');
    await opened.sync().finally(() => opened.close());
  } catch (error) {
    expectNotPossible(error);
  }
}

export function flushFolderSync(folder: string): void {
  try {
    flushFileSync(folder, 'r');
  } catch (error) {
    expectNotPossible(error);
  }
}

/** Gives a file whose bytes were flushed its last name, in the same folder. */
export async function putInPlace(flushed: string, path: string): Promise<void> {
  await rename(flushed, path);
  await flushFolder(dirname(path));
}

export function putInPlaceSync(flushed: string, path: string): void {
  renameSync(flushed, path);
  flushFolderSync(dirname(path));
}

const partOf = (path: string): string => `${path}.partial`;
const OWNERS = 0o600;

/** Whole or not at all, however the process or the power ends, and for its owner alone. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const partial = partOf(path);
  await writeFile(partial, content, { mode: OWNERS, flush: true });
  // One that was left by another keeps its mode.
  await chmod(partial, OWNERS);
  await putInPlace(partial, path);
}

export function replaceFileSync(path: string, content: string | Uint8Array): void {
  const partial = partOf(path);
  writeFileSync(partial, content, { mode: OWNERS, flush: true });
  chmodSync(partial, OWNERS);
  putInPlaceSync(partial, path);
}
