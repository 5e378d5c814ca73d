import { LRUCache } from 'lru-cache';
import type { GrowingTree } from '../../../kernel/proof/growing-tree.js';
import type { StreamHead } from '../../../kernel/proof/log-check.js';
import { headAt, LogCheck } from '../../../kernel/proof/log-check.js';
import type { EventStore, Position } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';

/** Where the log first differs from what was recorded. */
export interface LogBreak {
  readonly reason: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

/** Heads of streams that are remembered; those of others are read again when they go on. */
const MOST_HEADS = 50_000;

/** One walk through the log from its beginning, a page at a time. */
export class LogWalk {
  position: Position = START;
  private readonly heads = new LRUCache<string, StreamHead>({ max: MOST_HEADS });
  private readonly check = new LogCheck(this.heads);

  constructor(private readonly eventStore: Pick<EventStore, 'readAll' | 'readStream'>) {}

  get tree(): GrowingTree {
    return this.check.tree;
  }

  /** Checks some more events; gives how many, and the first that is not what was recorded. */
  async next(limit: number): Promise<{ readonly checked: number; readonly found: LogBreak | undefined }> {
    const events = await this.eventStore.readAll(this.position, limit);
    for (const [index, event] of events.entries()) {
      const { stream, revision, position } = event;
      if (!this.heads.has(stream)) await this.recall(stream, revision);
      const reason = this.check.breakOf(event);
      if (reason !== undefined) return { checked: index, found: { reason, stream, revision, position } };
      this.check.take(event);
      this.position = position;
    }
    return { checked: events.length, found: undefined };
  }

  private async recall(stream: string, revision: number): Promise<void> {
    if (revision === 0) return;
    const [before] = await this.eventStore.readStream(stream, { from: revision - 1, limit: 1 });
    if (before) this.heads.set(stream, headAt(before));
  }
}
