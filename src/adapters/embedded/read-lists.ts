import { LRUCache } from 'lru-cache';
import type { RowList } from './read-list-plans.js';

const KEPT_BYTES = 64 * 1024 * 1024;
const OVERHEAD = 500;

interface KeptList {
  readonly stamp: number;
  readonly list: Promise<RowList>;
}

/** Lists of row numbers, kept until something that they rest on is written: every page of a long list is a piece of the same one. */
export class ListCache {
  private readonly lists = new LRUCache<string, KeptList>({ maxSize: KEPT_BYTES });

  /** The stamp is that of the question: what is written before the answer makes it worthless. */
  of(key: string, stamp: number, make: () => Promise<RowList>): Promise<RowList> {
    const kept = this.lists.get(key);
    if (kept?.stamp === stamp) return kept.list;
    const fresh = { stamp, list: make() };
    this.lists.set(key, fresh, { size: OVERHEAD });
    fresh.list.then(
      ({ rows }) => {
        if (this.lists.peek(key) === fresh) this.lists.set(key, fresh, { size: OVERHEAD + rows.byteLength });
      },
      () => {
        if (this.lists.peek(key) === fresh) this.lists.delete(key);
      },
    );
    return fresh.list;
  }

  forget(key: string): void {
    this.lists.delete(key);
  }
}
