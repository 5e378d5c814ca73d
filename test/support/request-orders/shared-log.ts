import type { Appended, EventStore, NewEvent, StoredEvent } from '../../../src/ports/event-store.js';
import { RevisionConflict, RowConflict, START, checkedSize } from '../../../src/ports/event-store.js';
import type { Vault, VaultWrite } from '../../../src/ports/vault.js';

const positionAt = (index: number): string => String(index + 1).padStart(12, '0');
const countUpTo = (position: string): number => (position === START ? 0 : Number(position));

/** What several processes append to, each by an event store of its own. */
export class SharedLog {
  readonly events: StoredEvent[] = [];
  /** When each of them was appended. */
  private readonly times: number[] = [];
  private readonly streams = new Map<string, StoredEvent[]>();

  constructor(
    private readonly vault: Vault,
    private readonly now: () => number,
  ) {}

  async append(
    stream: string,
    expected: number,
    events: readonly NewEvent[],
    rows: readonly VaultWrite[] = [],
  ): Promise<Appended> {
    checkedSize(stream, events);
    const recorded = this.of(stream);
    const first = expected + 1;
    const isRepeat = events.every(({ id }, index) => recorded[first + index]?.id === id);
    if (!isRepeat && recorded.length !== first) throw new RevisionConflict(stream, expected);
    if (!isRepeat && rows.length > 0 && !(await this.vault.write(rows))) throw new RowConflict();
    if (!isRepeat) for (const event of events) this.add(stream, recorded, event);
    const last = recorded[first + events.length - 1];
    return { revision: last?.revision ?? expected, position: last?.position ?? START };
  }

  read(stream: string, { from, direction = 'forward', limit }: Parameters<EventStore['readStream']>[1]) {
    const events = this.of(stream);
    if (direction === 'forward') return events.slice(from ?? 0, (from ?? 0) + limit);
    const end = (from ?? events.length - 1) + 1;
    return events.slice(Math.max(0, end - limit), end).reverse();
  }

  of(stream: string): StoredEvent[] {
    const known = this.streams.get(stream) ?? [];
    this.streams.set(stream, known);
    return known;
  }

  /** The streams of a category that there are. */
  named(category: string): readonly string[] {
    return [...this.streams].flatMap(([name, events]) =>
      events.length > 0 && name.startsWith(`${category}-`) ? [name] : [],
    );
  }

  after(position: string, limit = Infinity): readonly StoredEvent[] {
    const first = countUpTo(position);
    return this.events.slice(first, first + limit);
  }

  at(position: string): StoredEvent | undefined {
    return this.events[countUpTo(position) - 1];
  }

  get head(): string {
    return this.events.at(-1)?.position ?? START;
  }

  /** Until when somebody who has heard of everything up to a position has heard of all there was. */
  isWholeUntil(position: string): number {
    const next = this.times[countUpTo(position)];
    return next === undefined ? this.now() : next - 1;
  }

  private add(stream: string, recorded: StoredEvent[], event: NewEvent): void {
    const stored = { ...event, stream, revision: recorded.length, position: positionAt(this.events.length) };
    recorded.push(stored);
    this.events.push(stored);
    this.times.push(this.now());
  }
}
