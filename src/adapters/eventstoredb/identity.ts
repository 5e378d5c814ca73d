import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { StoredEvent } from '../../ports/event-store.js';
import { NO_STREAM, RevisionConflict } from '../../ports/event-store.js';
import { StartRefused } from '../../ports/start-refused.js';
import { expectKnownFormat, LOG_FORMAT } from '../log-format.js';
import type { Connection } from './connection.js';
import { throughOutage } from './outage.js';

/** Its first event's id names the log; types that begin like the server's own keep it out of reads. */
export const IDENTITY_STREAM = 'log-identity';
export const IDENTITY_TYPE = '$log-identified';
/** Data of the first event where a move brings the log. */
export const MOVE_BEGUN = '{"moving":true}';
export const MOVE_ENDED = '$log-moved-here';
export const MOVED_AWAY = '$log-moved-away';

const FORMAT_RAISED = '$log-format-raised';
/** Data of an event that says what this release writes. */
export const FORMAT_NOTE = JSON.stringify({ format: LOG_FORMAT });

/** More than the stream ever holds: what a move leaves, and one for each release that raised the format. */
export const IDENTITY_EVENTS = 1_000;
const TRIES = 5;

const formatted = z.object({ format: z.int() }).partial();

/** Any event of the identity's stream may name one; the greatest counts. */
const formatIn = (found: readonly Pick<StoredEvent, 'data'>[]): number =>
  Math.max(0, ...found.map(({ data }) => formatted.parse(JSON.parse(data)).format ?? 0));

/** Throws StartRefused where a newer release wrote the log. */
export function expectFormat(found: readonly Pick<StoredEvent, 'data'>[]): void {
  expectKnownFormat('the log of EVENTSTORE_URL', formatIn(found));
}

const read = (connection: Connection) =>
  throughOutage((signal) => connection.readStream(IDENTITY_STREAM, undefined, 'forward', IDENTITY_EVENTS, signal));

/** What the stream holds. Throws StartRefused where a move was broken off, or took the log away. */
async function readUsable(connection: Connection): Promise<readonly StoredEvent[]> {
  const found = await read(connection);
  expectFormat(found);
  if (found.at(-1)?.type === MOVED_AWAY) {
    throw new StartRefused('the log of EVENTSTORE_URL was moved away: it is not used any more');
  }
  if (found[0]?.data === MOVE_BEGUN && found.length === 1) {
    throw new StartRefused('the move to EVENTSTORE_URL was broken off: repeat it');
  }
  return found;
}

/** Undefined where there is no log. Throws StartRefused where it cannot be used. */
export const logIdOf = async (connection: Connection): Promise<string | undefined> =>
  (await readUsable(connection))[0]?.id;

export const noLog = (): StartRefused => new StartRefused('the event store at EVENTSTORE_URL holds no log');

/** Throws StartRefused also where there is none. */
export async function expectLogId(connection: Connection): Promise<string> {
  const logId = await logIdOf(connection);
  if (logId === undefined) throw noLog();
  return logId;
}

/** The log's id, given to a log that has none. From here on the log says that this release writes it. */
export async function identify(connection: Connection): Promise<string> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await readUsable(connection);
    const [first] = found;
    if (first && formatIn(found) === LOG_FORMAT) return first.id;
    const type = first ? FORMAT_RAISED : IDENTITY_TYPE;
    const event = { id: randomUUID(), type, data: FORMAT_NOTE, meta: '{}' };
    try {
      await throughOutage((signal) =>
        connection.append(IDENTITY_STREAM, found.at(-1)?.revision ?? NO_STREAM, [event], signal),
      );
    } catch (error) {
      // Another process did it at the same moment.
      if (!(error instanceof RevisionConflict)) throw error;
    }
  }
  throw new Error(`${IDENTITY_STREAM} cannot be read back`);
}
