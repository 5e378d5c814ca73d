import type { Logger } from 'pino';
import type { Clock } from '../../kernel/values/clock.js';
import { AppendRefused, checkedSize, RevisionConflict, START, StoreUnavailable } from '../../ports/event-store.js';
import type { EventStore, NewEvent, Position, StoredEvent, Subscription } from '../../ports/event-store.js';
import { StartRefused } from '../../ports/start-refused.js';
import type { Direction } from './protocol/requests.js';
import { Connection, isSystemEvent } from './connection.js';
import { Head } from './head.js';
import { expectLogId, identify, logIdOf } from './identity.js';
import { MovingLog } from './moving.js';
import { isUnknownPosition, throughOutage } from './outage.js';
import { isPosition } from './positions.js';
import { ResumingSubscription } from './subscription.js';

const PAGE = 1_000;
/** A page after one that did not suffice: it may have been full of the system's events. */
const FURTHER_PAGE = 250;
const PROBE_EVERY = 250;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface EventStoreDbOptions {
  /** `esdb://…` */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** EventStoreDB behind the port. Every call ends within 5 s: outages shorter than that are bridged, longer ones are StoreUnavailable. */
export const openEventStoreDb = (options: EventStoreDbOptions): Promise<EventStore> => open(options, identify);

/** What of a log is only read. */
type ReadLog = Pick<EventStore, 'logId' | 'readStream' | 'readAll' | 'close'>;

/** Writes nothing to the server; throws StartRefused where it holds no log. */
export const openEventStoreDbToRead = (options: EventStoreDbOptions): Promise<ReadLog> => open(options, expectLogId);

async function open(
  { url, clock, log }: EventStoreDbOptions,
  logIdIn: (connection: Connection) => Promise<string>,
): Promise<EventStore> {
  const connection = connect(url);
  try {
    return new EventStoreDb(connection, await logIdIn(connection), clock, log);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Which log the server holds, without making one; throws where it cannot be used. */
export async function logIdAt(url: string): Promise<string | undefined> {
  const connection = connect(url);
  try {
    return await logIdOf(connection);
  } finally {
    await connection.close();
  }
}

/** The log on the server, on its way to another engine or from one. */
export function openMovingLog(url: string): { readonly log: MovingLog; close(): Promise<void> } {
  const connection = connect(url);
  return { log: new MovingLog(connection), close: () => connection.close() };
}

function connect(url: string): Connection {
  try {
    return new Connection(url);
  } catch (error) {
    // The library draws an arrow under the address, over several lines.
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new StartRefused(`wrong setting: EVENTSTORE_URL: ${reason}`, { cause: error });
  }
}

class EventStoreDb implements EventStore {
  readonly exclusive = false;
  readonly storesRows = false;
  readonly isPosition = isPosition;
  private readonly heads: Head;
  private readonly subscriptions = new Set<ResumingSubscription>();
  private probing: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly connection: Connection,
    readonly logId: string,
    private readonly clock: Clock,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    this.heads = new Head((from, count) =>
      this.attempting((signal) => connection.readAll(from, 'backward', count, signal)),
    );
  }

  async append(stream: string, expectedRevision: number, events: readonly NewEvent[]) {
    checkedSize(stream, events);
    const malformed = events.find((event) => !UUID.test(event.id));
    if (malformed) throw new AppendRefused(`${malformed.id} is not the id of an event`);
    let sent = 0;
    return this.attempting(
      async (signal) => {
        try {
          return await this.connection.append(stream, expectedRevision, events, signal, () => (sent += 1));
        } catch (error) {
          if (sent <= 1 || !(error instanceof RevisionConflict)) throw error;
          const own = await this.found(stream, expectedRevision, events, signal);
          if (own) return own;
          throw error;
        }
      },
      () => sent > 0,
    );
  }

  /** Whether an attempt of unknown outcome was what it now conflicts with: the server knows its ids for a while alone. */
  private async found(stream: string, expectedRevision: number, events: readonly NewEvent[], signal: AbortSignal) {
    const stored = await this.connection.readStream(stream, expectedRevision + 1, 'forward', events.length, signal);
    const last = stored.at(-1);
    const same = stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id);
    return same && last ? { revision: last.revision, position: last.position } : undefined;
  }

  async readStream(
    stream: string,
    { from, direction = 'forward', limit }: { from?: number; direction?: Direction; limit: number },
  ): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    let next = from;
    while (found.length < limit && (next === undefined || next >= 0)) {
      const [start, count] = [next, Math.min(PAGE, limit - found.length)];
      const page = await this.attempting((signal) =>
        this.connection.readStream(stream, start, direction, count, signal),
      );
      found.push(...page);
      const last = page.at(-1);
      if (!last || page.length < count) break;
      next = last.revision + (direction === 'forward' ? 1 : -1);
    }
    return found;
  }

  async readAll(after: Position, limit: number): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    let from = after;
    for (let least = 1; found.length < limit; least = FURTHER_PAGE) {
      // The server gives the event at `from` once more.
      const [start, count] = [from, Math.min(PAGE, Math.max(least, limit - found.length)) + 1];
      const page = await this.forward(start, count);
      found.push(...page.filter((event) => event.position > after && event.position > start && !isSystemEvent(event)));
      const last = page.at(-1);
      if (!last || page.length < count) break;
      from = last.position;
    }
    return found.slice(0, limit);
  }

  async readAt(positions: readonly Position[]): Promise<readonly StoredEvent[]> {
    const pages = await Promise.all(positions.map((position) => this.forward(position, 1)));
    return pages.flatMap(([event], index) => (event && event.position === positions[index] ? [event] : []));
  }

  head(): Promise<Position> {
    return this.heads.find();
  }

  subscribe(
    after: Position,
    onEvents: (batch: readonly StoredEvent[]) => Promise<void>,
    onShortened?: (stream: string) => void,
  ): Subscription {
    const subscription = new ResumingSubscription(this.connection, after, onEvents, this.log, onShortened);
    this.subscriptions.add(subscription);
    if (this.subscriptions.size === 1) void this.probe();
    return {
      stop: async () => {
        this.subscriptions.delete(subscription);
        await subscription.stop();
      },
      get provedLiveAt() {
        return subscription.provedLiveAt;
      },
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.probing);
    const open = [...this.subscriptions];
    this.subscriptions.clear();
    await Promise.all(open.map((subscription) => subscription.stop()));
    await this.connection.close();
  }

  /** A subscription that has handled everything up to the head of a moment is proved live at that moment. */
  private async probe(): Promise<void> {
    const at = this.clock.now();
    try {
      const head = await this.head();
      for (const subscription of this.subscriptions) subscription.sawHead({ at, head });
    } catch (error) {
      if (!this.closed && !(error instanceof StoreUnavailable))
        this.log.warn({ err: error }, 'the head of the log cannot be read');
    }
    clearTimeout(this.probing);
    if (this.subscriptions.size > 0) this.probing = setTimeout(() => void this.probe(), PROBE_EVERY);
  }

  /** From a position on; from the start when the server knows no record there. */
  private async forward(start: Position, count: number): Promise<StoredEvent[]> {
    try {
      return await this.attempting((signal) => this.connection.readAll(start, 'forward', count, signal));
    } catch (error) {
      if (start === START || !isUnknownPosition(error)) throw error;
      return this.attempting((signal) => this.connection.readAll(START, 'forward', PAGE + 1, signal));
    }
  }

  private attempting<T>(attempt: (signal: AbortSignal) => Promise<T>, mayHaveWritten?: () => boolean): Promise<T> {
    return throughOutage((signal) => {
      if (this.closed) throw new Error('the event store is closed');
      return attempt(signal);
    }, mayHaveWritten);
  }
}
