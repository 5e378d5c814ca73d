import { LRUCache } from 'lru-cache';
import type { AnyCollection, Query } from '../../ports/read-models.js';
import type { ChangeStamps } from './read-changes.js';

const KEPT = 2_000;

interface KeptCount {
  readonly stamp: number;
  readonly count: Promise<number>;
}

/** Counts, kept until something that they rest on is written: a page of a long list asks for the same one again and again. */
export class CountCache {
  private readonly counts = new LRUCache<string, KeptCount>({ max: KEPT });

  constructor(private readonly stamps: ChangeStamps) {}

  /** The stamp is that of the question: what is written before the answer makes it worthless. */
  of({ name }: AnyCollection, query: Query, count: () => Promise<number>): Promise<number> {
    const key = JSON.stringify([name, query.store, query.equal, query.oneOf, query.range, query.words]);
    const stamp = this.stamps.of(name, query.store);
    const kept = this.counts.get(key);
    if (kept?.stamp === stamp) return kept.count;
    const fresh = { stamp, count: count() };
    this.counts.set(key, fresh);
    fresh.count.catch(() => {
      if (this.counts.get(key) === fresh) this.counts.delete(key);
    });
    return fresh.count;
  }
}
