import type {
  Appended,
  EventStore,
  NewEvent,
  Position,
  StoredEvent,
  Subscription,
} from '../../../ports/event-store.js';
import { checkedSize, RevisionConflict, RowConflict } from '../../../ports/event-store.js';
import type { VaultWrite } from '../../../ports/vault.js';
import type { LogClient } from './client.js';
import type { OnDeleted } from './deleted-rows.js';
import { tellDeleted } from './deleted-rows.js';
import type { LogFeed } from './feed.js';
import { isPositionText, positionNumber, positionText } from './position.js';
import type { ReadRequest } from './protocol.js';
import { DONE, REVISION_CONFLICT, ROW_CONFLICT } from './protocol.js';
import type { LogReads } from './reader-link.js';
import { rowRequests } from './vault.js';

/** Larger than every revision and small enough to be bound exactly. */
const LAST_REVISION = Number.MAX_SAFE_INTEGER;

/** The event store in `events.db`: this process alone writes it, in groups that share a flush. */
export class EmbeddedEventStore implements EventStore {
  readonly exclusive = true;

  constructor(
    private readonly client: LogClient,
    private readonly reads: LogReads,
    private readonly feed: LogFeed,
    private readonly options: { readonly storesRows: boolean; readonly onDeleted?: OnDeleted | undefined },
  ) {}

  get storesRows(): boolean {
    return this.options.storesRows;
  }

  get logId(): string {
    return this.client.logId;
  }

  append(
    stream: string,
    expectedRevision: number,
    events: readonly NewEvent[],
    rows: readonly VaultWrite[] = [],
  ): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const requested = rowRequests(rows);
      const bytes = checkedSize(stream, events) + requested.bytes;
      const flat: string[] = [];
      for (const { id, type, data, meta } of events) flat.push(id, type, data, meta);
      this.client.write(
        ['append', stream, expectedRevision, flat, requested.rows],
        bytes,
        ([what, position]) => {
          if (what === REVISION_CONFLICT) reject(new RevisionConflict(stream, expectedRevision));
          else if (what === ROW_CONFLICT) reject(new RowConflict());
          else {
            if (what === DONE && this.feed.wanted) this.publish(stream, expectedRevision, events, position);
            const appended = { revision: expectedRevision + events.length, position: positionText(position) };
            const told = tellDeleted(rows, this.options.onDeleted);
            if (!told) resolve(appended);
            else
              told.then(() => {
                resolve(appended);
              }, reject);
          }
        },
        reject,
      );
    });
  }

  async readStream(
    stream: string,
    { from, direction = 'forward', limit }: Parameters<EventStore['readStream']>[1],
  ): Promise<readonly StoredEvent[]> {
    const known = from !== undefined && limit === 1 ? this.feed.latest(stream, from) : undefined;
    if (known) return [known];
    const backward = direction === 'backward';
    const start = from ?? (backward ? LAST_REVISION : 0);
    return this.pages(limit, (last, left) => {
      const next = last ? last.revision + (backward ? -1 : 1) : start;
      return ['stream', stream, next, backward, left];
    });
  }

  async readAll(after: Position, limit: number): Promise<readonly StoredEvent[]> {
    return this.pages(limit, (last, left) => ['all', positionNumber(last?.position ?? after), left]);
  }

  async readAt(positions: readonly Position[]): Promise<readonly StoredEvent[]> {
    const found = new Map<Position, StoredEvent>();
    for (let left = positions; left.length > 0;) {
      const page = await this.reads.page(['at', JSON.stringify(left.map(positionNumber))]);
      for (const event of page.events) found.set(event.position, event);
      if (!page.cut) break;
      left = left.filter((position) => !found.has(position));
    }
    return positions.flatMap((position) => found.get(position) ?? []);
  }

  head(): Promise<Position> {
    return Promise.resolve(positionText(this.feed.head));
  }

  subscribe(after: Position, onEvents: (batch: readonly StoredEvent[]) => Promise<void>): Subscription {
    return this.feed.subscribe(positionNumber(after), onEvents);
  }

  isPosition(token: string): boolean {
    return isPositionText(token);
  }

  close(): Promise<void> {
    return this.feed.close();
  }

  private publish(stream: string, expected: number, events: readonly NewEvent[], lastPosition: number): void {
    const first = lastPosition - events.length + 1;
    this.feed.publish(
      events.map(({ id, type, data, meta }, at) => {
        return { id, type, data, meta, stream, revision: expected + 1 + at, position: positionText(first + at) };
      }),
    );
  }

  /** Asks page by page, because the reader cuts a page of large events. */
  private async pages(
    limit: number,
    request: (last: StoredEvent | undefined, left: number) => ReadRequest,
  ): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (;;) {
      const page = await this.reads.page(request(events.at(-1), limit - events.length));
      events.push(...page.events);
      if (!page.cut || events.length >= limit) return events;
    }
  }
}
