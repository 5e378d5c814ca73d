import { EventStoreDBClient } from '@eventstore/db-client';
import { waitAtMost } from '../../kernel/values/pause.js';
import { HistoryNotWhole } from '../../ports/event-store.js';
import type { Appended, NewEvent, Position, StoredEvent } from '../../ports/event-store.js';
import { Appends } from './appends.js';
import type { ClientError } from './outage.js';
import { Calls } from './protocol/calls.js';
import type { Direction } from './protocol/requests.js';
import { logRequest, streamRequest, subscribeRequest } from './protocol/requests.js';
import { collected, followed } from './reading.js';
import { SendWindow } from './send-window.js';

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
 * The server, seen from the port: single attempts, without patience. Appends have a connection of their own: what goes wrong with a read never breaks
 * the call that all appends share.
 */
export class Connection {
  private readonly appendCalls: Calls;
  private readonly readCalls: Calls;
  private readonly appends: Appends;
  private readonly window = new SendWindow();

  constructor(url: string) {
    const connectAnew = () => {
      // Both at once: what one of them holds on to, the library gives to the other again.
      void Promise.allSettled([this.appendCalls.letGo(), this.readCalls.letGo()]);
    };
    this.appendCalls = new Calls(newClient(url), connectAnew);
    this.readCalls = new Calls(newClient(url), connectAnew);
    this.appends = new Appends(this.appendCalls);
  }

  append(
    stream: string,
    expectedRevision: number,
    events: readonly NewEvent[],
    signal: AbortSignal,
    onSend: () => void = () => undefined,
  ): Promise<Appended> {
    return this.window.send(signal, () => {
      onSend();
      return this.appends.append(stream, expectedRevision, events);
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
      const found = await this.readLiving(stream, from, direction, count, signal);
      if (found) return found;
    } catch (error) {
      if ((error as ClientError).type === 'stream-deleted') throw new HistoryNotWhole(stream);
      throw error;
    }
    if (direction === 'forward' && (from ?? 0) === 0 && (await this.wasDeleted(stream, signal)))
      throw new HistoryNotWhole(stream);
    return [];
  }

  /** A stream that was deleted softly looks as if it had never been; its metadata alone tells. */
  private async wasDeleted(stream: string, signal: AbortSignal): Promise<boolean> {
    if (stream.startsWith('$')) return false;
    const [metadata] = (await this.readLiving(METADATA_OF + stream, undefined, 'backward', 1, signal)) ?? [];
    return metadata !== undefined && '$tb' in (JSON.parse(metadata.data) as object);
  }

  /** Undefined where the server knows no such stream. */
  private readLiving(
    stream: string,
    from: number | undefined,
    direction: Direction,
    count: number,
    signal: AbortSignal,
  ): Promise<StoredEvent[] | undefined> {
    return collected(this.readCalls.reading(streamRequest(stream, from, direction, count)), signal);
  }

  /** From a position on (included), or from the edge of the log, with the system's events. */
  async readAll(
    from: Position | undefined,
    direction: Direction,
    count: number,
    signal: AbortSignal,
  ): Promise<StoredEvent[]> {
    return (await collected(this.readCalls.reading(logRequest(from, direction, count)), signal)) ?? [];
  }

  /**
   * Everything after a position, of the server's events those alone that shorten streams, as it comes, in batches of what has arrived; ends only by
   * throwing. `onScan` tells that the server works through events that are left out: how far it has come can be ahead of what was handled, so that is
   * no position to resume from.
   */
  follow(after: Position, signal: AbortSignal, onScan: () => void): AsyncGenerator<readonly StoredEvent[], never> {
    return followed(this.readCalls.reading(subscribeRequest(after, WATCHED)), signal, onScan);
  }

  /** Waits no longer than a call would: the library can wait for ever for a server that hung while it was asked. */
  async close(): Promise<void> {
    await waitAtMost(CLOSING_PATIENCE, Promise.all([this.appendCalls.close(), this.readCalls.close()]));
  }
}
