import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  excludeSystemEvents,
  FORWARDS,
  jsonEvent,
  NO_STREAM as NONE,
  START as FIRST,
  type AllStreamSubscription,
  type JSONType,
  type ReadRevision,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import { NO_STREAM, RevisionConflict, START } from '../../ports/event-store.js';
import type { Appended, NewEvent, Position, StoredEvent } from '../../ports/event-store.js';
import type { ClientError } from './outage.js';
import { toLogPosition, toPosition } from './positions.js';
import { SendWindow } from './send-window.js';

export type Direction = 'forward' | 'backward';
/** The most events of a subscription that are held ready, and so the longest batch. */
const HELD_READY = 500;

const CLOSING_PATIENCE = 3_000;

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
    this.appends = EventStoreDBClient.connectionString(url);
    this.reads = EventStoreDBClient.connectionString(url);
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
        if ((error as ClientError).type !== 'wrong-expected-version') throw error;
        throw new RevisionConflict(stream, expectedRevision);
      }
    });
  }

  /** From a revision on (included); a stream that does not live is empty. */
  async readStream(
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
    try {
      return await collect(reading, signal);
    } catch (error) {
      const { type } = error as ClientError;
      if (type === 'stream-not-found' || type === 'stream-deleted') return [];
      throw error;
    }
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
   * Everything after a position but the system's events, as it comes, in batches of what has arrived; ends only by throwing. `onScan` tells that the
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
        filter: excludeSystemEvents({ checkpointReached: onScan }),
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
    data: JSON.stringify(event.data),
    meta: JSON.stringify(event.metadata ?? {}),
    stream: event.streamId,
    revision: Number(event.revision),
    position: toPosition(event.position),
  };
}
