import { StampedCache } from '../../../kernel/values/stamped-cache.js';
import type { EventTeller, Telling, ToldPage } from '../../../ports/event-teller.js';

const CACHE_BYTES = 16 * 1024 * 1024;
const CHARACTERS_OF_A_NAME = 200;
const FOR_EVER = 0;

/** Pages as they were told last. How events are told never changes, and what records are called is no part of it. */
export class KnownPages implements EventTeller {
  private readonly pages = new StampedCache<ToldPage>(
    CACHE_BYTES,
    ({ bytes, names }) => bytes.byteLength + CHARACTERS_OF_A_NAME * names.length,
  );

  constructor(private readonly teller: EventTeller) {}

  tell(positions: readonly string[], telling: Telling): Promise<ToldPage> {
    const key = `${JSON.stringify(telling)} ${positions.join(' ')}`;
    return this.pages.getOrMake(key, FOR_EVER, () => this.teller.tell(positions, telling));
  }
}
