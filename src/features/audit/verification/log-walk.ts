import type { StreamHead } from '../../../kernel/proof/log-check.js';
import { headAt, LogCheck } from '../../../kernel/proof/log-check.js';
import { boundedCache } from '../../../kernel/values/bounded-cache.js';
import type { EventStore, Position } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';
import type { CheckedPlace, CheckedStretch, LogChecker } from '../../../ports/log-checker.js';

/** Heads of streams that are remembered; those of others are read again when they go on. */
const MOST_HEADS = 50_000;
/** A hundred events take a millisecond or two; requests go before. */
const AT_ONCE = 100;

/** Checks the log on this thread, a few events at a time. */
export class LogWalk implements LogChecker {
  private readonly heads = boundedCache<StreamHead>(MOST_HEADS);
  /** Up to where the heads are known. */
  private position: Position = START;

  constructor(private readonly eventStore: Pick<EventStore, 'readAll' | 'readStream'>) {}

  async next(from: CheckedPlace, limit: number): Promise<CheckedStretch> {
    if (from.position !== this.position) this.heads.clear();
    const check = new LogCheck(this.heads, from.tree);
    const wanted = Math.min(limit, AT_ONCE);
    const events = await this.eventStore.readAll(from.position, wanted);
    this.position = from.position;
    for (const event of events) {
      const { stream, revision, position } = event;
      if (!this.heads.has(stream)) await this.recall(stream, revision);
      const reason = check.breakOf(event);
      if (reason !== undefined) return { found: { reason, stream, revision, position }, size: check.tree.size };
      check.take(event);
      this.position = position;
    }
    return { place: { position: this.position, tree: check.tree.state() }, atEnd: events.length < wanted };
  }

  private async recall(stream: string, revision: number): Promise<void> {
    if (revision === 0) return;
    const [before] = await this.eventStore.readStream(stream, { from: revision - 1, limit: 1 });
    if (before) this.heads.set(stream, headAt(before));
  }
}
