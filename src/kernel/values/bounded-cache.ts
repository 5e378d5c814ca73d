import { LRUCache } from 'lru-cache';

/** Keeps the entries that were used last. Told of a number alone, the library sets the room for all of them aside at once; this one grows with what it holds. */
export const boundedCache = <T extends object | string>(most: number): LRUCache<string, T> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
