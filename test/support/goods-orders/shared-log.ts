import type { Appended, NewEvent, Position, StoredEvent } from '../../../src/ports/event-store.js';
import { RowConflict, START } from '../../../src/ports/event-store.js';
import type { VaultWrite } from '../../../src/ports/vault.js';
import { MemoryEventStore } from '../memory-event-store.js';
import type { MemoryVault } from '../memory-vault.js';

/** What all processes append to. */
export class SharedLog {
  readonly events: StoredEvent[] = [];
  /** When each was appended. */
  readonly times: number[] = [];
  readonly store = new MemoryEventStore('log');

  constructor(
    private readonly vault: MemoryVault,
    private readonly now: () => number,
  ) {}

  get head(): Position {
    return this.events.at(-1)?.position ?? START;
  }

  /** With rows all or nothing. */
  async append(
    stream: string,
    expected: number,
    events: readonly NewEvent[],
    rows: readonly VaultWrite[] = [],
  ): Promise<Appended> {
    const before = await this.store.readStream(stream, { from: expected, limit: 2 });
    const isNew = before.length === Math.min(1, expected + 1);
    if (isNew && rows.length > 0 && !(await this.vault.write(rows))) throw new RowConflict();
    const appended = await this.store.append(stream, expected, events);
    for (const event of await this.store.readAll(this.head, Infinity)) {
      this.events.push(event);
      this.times.push(this.now());
    }
    return appended;
  }

  /** Those that stand behind the position. */
  after(position: Position, most = Infinity): readonly StoredEvent[] {
    const first = this.events.findIndex((event) => event.position > position);
    return first < 0 ? [] : this.events.slice(first, first + most);
  }
}
