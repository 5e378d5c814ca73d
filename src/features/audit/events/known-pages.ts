import { LRUCache } from 'lru-cache';
import { StampedCache } from '../../../kernel/values/stamped-cache.js';
import type { EventTeller, Telling, ToldPage } from '../../../ports/event-teller.js';

const CACHE_BYTES = 16 * 1024 * 1024;
const CHARACTERS_OF_A_NAME = 200;
const FOR_EVER = 0;
const PAGES_REMEMBERED = 2_000;

/**
 * Pages that were asked for more than once, as they were told last. How events are told never changes, and what records are called is no
 * part of it. A page that nobody asks for again is not kept: it would push out others, and each that goes is work for the collector.
 */
export class KnownPages implements EventTeller {
  private readonly askedFor = new LRUCache<string, true>({ max: PAGES_REMEMBERED });
  private readonly pages = new StampedCache<ToldPage>(
    CACHE_BYTES,
    ({ bytes, names }) => bytes.byteLength + CHARACTERS_OF_A_NAME * names.length,
  );

  constructor(private readonly teller: EventTeller) {}

  tell(positions: readonly string[], telling: Telling): Promise<ToldPage> {
    const way = JSON.stringify(telling);
    if (!this.isAskedAgain(`${positions[0] ?? ''} ${positions.at(-1) ?? ''} ${way}`)) {
      return this.teller.tell(positions, telling);
    }
    const key = `${way} ${positions.join(' ')}`;
    return this.pages.getOrMake(key, FOR_EVER, () => this.teller.tell(positions, telling));
  }

  private isAskedAgain(ends: string): boolean {
    const known = this.askedFor.get(ends) === true;
    if (!known) this.askedFor.set(ends, true);
    return known;
  }
}
