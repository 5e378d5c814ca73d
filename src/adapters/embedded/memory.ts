import { memoryAllowed } from '../../kernel/values/memory-allowed.js';

/** What the process may take under load, and how much of it each of its caches. */

const MEGABYTE = 1024 * 1024;
/** What program and threads take without any cache. */
const PROGRAM = 160;
const LEAST_FOR_CACHES = 48;

export interface MemoryShares {
  /** SQLite's caches, in megabytes: the thread that writes read models, the main thread, and each thread that reads. */
  readonly writerMegabytes: number;
  readonly mainMegabytes: number;
  readonly readerMegabytes: number;
  /** What the thread that writes read models has for new objects: the projections of a batch live until it is written. */
  readonly writerYoungMegabytes: number;
  /** Answers that are kept ready, and what was worked out of many records, such as what a recall reaches. */
  readonly answersBytes: number;
  /** What is known of lots and orders one by one: where they lead to and what became of them. */
  readonly subjectsBytes: number;
  readonly listsBytes: number;
  /** Records whose bodies lie compressed, as they were last read. */
  readonly recordsBytes: number;
  /** How much of each collection's documents the projecting thread remembers. */
  readonly documentCharacters: number;
}

export function sharesOf(memory: number = memoryAllowed()): MemoryShares {
  const caches = Math.max(memory - PROGRAM, LEAST_FOR_CACHES);
  const share = (percent: number, least: number): number => Math.max(least, Math.floor((caches * percent) / 100));
  return {
    writerMegabytes: share(24, 8),
    mainMegabytes: share(10, 4),
    readerMegabytes: share(5, 2),
    writerYoungMegabytes: share(10, 12),
    answersBytes: share(16, 20) * MEGABYTE,
    subjectsBytes: share(12, 8) * MEGABYTE,
    listsBytes: share(8, 4) * MEGABYTE,
    recordsBytes: share(5, 4) * MEGABYTE,
    documentCharacters: Math.floor((share(15, 8) * MEGABYTE) / 16),
  };
}
