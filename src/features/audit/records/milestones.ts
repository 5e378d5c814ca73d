import { LRUCache } from 'lru-cache';

/** What a record was after so many of its events. */
export interface Milestone {
  /** The moment of the last of them. */
  readonly at: string;
  readonly events: number;
  readonly state: unknown;
}

const CACHE_CHARACTERS = 8 * 1024 * 1024;
const OVERHEAD = 500;
/** So many events lie between one and the next. */
const EVERY = 32;

export const isFar = (events: number, last: Milestone | undefined): boolean => events - (last?.events ?? 0) >= EVERY;

interface Known {
  readonly milestones: readonly Milestone[];
  readonly characters: number;
}

/** States of records that were looked at last, so that other moments of theirs are not folded from the beginning. */
export class Milestones {
  private readonly known = new LRUCache<string, Known>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: ({ characters }) => OVERHEAD + characters,
  });

  /** The last one before the end of a moment. */
  before(key: string, at: string): Milestone | undefined {
    return this.known.get(key)?.milestones.findLast((milestone) => milestone.at <= at);
  }

  /** Adds later ones. */
  add(key: string, milestones: readonly Milestone[], charactersOfState: number): void {
    const { milestones: earlier = [], characters = 0 } = this.known.get(key) ?? {};
    const last = earlier.at(-1)?.events ?? 0;
    const added = milestones.filter(({ events }) => events > last);
    if (added.length === 0) return;
    const more = added.length * (OVERHEAD + charactersOfState);
    this.known.set(key, { milestones: [...earlier, ...added], characters: characters + more });
  }

  forget(key: string): void {
    this.known.delete(key);
  }
}
