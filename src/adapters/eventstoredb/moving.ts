import type { NewEvent, Position, StoredEvent } from '../../ports/event-store.js';
import { NO_STREAM, RevisionConflict } from '../../ports/event-store.js';
import type { LogTarget, LogToMove } from '../../ports/moving.js';
import { StartRefused } from '../../ports/start-refused.js';
import type { Connection } from './connection.js';
import { isSystemEvent } from './connection.js';
import {
  expectFormat,
  FORMAT_NOTE,
  IDENTITY_EVENTS,
  IDENTITY_STREAM,
  IDENTITY_TYPE,
  MOVE_BEGUN,
  MOVE_ENDED,
  MOVED_AWAY,
  noLog,
} from './identity.js';
import { throughOutage } from './outage.js';

const PAGE = 500;
const APPEND_BYTES = 512 * 1024;

/** A log on the server that is about to move, in one direction or the other. */
export class MovingLog implements LogToMove, LogTarget {
  logId = '';
  /** An earlier try brought everything, and was broken off before the source was marked. */
  private ended = false;

  constructor(private readonly connection: Connection) {}

  /** For a log that leaves the server. */
  async identify(): Promise<void> {
    const found = await this.identity();
    const [first] = found;
    if (!first) throw noLog();
    expectFormat(found);
    if (found.at(-1)?.type === MOVED_AWAY) {
      throw new StartRefused(
        'the log of this event store was moved away already: that move is done, and the log is used where it went',
      );
    }
    if (found.length === 1 && first.data === MOVE_BEGUN) {
      throw new StartRefused('the move to this event store was never finished');
    }
    this.logId = first.id;
  }

  async begin(logId: string): Promise<number> {
    this.logId = logId;
    const [first, ...later] = await this.identity();
    if (!first) {
      for await (const page of this.pages()) {
        if (page.length > 0) throw new StartRefused('the event store is not empty: a move needs an empty one');
      }
      await this.note({ id: logId, type: IDENTITY_TYPE, data: MOVE_BEGUN, meta: '{}' }, NO_STREAM);
      return 0;
    }
    if (first.id !== logId) throw new StartRefused(`the event store holds another log, ${first.id}`);
    if (first.data !== MOVE_BEGUN || later.some(({ type }) => type !== MOVE_ENDED)) {
      throw new StartRefused('the event store is in use with this log already');
    }
    this.ended = later.length > 0;
    let count = 0;
    for await (const page of this.pages()) count += page.length;
    return count;
  }

  async append(events: readonly StoredEvent[]): Promise<void> {
    for (let first = 0; first < events.length;) {
      const end = endOfGroup(events, first);
      const group = events.slice(first, end);
      const expected = (group[0]?.revision ?? 0) - 1;
      await this.repeatedly((signal) =>
        this.connection.append(group[0]?.stream ?? '', expected, group.map(asNew), signal),
      );
      first = end;
    }
  }

  async *pages(from = 0): AsyncGenerator<readonly StoredEvent[]> {
    let skip = from;
    let after: Position | undefined;
    for (;;) {
      const page = await this.repeatedly((signal) => this.connection.readAll(after, 'forward', PAGE + 1, signal));
      // The server gives the event at the position once more.
      const fresh = page.filter(({ position }) => after === undefined || position > after);
      const own = fresh.filter((event) => !isSystemEvent(event) && event.stream !== IDENTITY_STREAM);
      const wanted = own.slice(skip);
      skip = Math.max(0, skip - own.length);
      if (wanted.length > 0) yield wanted;
      if (page.length <= PAGE) return;
      after = page.at(-1)?.position;
    }
  }

  async finish(): Promise<void> {
    if (!this.ended) await this.note({ id: crypto.randomUUID(), type: MOVE_ENDED, data: FORMAT_NOTE, meta: '{}' }, 0);
  }

  async markMoved(): Promise<void> {
    const found = await this.identity();
    const event = { id: crypto.randomUUID(), type: MOVED_AWAY, data: '{}', meta: '{}' };
    await this.note(event, found.at(-1)?.revision ?? NO_STREAM);
  }

  private identity(): Promise<readonly StoredEvent[]> {
    return this.repeatedly((signal) =>
      this.connection.readStream(IDENTITY_STREAM, undefined, 'forward', IDENTITY_EVENTS, signal),
    );
  }

  private async note(event: NewEvent, expected: number): Promise<void> {
    await this.repeatedly((signal) => this.connection.append(IDENTITY_STREAM, expected, [event], signal));
  }

  private repeatedly<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return throughOutage(call, () => true).catch((error: unknown) => {
      if (!(error instanceof RevisionConflict)) throw error;
      throw new StartRefused(
        `the stream ${error.stream} has grown meanwhile: a move needs the event store for itself`,
        {
          cause: error,
        },
      );
    });
  }
}

const asNew = ({ id, type, data, meta }: StoredEvent): NewEvent => ({ id, type, data, meta });

/** Events of one stream that follow each other go at once, but for two of one id: logs of former versions hold some, and in one append they confuse the server. */
function endOfGroup(events: readonly StoredEvent[], first: number): number {
  const stream = events[first]?.stream;
  const ids = new Set<string>();
  let bytes = 0;
  let end = first;
  for (; end < events.length; end++) {
    const event = events[end];
    if (event?.stream !== stream || ids.has(event?.id ?? '')) break;
    ids.add(event?.id ?? '');
    bytes += Buffer.byteLength(event?.data ?? '') + Buffer.byteLength(event?.meta ?? '');
    if (end > first && bytes > APPEND_BYTES) break;
  }
  return end;
}
