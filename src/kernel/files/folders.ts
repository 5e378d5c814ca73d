import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { flushFolderSync } from './lasting.js';

/**
 * Makes a folder for nobody else, with those above it that are missing, so that a power cut does not take it away again. They are made one
 * by one: where none can be made, as below /proc, making them all in one call tries again for ever.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) make(folder);
  // What is there may be a file.
  if (missing.length === 0) mkdirSync(path, { recursive: true });
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Where it is there now, somebody else was faster.
    if (!existsSync(folder)) throw new Error(`${folder} is a link to what is not there`);
  }
  flushFolderSync(dirname(folder));
}
