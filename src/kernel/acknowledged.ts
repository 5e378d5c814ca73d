import type { Position } from '../ports/event-store.js';
import { START } from '../ports/event-store.js';

/** The last write of each store that this process has answered for: queries wait until they can see it. */
export class Acknowledged {
  private readonly positions = new Map<string, Position>();

  note(storeId: string | null, position: Position): void {
    if (storeId === null) return;
    const known = this.positions.get(storeId);
    if (known === undefined || known < position) this.positions.set(storeId, position);
  }

  of(storeId: string): Position {
    return this.positions.get(storeId) ?? START;
  }
}
