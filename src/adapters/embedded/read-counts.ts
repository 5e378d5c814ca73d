import { LRUCache } from 'lru-cache';
import type { AnyCollection, Query } from '../../ports/read-models.js';

const KEPT = 2_000;

interface KeptCount {
  readonly stamp: number;
  readonly count: Promise<number>;
}

/** Counts, kept until something in their collection is written: a page of a long list asks for the same one again and again. */
export class CountCache {
  private readonly stamps = new Map<string, number>();
  private readonly counts = new LRUCache<string, KeptCount>({ max: KEPT });

  changed(collections: Iterable<string>): void {
    for (const name of collections) this.stamps.set(name, this.stampOf(name) + 1);
  }

  /** The stamp is that of the question: what is written before the answer makes it worthless. */
  of({ name }: AnyCollection, query: Query, count: () => Promise<number>): Promise<number> {
    const key = JSON.stringify([name, query.store, query.equal, query.oneOf, query.range, query.words]);
    const stamp = this.stampOf(name);
    const kept = this.counts.get(key);
    if (kept?.stamp === stamp) return kept.count;
    const fresh = { stamp, count: count() };
    this.counts.set(key, fresh);
    fresh.count.catch(() => {
      if (this.counts.get(key) === fresh) this.counts.delete(key);
    });
    return fresh.count;
  }

  private stampOf(name: string): number {
    return this.stamps.get(name) ?? 0;
  }
}
