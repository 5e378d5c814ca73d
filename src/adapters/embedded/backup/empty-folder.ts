import { readdirSync } from 'node:fs';
import { StartRefused } from '../../../ports/start-refused.js';

/** The file that becomes `events.db` in its last step; whatever was broken off may have left it. */
export const UNFINISHED = 'events.db.restoring';
const HARMLESS: ReadonlySet<string> = new Set(['lock.db', 'lock.db-journal', 'service.pid', 'secrets.json']);

export function expectEmptyFolder(dataDir: string, what: string): void {
  const found = readdirSync(dataDir).filter((name) => !HARMLESS.has(name) && !name.startsWith(UNFINISHED));
  if (found.length > 0) {
    throw new StartRefused(`DATA_DIR ${dataDir} is not empty (${found[0] ?? ''}): ${what} needs an empty folder`);
  }
}
