import type { Position, StoredEvent } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import { isSystemEvent } from './connection.js';

/** The last event is mostly no system event. */
const LOOKS = [1, 16] as const;
const FURTHER_LOOK = 256;

/** Finds the last event that is not the server's own: backwards, over each record only once. */
export class Head {
  private head: Position = START;
  private lookedAt: Position = START;

  constructor(private readonly readBack: (from: Position | undefined, count: number) => Promise<StoredEvent[]>) {}

  async find(): Promise<Position> {
    let newest: Position | undefined;
    let from: Position | undefined;
    for (let look = 0; ; look++) {
      const count = LOOKS[look] ?? FURTHER_LOOK;
      const page = await this.readBack(from, count);
      newest ??= page[0]?.position ?? START;
      for (const event of page) {
        if (event.position <= this.lookedAt) return this.remember(newest, this.head);
        if (!isSystemEvent(event)) return this.remember(newest, event.position);
      }
      if (page.length < count) return this.remember(newest, START);
      from = page.at(-1)?.position;
    }
  }

  private remember(newest: Position, head: Position): Position {
    if (newest > this.lookedAt) {
      this.lookedAt = newest;
      this.head = head;
    }
    return head;
  }
}
