import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../../ports/event-store.js';
import type { Watcher } from './watcher.js';

/** A busy store is told of in one message for all that changed meanwhile. */
const PAUSE = 200;
/** Where telling takes long, it takes this part of the time at most. */
const SHARE = 5;
const AT_ONCE = 500;

/** What changes in one store while somebody watches it, or did a moment ago. */
export class StoreChanges {
  /** Each with the number of changes that were noted before it came: those are no news to it. */
  private readonly joined = new Map<Watcher, number>();
  private readonly lastChanges = new Map<string, Position>();
  /** Kinds that are still to be told, each with the number of its last change. */
  private readonly pending = new Map<string, number>();
  private noted = 0;
  private telling = false;

  constructor(
    /** Everything that changed after it is known. */
    private readonly knownFrom: Position,
    private readonly seal: (position: Position) => string,
    private position = knownFrom,
  ) {}

  get watchers(): Iterable<Watcher> {
    return this.joined.keys();
  }

  get watched(): boolean {
    return this.joined.size > 0;
  }

  join(watcher: Watcher): void {
    this.joined.set(watcher, this.noted);
  }

  leave(watcher: Watcher): void {
    this.joined.delete(watcher);
  }

  /** The last change, or where the watching began. */
  get last(): Position {
    return this.position;
  }

  /** Kinds that changed after a position; undefined where that is not known any more. */
  since(position: Position): readonly string[] | undefined {
    if (position < this.knownFrom) return undefined;
    return [...this.lastChanges].filter(([, at]) => at > position).map(([kind]) => kind);
  }

  note(kinds: Iterable<string>, position: Position): void {
    if (position > this.position) this.position = position;
    this.noted += 1;
    for (const kind of kinds) {
      this.lastChanges.set(kind, this.position);
      this.pending.set(kind, this.noted);
    }
    if (!this.telling && this.watched) void this.tell();
  }

  private async tell(): Promise<void> {
    this.telling = true;
    // What is appended together is told together.
    await nextTurn();
    const started = performance.now();
    const kinds = [...this.pending];
    const all = kinds.map(([kind]) => kind);
    const first = Math.min(...kinds.map(([, number]) => number));
    const id = this.seal(this.position);
    this.pending.clear();
    let told = 0;
    for (const [watcher, joinedAt] of this.joined) {
      watcher.tell(joinedAt < first ? all : kinds.filter(([, at]) => at > joinedAt).map(([kind]) => kind), id);
      told += 1;
      if (told % AT_ONCE === 0) await nextTurn();
    }
    setTimeout(
      () => {
        this.telling = false;
        if (this.pending.size > 0) void this.tell();
      },
      Math.max(PAUSE, SHARE * (performance.now() - started)),
    ).unref();
  }
}
