import type { Position } from '../../ports/event-store.js';

/** The last write of each store that this process has answered for: queries wait until they can see it. */
export class Acknowledged {
  private readonly positions = new Map<string, Position>();

  /** What stood in the log when the process began was answered by those before it. */
  constructor(private readonly headAtStart: Position) {}

  note(storeId: string | null, position: Position): void {
    if (storeId === null) return;
    const known = this.positions.get(storeId);
    if (known === undefined || known < position) this.positions.set(storeId, position);
  }

  of(storeId: string): Position {
    return this.positions.get(storeId) ?? this.headAtStart;
  }
}
