import { CHAIN_START, hashOf, isSealed } from '../events/chain.js';
import type { NewEvent } from '../../ports/event-store.js';
import type { TreeState } from './growing-tree.js';
import { GrowingTree } from './growing-tree.js';

export interface StreamHead {
  readonly revision: number;
  readonly hash: string;
}

/** Where streams are; those that it does not know have not begun. */
interface StreamHeads {
  get(stream: string): StreamHead | undefined;
  set(stream: string, head: StreamHead): unknown;
}

type CheckedEvent = Pick<NewEvent, 'id' | 'type' | 'data' | 'meta'> & {
  readonly stream: string;
  readonly revision: number;
};

const NOT_BEGUN: StreamHead = { revision: -1, hash: CHAIN_START };

export const headAt = (event: CheckedEvent): StreamHead => ({ revision: event.revision, hash: hashOf(event) });

/** An event does not continue its stream as it was recorded. */
export class LogBroken extends Error {
  constructor(
    readonly reason: string,
    { stream, revision }: CheckedEvent,
  ) {
    super(`revision ${String(revision)} of the stream ${stream}: ${reason}`);
    this.name = 'LogBroken';
  }
}

/** Goes through a log, from its beginning or from where it was before: each event must continue its stream's chain; the tree is over all. */
export class LogCheck {
  readonly tree: GrowingTree;

  constructor(
    readonly heads: StreamHeads = new Map<string, StreamHead>(),
    from?: TreeState,
  ) {
    this.tree = new GrowingTree(from);
  }

  /** Throws LogBroken. */
  add(event: CheckedEvent): void {
    const reason = this.breakOf(event);
    if (reason !== undefined) throw new LogBroken(reason, event);
    this.take(event);
  }

  /** Why the event does not continue its stream; undefined where it does. */
  breakOf(event: CheckedEvent): string | undefined {
    const head = this.heads.get(event.stream) ?? NOT_BEGUN;
    if (event.revision !== head.revision + 1) return 'an event is missing before it';
    return isSealed(head.hash, event) ? undefined : 'it is not what was recorded';
  }

  /** Goes on from the event, whatever it is. */
  take(event: CheckedEvent): void {
    const head = headAt(event);
    this.heads.set(event.stream, head);
    this.tree.add(event.stream, head.revision, head.hash);
  }
}
