import { z } from 'zod';
import { StartRefused } from '../../ports/start-refused.js';
import type { Vault } from '../../ports/vault.js';

const ROW = ['log-check', 'server'] as const;

/** The log on a server whose vault lies here. It counts while the folder's own id is the same: a move or a restore begins anew. */
const noted = z.object({ folderId: z.string(), logId: z.string() });

/** Refuses a log that is not the one whose vault lies in the data folder: it would know nothing of what the vault is about. */
export async function expectServerLog(vault: Vault, folderId: string, logId: string): Promise<void> {
  const row = await vault.get(...ROW);
  const known = row && noted.parse(row.value);
  if (known?.folderId !== folderId) {
    await vault.write([{ kind: ROW[0], id: ROW[1], value: { folderId, logId }, expected: 'any' }]);
    return;
  }
  if (known.logId === logId) return;
  const said = `the vault of DATA_DIR is of the log ${known.logId}, and that of EVENTSTORE_URL is ${logId}`;
  throw new StartRefused(`EVENTSTORE_URL leads to another log than DATA_DIR: ${said}`);
}
