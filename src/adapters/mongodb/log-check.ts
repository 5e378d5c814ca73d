import { StartRefused } from '../../ports/start-refused.js';
import type { Connection } from './connection.js';
import { firstNoted } from './first-noted.js';

/** The log whose vault it is. */
interface LogCheck {
  readonly _id: 'log';
  readonly logId: string;
}

/**
 * Throws StartRefused for a log other than the one that the vault was first used with: a process that an address leads elsewhere knows nothing of
 * what the others have recorded, and its read models are not theirs.
 */
export async function expectLog(connection: Connection, logId: string, place: string): Promise<void> {
  const known = await firstNoted<LogCheck>(connection, 'log', () => Promise.resolve({ logId }));
  if (known.logId === logId) return;
  const said = `the vault of MONGODB_URL is of the log ${known.logId}, and that of ${place} is ${logId}`;
  throw new StartRefused(`${place} leads to another log than MONGODB_URL: ${said}`);
}
