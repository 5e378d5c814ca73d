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
  readonly watchers = new Set<Watcher>();
  private readonly lastChanges = new Map<string, Position>();
  private readonly pending = new Set<string>();
  private telling = false;

  constructor(
    /** Everything that changed after it is known. */
    private readonly knownFrom: Position,
    private readonly seal: (position: Position) => string,
    private position = knownFrom,
  ) {}

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
    for (const kind of kinds) {
      this.lastChanges.set(kind, this.position);
      this.pending.add(kind);
    }
    if (!this.telling && this.watchers.size > 0) void this.tell();
  }

  private async tell(): Promise<void> {
    this.telling = true;
    // What is appended together is told together.
    await nextTurn();
    const started = performance.now();
    const kinds = [...this.pending];
    const id = this.seal(this.position);
    this.pending.clear();
    let told = 0;
    for (const watcher of this.watchers) {
      watcher.tell(kinds, id);
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
