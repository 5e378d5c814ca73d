import { z } from 'zod';
import { StartRefused } from '../../ports/start-refused.js';
import type { Vault } from '../../ports/vault.js';
import { movedParts } from './moved-folder.js';

/** Kind and id of its row. */
export const NOTED_LOG = ['log-check', 'server'] as const;

/** The log on a server whose vault lies here. It counts while the folder's own id is the same: a move or a restore begins anew. */
const noted = z.object({ folderId: z.string(), logId: z.string() });

/** Undefined where the note is of a folder of before. */
export function followedLog(value: unknown, folderId: string): string | undefined {
  const known = noted.parse(value);
  return known.folderId === folderId ? known.logId : undefined;
}

/** Refuses a log that is not the one whose vault lies in the data folder: it would know nothing of what the vault is about. */
export async function expectServerLog(dataDir: string, vault: Vault, folderId: string, logId: string): Promise<void> {
  const row = await vault.get(...NOTED_LOG);
  const known = movedParts(dataDir).has('EVENTSTORE_URL') ? folderId : row && followedLog(row.value, folderId);
  if (known === undefined) {
    const [kind, id] = NOTED_LOG;
    await vault.write([{ kind, id, value: { folderId, logId }, expected: 'any' }]);
    return;
  }
  if (known === logId) return;
  const said = `the vault of DATA_DIR is of the log ${known}, and that of EVENTSTORE_URL is ${logId}`;
  throw new StartRefused(`EVENTSTORE_URL leads to another log than DATA_DIR: ${said}`);
}
