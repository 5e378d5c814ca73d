import { LRUCache } from 'lru-cache';
import { CHAIN_START, isSealed } from '../../../kernel/events/chain.js';
import type { EventMeta } from '../../../kernel/events/event.js';
import { GrowingTree } from '../../../kernel/proof/growing-tree.js';
import type { EventStore, Position, StoredEvent } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';

/** Where the log first differs from what was recorded. */
export interface LogBreak {
  readonly reason: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

interface Link {
  readonly revision: number;
  readonly hash: string;
}

/** Heads of streams that are remembered; those of others are read again when they go on. */
const MOST_HEADS = 50_000;

const hashOf = ({ meta }: StoredEvent): string => (JSON.parse(meta) as EventMeta).hash;

/** One walk through the log from its beginning: each event must continue its stream, and the tree over them grows beside it. */
export class LogCheck {
  readonly tree = new GrowingTree();
  position: Position = START;
  private readonly heads = new LRUCache<string, Link>({ max: MOST_HEADS });

  constructor(private readonly eventStore: Pick<EventStore, 'readAll' | 'readStream'>) {}

  /** Checks some more events; gives how many, and the first that is not what was recorded. */
  async next(limit: number): Promise<{ readonly checked: number; readonly found: LogBreak | undefined }> {
    const events = await this.eventStore.readAll(this.position, limit);
    for (const [index, event] of events.entries()) {
      const found = await this.check(event);
      if (found) return { checked: index, found };
    }
    return { checked: events.length, found: undefined };
  }

  private async check(event: StoredEvent): Promise<LogBreak | undefined> {
    const { stream, revision, position } = event;
    const head = this.heads.get(stream) ?? (await this.headBefore(stream, revision));
    if (revision !== head.revision + 1) return { reason: 'an event is missing before it', stream, revision, position };
    if (!isSealed(head.hash, event)) return { reason: 'it is not what was recorded', stream, revision, position };
    const hash = hashOf(event);
    this.heads.set(stream, { revision, hash });
    this.tree.add(stream, revision, hash);
    this.position = position;
    return undefined;
  }

  private async headBefore(stream: string, revision: number): Promise<Link> {
    if (revision === 0) return { revision: -1, hash: CHAIN_START };
    const [before] = await this.eventStore.readStream(stream, { from: revision - 1, limit: 1 });
    return before ? { revision: before.revision, hash: hashOf(before) } : { revision: -1, hash: CHAIN_START };
  }
}
