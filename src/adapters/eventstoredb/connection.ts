import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type {
  AllStreamSubscription,
  JSONType,
  ReadRevision,
  ResolvedEvent,
  StreamingRead,
} from '@eventstore/db-client';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  FORWARDS,
  jsonEvent,
  NO_STREAM as NONE,
  START as FIRST,
} from '@eventstore/db-client';
import { HistoryNotWhole, NO_STREAM, RevisionConflict, START } from '../../ports/event-store.js';
import type { Appended, NewEvent, Position, StoredEvent } from '../../ports/event-store.js';
import type { ClientError } from './outage.js';
import { toLogPosition, toPosition } from './positions.js';
import { SendWindow } from './send-window.js';

export type Direction = 'forward' | 'backward';
/** The most events of a subscription that are held ready, and so the longest batch: the next one is read and decoded while one is being projected. */
const HELD_READY = 500;

const CLOSING_PATIENCE = 3_000;

/** A server that says nothing for so long while it is asked is given up, and its cluster's new leader looked for. */
const KEEP_ALIVE = { keepAliveInterval: 1_500, keepAliveTimeout: 2_500 };

/** The client of an address, which may name other keep-alive times. What the library has to say about them it says on the console: it is left out. */
function newClient(named: string): EventStoreDBClient {
  // KurrentDB speaks the same protocol; the client knows the older name alone.
  const url = named.replace(/^kurrentdb(?=(?:\+discover)?:)/u, 'esdb');
  const missing = Object.entries(KEEP_ALIVE).filter(([name]) => !url.toLowerCase().includes(`${name.toLowerCase()}=`));
  const given = missing.map(([name, value]) => `${name}=${value}`);
  const address = /^[^?]*:\/\/[^/?]*$/u.test(url) ? `${url}/` : url;
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return EventStoreDBClient.connectionString([address, ...given].reduce(withOption));
  } finally {
    console.warn = warn;
  }
}

const withOption = (url: string, option: string): string => `${url}${url.includes('?') ? '&' : '?'}${option}`;

/** By these events of their metadata, or of themselves, streams lose others. */
const SHORTENING = new Set(['$metadata', '$streamDeleted']);
const METADATA_OF = '$$';
const WATCHED = String.raw`^([^$]|\$metadata$|\$streamDeleted$)`;

/** The stream that an event of the server may have shortened. */
export const shortenedBy = ({ type, stream }: StoredEvent): string | undefined =>
  SHORTENING.has(type) ? stream.replace(METADATA_OF, () => '') : undefined;

/** The server's own events, and this adapter's. */
export const isSystemEvent = (event: StoredEvent): boolean => event.type.startsWith('$');

/**
 * The client library, seen from the port: single attempts, without patience. Appends have a client of their own, because it reconnects whenever a read
 * is cancelled and an append stream that stayed behind would, on breaking, fail the appends of the new one (the library keeps the open appends of all
 * clients of a process together; so a process should open one store to append to).
 */
export class Connection {
  private readonly appends: EventStoreDBClient;
  private readonly reads: EventStoreDBClient;
  private readonly window = new SendWindow();

  constructor(url: string) {
    this.appends = newClient(url);
    this.reads = newClient(url);
  }

  append(
    stream: string,
    expectedRevision: number,
    events: readonly NewEvent[],
    signal: AbortSignal,
    onSend: () => void = () => undefined,
  ): Promise<Appended> {
    const proposed = events.map(({ id, type, data, meta }) =>
      jsonEvent({ id, type, data: JSON.parse(data) as JSONType, metadata: JSON.parse(meta) as JSONType }),
    );
    const expected = expectedRevision === NO_STREAM ? NONE : BigInt(expectedRevision);
    return this.window.send(signal, async () => {
      onSend();
      try {
        const answer = await this.appends.appendToStream(stream, proposed, {
          expectedRevision: expected,
          requiresLeader: true,
        });
        if (!answer.position) throw new Error(`EventStoreDB stored ${stream} without saying where`);
        return { revision: Number(answer.nextExpectedRevision), position: toPosition(answer.position) };
      } catch (error) {
        if ((error as ClientError).type === 'stream-deleted') throw new HistoryNotWhole(stream);
        if ((error as ClientError).type !== 'wrong-expected-version') throw error;
        throw new RevisionConflict(stream, expectedRevision);
      }
    });
  }

  /** From a revision on (included). Throws HistoryNotWhole for a stream that was deleted, so that it cannot begin anew. */
  async readStream(
    stream: string,
    from: number | undefined,
    direction: Direction,
    count: number,
    signal: AbortSignal,
  ): Promise<StoredEvent[]> {
    try {
      return await this.readLiving(stream, from, direction, count, signal);
    } catch (error) {
      const { type } = error as ClientError;
      if (type === 'stream-deleted') throw new HistoryNotWhole(stream);
      if (type !== 'stream-not-found') throw error;
      if (direction === 'forward' && (from ?? 0) === 0 && (await this.wasDeleted(stream, signal)))
        throw new HistoryNotWhole(stream);
      return [];
    }
  }

