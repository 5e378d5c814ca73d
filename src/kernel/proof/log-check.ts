import type { CheckedLink } from '../events/chain.js';
import { CHAIN_START, checkedLink, checkedLinkOfBytes, hashOf, isSealed } from '../events/chain.js';
import type { NewEvent } from '../../ports/event-store.js';
import type { EventBytes } from '../../ports/log-archive.js';
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

interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

type CheckedEvent = NewEvent & EventPlace;

const MISSING = 'an event is missing before it';
const CHANGED = 'it is not what was recorded';
const NOT_BEGUN: StreamHead = { revision: -1, hash: CHAIN_START };

export const headAt = (event: CheckedEvent): StreamHead => ({ revision: event.revision, hash: hashOf(event) });

/** An event does not continue its stream as it was recorded. */
export class LogBroken extends Error {
  constructor(
    readonly reason: string,
    { stream, revision }: EventPlace,
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
    const reason = this.pass(event, checkedLink(this.hashBefore(event), event));
    if (reason !== undefined) throw new LogBroken(reason, event);
  }

  /** The same for an event as bytes, which are written over. Throws LogBroken. */
  addBytes(event: EventBytes, bytes: Buffer): void {
    const reason = this.passBytes(event, bytes);
    if (reason !== undefined) throw new LogBroken(reason, event);
  }

  /** Goes on from an event as bytes, whatever it is; says why it does not continue its stream. */
  passBytes(event: EventBytes, bytes: Buffer): string | undefined {
    const found = checkedLinkOfBytes(this.hashBefore(event), bytes, event.start, event.end);
    const reason = this.pass(event, event.isText ? found : { ...found, isSealed: false });
    return event.isNext ? reason : MISSING;
  }

  /** Why the event does not continue its stream; undefined where it does. */
  breakOf(event: CheckedEvent): string | undefined {
    const head = this.heads.get(event.stream) ?? NOT_BEGUN;
    if (event.revision !== head.revision + 1) return MISSING;
    return isSealed(head.hash, event) ? undefined : CHANGED;
  }

  /** Goes on from the event, whatever it is. */
  take(event: CheckedEvent): void {
    const head = headAt(event);
    this.heads.set(event.stream, head);
    this.tree.add(event.stream, head.revision, head.hash);
  }
  private hashBefore({ stream }: EventPlace): string {
    return (this.heads.get(stream) ?? NOT_BEGUN).hash;
  }

  private pass({ stream, revision }: EventPlace, { link, isSealed: sealed }: CheckedLink): string | undefined {
    const before = (this.heads.get(stream) ?? NOT_BEGUN).revision;
    this.heads.set(stream, { revision, hash: link });
    this.tree.add(stream, revision, link);
    if (revision !== before + 1) return MISSING;
    return sealed ? undefined : CHANGED;
  }
}
