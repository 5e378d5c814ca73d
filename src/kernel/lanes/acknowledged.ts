import type { Position } from '../../ports/event-store.js';

/** Another process answers no write before its readers can see it, unless that takes longer than twice this. */
const ANSWERED_AFTER = 1_000;

interface HeardWrite {
  readonly storeId: string;
  readonly position: Position;
  readonly at: number;
}

/** The last write of each store that this process has answered for, or another may have: queries wait until they can see it. */
export class Acknowledged {
  private readonly positions = new Map<string, Position>();
  /** Writes of other processes that may still be on their way to an answer, the oldest first. */
  private readonly heard: HeardWrite[] = [];

  constructor(
    /** What stood in the log when the process began was answered by those before it. */
    private readonly headAtStart: Position,
    private readonly now = () => performance.now(),
  ) {}

  note(storeId: string | null, position: Position): void {
    if (storeId === null) return;
    const known = this.positions.get(storeId);
    if (known === undefined || known < position) this.positions.set(storeId, position);
  }

  /** To be told of what others append, and how many milliseconds ago that may have been: who hears of it late, as after standing still, hears of it answered. */
  hear(storeId: string | null, position: Position, ago: number): void {
    if (storeId === null) return;
    this.settle();
    // A clock that was set back tells of a time to come.
    this.heard.push({ storeId, position, at: this.now() - Math.max(0, ago) });
  }

  of(storeId: string): Position {
    this.settle();
    return this.positions.get(storeId) ?? this.headAtStart;
  }

  private settle(): void {
    const before = this.now() - ANSWERED_AFTER;
    for (let first = this.heard[0]; first && first.at <= before; first = this.heard[0]) {
      this.note(first.storeId, first.position);
      this.heard.shift();
    }
  }
}
