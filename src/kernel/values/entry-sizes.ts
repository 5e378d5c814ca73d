import type { LRUCache } from 'lru-cache';

/** Says what an entry weighs once that is known. The library takes no new size for the value that is there already. */
export function resize<T extends object>(entries: LRUCache<string, T>, key: string, entry: T, size: number): void {
  if (entries.peek(key) !== entry) return;
  entries.delete(key);
  entries.set(key, entry, { size });
}
