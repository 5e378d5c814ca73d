import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { StoredEvent } from '../../ports/event-store.js';
import { NO_STREAM, RevisionConflict } from '../../ports/event-store.js';
import { StartRefused } from '../../ports/start-refused.js';
import type { Connection } from './connection.js';
import { throughOutage } from './outage.js';

/** Its first event's id names the log; types that begin like the server's own keep it out of reads. */
export const IDENTITY_STREAM = 'log-identity';
export const IDENTITY_TYPE = '$log-identified';
/** Data of the first event where a move brings the log. */
export const MOVE_BEGUN = '{"moving":true}';
export const MOVE_ENDED = '$log-moved-here';
export const MOVED_AWAY = '$log-moved-away';

const FEW = 10;

/** What this release writes and reads. Any event of the identity's stream may say a newer one; those without a number are of the first. */
const FORMAT = 1;
const formatted = z.object({ format: z.int() }).partial();

/** Throws StartRefused where a newer release wrote the log. */
export function expectFormat(found: readonly Pick<StoredEvent, 'data'>[]): void {
  const format = Math.max(FORMAT, ...found.map(({ data }) => formatted.parse(JSON.parse(data)).format ?? FORMAT));
  if (format === FORMAT) return;
  throw new StartRefused(
    `the log of EVENTSTORE_URL has format ${String(format)}, and this release knows ${String(FORMAT)}: a newer release wrote it`,
  );
}

const read = (connection: Connection) =>
  throughOutage((signal) => connection.readStream(IDENTITY_STREAM, undefined, 'forward', FEW, signal));

/** Undefined where there is no log. Throws StartRefused where a move was broken off, or took the log away. */
export async function logIdOf(connection: Connection): Promise<string | undefined> {
  const found = await read(connection);
  const [first] = found;
  expectFormat(found);
  if (found.at(-1)?.type === MOVED_AWAY) {
    throw new StartRefused('the log of EVENTSTORE_URL was moved away: it is not used any more');
  }
  if (first?.data === MOVE_BEGUN && found.length === 1) {
    throw new StartRefused('the move to EVENTSTORE_URL was broken off: repeat it');
  }
  return first?.id;
}

/** The log's id, given to a log that has none. */
export async function identify(connection: Connection): Promise<string> {
  const known = await logIdOf(connection);
  if (known !== undefined) return known;
  const identity = { id: randomUUID(), type: IDENTITY_TYPE, data: JSON.stringify({ format: FORMAT }), meta: '{}' };
  try {
    await throughOutage((signal) => connection.append(IDENTITY_STREAM, NO_STREAM, [identity], signal));
  } catch (error) {
    // Another process named it at the same moment.
    if (!(error instanceof RevisionConflict)) throw error;
  }
  const winner = await logIdOf(connection);
  if (winner === undefined) throw new Error(`${IDENTITY_STREAM} cannot be read back`);
  return winner;
}