  /** A stream that was deleted softly looks as if it had never been; its metadata alone tells. */
  private async wasDeleted(stream: string, signal: AbortSignal): Promise<boolean> {
    if (stream.startsWith('$')) return false;
    try {
      const [metadata] = await this.readLiving(METADATA_OF + stream, undefined, 'backward', 1, signal);
      return metadata !== undefined && '$tb' in (JSON.parse(metadata.data) as object);
    } catch (error) {
      if ((error as ClientError).type === 'stream-not-found') return false;
      throw error;
    }
  }

  private readLiving(
    stream: string,
    from: number | undefined,
    direction: Direction,
    count: number,
    signal: AbortSignal,
  ): Promise<StoredEvent[]> {
    const edge: ReadRevision = direction === 'forward' ? FIRST : END;
    const reading = this.reads.readStream(stream, {
      fromRevision: from === undefined ? edge : BigInt(from),
      direction: direction === 'forward' ? FORWARDS : BACKWARDS,
      maxCount: count,
      requiresLeader: true,
    });
    return collect(reading, signal);
  }

  /** From a position on (included), or from the edge of the log, with the system's events. */
  readAll(
    from: Position | undefined,
    direction: Direction,
    count: number,
    signal: AbortSignal,
  ): Promise<StoredEvent[]> {
    const edge = direction === 'forward' ? FIRST : END;
    const reading = this.reads.readAll({
      fromPosition: from === undefined || from === START ? edge : toLogPosition(from),
      direction: direction === 'forward' ? FORWARDS : BACKWARDS,
      maxCount: count,
      requiresLeader: true,
    });
    return collect(reading, signal);
  }

  /**
   * Everything after a position, of the server's events those alone that shorten streams, as it comes, in batches of what has arrived; ends only by throwing. `onScan` tells that the
   * server works through events that are left out: its checkpoints can be ahead of what was handled, so they are no positions to resume from.
   */
  async *follow(
    after: Position,
    signal: AbortSignal,
    onScan: () => void,
  ): AsyncGenerator<readonly StoredEvent[], never> {
    const source = this.reads.subscribeToAll(
      {
        fromPosition: after === START ? FIRST : toLogPosition(after),
        filter: eventTypeFilter({ regex: WATCHED, checkpointReached: onScan }),
        requiresLeader: true,
      },
      { highWaterMark: HELD_READY },
    );
    const letGo = abandonOn(signal, source, () => source.unsubscribe());
    try {
      for await (const first of source as AsyncIterable<ResolvedEvent>) {
        // What came in the same packet is decoded by the next turn.
        await nextTurn();
        yield arrived(first, source);
      }
      throw new Error('the subscription ended');
    } finally {
      letGo();
      abandon(source, () => source.unsubscribe());
    }
  }

  /** Waits no longer than a call would: the library can wait for ever for a server that hung while it was asked. */
  async close(): Promise<void> {
    const disposed = Promise.all([this.appends.dispose(), this.reads.dispose()]);
    await Promise.race([disposed, pause(CLOSING_PATIENCE, undefined, { ref: false })]);
  }
}

function arrived(first: ResolvedEvent, source: AllStreamSubscription): StoredEvent[] {
  const batch = [toStored(first)];
  while (batch.length < HELD_READY) {
    const next = source.read() as ResolvedEvent | null;
    if (next === null) break;
    batch.push(toStored(next));
  }
  return batch;
}

async function collect(reading: StreamingRead<ResolvedEvent>, signal: AbortSignal): Promise<StoredEvent[]> {
  const letGo = abandonOn(signal, reading, () => reading.cancel());
  try {
    const events: StoredEvent[] = [];
    for await (const resolved of reading as AsyncIterable<ResolvedEvent>) events.push(toStored(resolved));
    return events;
  } finally {
    letGo();
  }
}

interface Source {
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): unknown;
}

function abandonOn(signal: AbortSignal, source: Source, cancel: () => Promise<void>): () => void {
  // An error that comes when nobody iterates any more must not end the process.
  source.on('error', () => undefined);
  const give = () => {
    abandon(source, cancel);
  };
  signal.addEventListener('abort', give, { once: true });
  return () => {
    signal.removeEventListener('abort', give);
  };
}

/** Cancelling alone would leave the iteration waiting, destroying alone the call open. */
function abandon(source: Source, cancel: () => Promise<void>): void {
  source.destroy();
  cancel().catch(() => undefined);
}

function toStored({ event }: ResolvedEvent): StoredEvent {
  if (!event?.position) throw new Error('EventStoreDB sent an event without its position');
  return {
    id: event.id,
    type: event.type,
    // Written out only for those who look.
    get data() {
      return JSON.stringify(event.data);
    },
    get meta() {
      return JSON.stringify(event.metadata ?? {});
    },
    stream: event.streamId,
    revision: Number(event.revision),
    position: toPosition(event.position),
  };
}
