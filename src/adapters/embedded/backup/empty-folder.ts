import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '../../../ports/start-refused.js';
import { flushFileSync, putInPlaceSync, replaceFileSync } from '../../../kernel/files/lasting.js';
import { logFilePath, UNFINISHED } from '../log/log-before.js';

/** What a disk that is mounted there begins with, and what npm keeps in the home of whoever runs it, which may be the same folder. */
const OF_OTHERS = ['lost+found', '.npm'];
const HARMLESS: ReadonlySet<string> = new Set(['lock.db', 'lock.db-journal', 'service.pid', ...OF_OTHERS]);
/** Secrets are replaced; making or replacing them may have been broken off. */
const isHarmless = (name: string): boolean =>
  HARMLESS.has(name) || name.startsWith('secrets.json') || name.startsWith(UNFINISHED);

export function expectEmptyFolder(dataDir: string, what: string): void {
  const found = readdirSync(dataDir).find((name) => !isHarmless(name));
  if (found === undefined) return;
  throw new StartRefused(`DATA_DIR ${dataDir} is not empty (${found}): ${what} needs an empty folder`);
}

export const unfinishedPath = (dataDir: string): string => join(dataDir, UNFINISHED);

/** The last step of a restore, or of a move to here: from then on there is a log. */
export function putLogInPlace(dataDir: string): void {
  flushFileSync(unfinishedPath(dataDir));
  putInPlaceSync(unfinishedPath(dataDir), logFilePath(dataDir));
}

/**
 * Begins what becomes the log, in place of what one that was broken off left. Its name lies on the disk before anything else is written,
 * and is there until the last step: whenever the power goes, no start takes the folder for one that is empty.
 */
export function beginUnfinished(dataDir: string): void {
  replaceFileSync(unfinishedPath(dataDir), '');
  removeBeside(dataDir);
}

/** Removes what a restore or a move left that came to nothing. */
export function removeUnfinished(dataDir: string): void {
  rmSync(unfinishedPath(dataDir), { force: true });
  removeBeside(dataDir);
}

function removeBeside(dataDir: string): void {
  for (const suffix of ['-journal', '-wal', '-shm']) rmSync(unfinishedPath(dataDir) + suffix, { force: true });
}
