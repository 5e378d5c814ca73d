import { StartRefused } from '../../ports/start-refused.js';
import { isDuplicate } from './away.js';
import type { Connection } from './connection.js';
import { maxTimeMS } from './connection.js';

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
  const checks = connection.collection<LogCheck>('vault_key');
  for (;;) {
    const known = await connection.read(() => checks.findOne({ _id: 'log' }, { maxTimeMS }));
    if (known?.logId === logId) return;
    if (known) {
      const said = `the vault of MONGODB_URL is of the log ${known.logId}, and that of ${place} is ${logId}`;
      throw new StartRefused(`${place} leads to another log than MONGODB_URL: ${said}`);
    }
    try {
      await connection.write(() => checks.insertOne({ _id: 'log', logId }));
    } catch (error) {
      // Another process was faster: its log counts.
      if (!isDuplicate(error)) throw error;
    }
  }
}
