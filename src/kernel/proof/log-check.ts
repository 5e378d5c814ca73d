import { isSealed } from '../events/chain.js';
import type { EventMeta } from '../events/event.js';
import type { NewEvent } from '../../ports/event-store.js';
import type { TreeState } from './growing-tree.js';
import { GrowingTree } from './growing-tree.js';

export interface StreamHead {
  readonly revision: number;
  readonly hash: string;
}

type CheckedEvent = NewEvent & { readonly stream: string; readonly revision: number };

/** An event does not continue its stream as it was recorded. */
export class LogBroken extends Error {
  constructor(reason: string, { stream, revision }: CheckedEvent) {
    super(`${reason}: revision ${String(revision)} of the stream ${stream}`);
    this.name = 'LogBroken';
  }
}

/** Goes through a log, from its beginning or from where it was before: each event must continue its stream's chain; the tree is over all. */
export class LogCheck {
  /** Streams that it has met. */
  readonly heads = new Map<string, StreamHead>();
  readonly tree: GrowingTree;

  constructor(
    from?: TreeState,
    /** The head of a stream that was met before. */
    private readonly headBefore: (stream: string) => StreamHead | undefined = () => undefined,
  ) {
    this.tree = new GrowingTree(from);
  }

  /** Throws LogBroken. */
  add(event: CheckedEvent): void {
    const { stream, revision } = event;
    const head = this.heads.get(stream) ?? this.headBefore(stream) ?? { revision: -1, hash: '' };
    if (revision !== head.revision + 1) throw new LogBroken('an event is missing before it', event);
    if (!isSealed(head.hash, event)) throw new LogBroken('an event is not what was recorded', event);
    const { hash } = JSON.parse(event.meta) as EventMeta;
    this.heads.set(stream, { revision, hash });
    this.tree.add(stream, revision, hash);
  }
}
