import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Appended,
  EventStore,
  NewEvent,
  Position,
  StoredEvent,
  Subscription,
} from '../../src/ports/event-store.js';
import { checkedSize, NO_STREAM, RevisionConflict, START } from '../../src/ports/event-store.js';

const PAGE = 1_000;
const POSITION = /^\d{12}$/;

const positionOf = (index: number): Position => String(index + 1).padStart(12, '0');
const indexAfter = (position: Position): number => (position === START ? 0 : Number(position));

/** An event store that forgets everything with its process. */
export class MemoryEventStore implements EventStore {
  readonly exclusive = true;
  readonly storesRows = false;
  private readonly log: StoredEvent[] = [];
  private readonly streams = new Map<string, StoredEvent[]>();
  private readonly subscriptions = new Set<MemorySubscription>();

  constructor(readonly logId: string = randomUUID()) {}

  append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended> {
    return Promise.resolve().then(() => this.appendNow(stream, expectedRevision, events));
  }

  readStream(
    stream: string,
    { from, direction = 'forward', limit }: Parameters<EventStore['readStream']>[1],
  ): Promise<readonly StoredEvent[]> {
    const events = this.streams.get(stream) ?? [];
    if (direction === 'forward') return Promise.resolve(events.slice(from ?? 0, (from ?? 0) + limit));
    const end = (from ?? events.length - 1) + 1;
    return Promise.resolve(events.slice(Math.max(0, end - limit), end).reverse());
  }

  readAll(after: Position, limit: number): Promise<readonly StoredEvent[]> {
    const first = indexAfter(after);
    return Promise.resolve(this.log.slice(first, first + limit));
  }

  readAt(positions: readonly Position[]): Promise<readonly StoredEvent[]> {
    return Promise.resolve(positions.flatMap((position) => this.log[indexAfter(position) - 1] ?? []));
  }

  head(): Promise<Position> {
    return Promise.resolve(this.log.at(-1)?.position ?? START);
  }

  subscribe(after: Position, onEvents: (batch: readonly StoredEvent[]) => Promise<void>): Subscription {
    const subscription = new MemorySubscription((position) => this.readAll(position, PAGE), after, onEvents);
    this.subscriptions.add(subscription);
    return subscription;
  }

  isPosition(token: string): boolean {
    return token === START || POSITION.test(token);
  }

  async close(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
  }

  private appendNow(stream: string, expectedRevision: number, events: readonly NewEvent[]): Appended {
    checkedSize(stream, events);
    const recorded = this.streams.get(stream) ?? [];
    const first = expectedRevision + 1;
    const repeated = recorded.slice(first, first + events.length);
    const isRepeat = events.every(({ id }, index) => repeated[index]?.id === id);
    if (!isRepeat) {
      if (recorded.length !== first) throw new RevisionConflict(stream, expectedRevision);
      for (const event of events) {
        const stored = { ...event, stream, revision: recorded.length, position: positionOf(this.log.length) };
        recorded.push(stored);
        this.log.push(stored);
      }
      this.streams.set(stream, recorded);
      for (const subscription of this.subscriptions) subscription.wake();
    }
    const last = isRepeat ? repeated.at(-1) : recorded.at(-1);
    return { revision: last?.revision ?? NO_STREAM, position: last?.position ?? START };
  }
}

class MemorySubscription implements Subscription {
  private stopped = false;
  private ring: () => void = () => undefined;
  private readonly running: Promise<void>;

  constructor(
    private readonly read: (after: Position) => Promise<readonly StoredEvent[]>,
    after: Position,
    onEvents: (batch: readonly StoredEvent[]) => Promise<void>,
  ) {
    this.running = this.run(after, onEvents);
  }

  get provedLiveAt(): number {
    return this.stopped ? 0 : Date.now();
  }

  wake(): void {
    this.ring();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(after: Position, onEvents: (batch: readonly StoredEvent[]) => Promise<void>): Promise<void> {
    let position = after;
    while (!this.isStopped()) {
      const bell = new Promise<void>((resolve) => (this.ring = resolve));
      const batch = await this.read(position);
      const last = batch.at(-1);
      if (last && !this.isStopped()) {
        const taken = await onEvents(batch).then(
          () => true,
          () => false,
        );
        if (taken) position = last.position;
        else await pause(10);
      } else if (!this.isStopped()) await bell;
    }
  }

  private isStopped(): boolean {
    return this.stopped;
  }
}
