import { auditEvents } from '../../../../projections/audit/audit-events.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { StampedCache } from '../../../kernel/values/stamped-cache.js';

const CACHE_BYTES = 1024 * 1024;
const A_WHILE = 10 * 60_000;
const ALWAYS = 0;

/** About how many events have a key in a column. Counting takes long where there are many, and which are fewer hardly changes: what was counted counts for a while. */
export class Frequencies {
  private readonly counts = new StampedCache<number>(CACHE_BYTES, () => 0, { milliseconds: A_WHILE });

  of(context: RequestContext, column: string, key: number): Promise<number> {
    return this.counts.getOrMake(`${context.storeId} ${column} ${String(key)}`, ALWAYS, () =>
      context.reads.count(auditEvents, { equal: { [column]: key } }),
    );
  }
}
