import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { inventory } from '../decider.js';
import { generatedCodes } from './domain/completion.js';
import type { KnownCodes } from '../ledger/known-history.js';
import type { LotCodeLookup } from '../lot-code-lookup.js';

/** Whether lot codes of outputs are new: those that are given, and those that are made up when an order's number is known. */

/** Numbers for which one look-up is enough; as many orders may be under way at once. */
const AHEAD = 1_024;
const MARGIN = AHEAD / 2;
const STORES = 1_000;

interface Ahead {
  readonly first: number;
  readonly known: Promise<KnownCodes | undefined>;
  failed?: true;
  /** Asked for before it is needed. */
  following?: Ahead;
}

interface Output {
  readonly variantId: string;
  /** Null when one is to be made up. */
  readonly code: string | null;
  /** The order's number; undefined as long as it has none. */
  readonly number: number | undefined;
  readonly day: string;
}

export class OutputCodes {
  private readonly ahead = new LRUCache<string, Ahead>({ max: STORES });

  constructor(private readonly lookup: LotCodeLookup) {}

  known(context: RequestContext, output: Output): Promise<KnownCodes | undefined> {
    const { variantId, code, number, day } = output;
    if (code !== null) return this.lookup.find(context, [{ variantId, lotCode: code }]);
    if (number !== undefined) return this.lookup.find(context, generated(variantId, day, number, 1));
    return this.next(context, output);
  }

  private async next(context: RequestContext, output: Output): Promise<KnownCodes | undefined> {
    const head = await context.head(inventory);
    if (!this.lookup.isNeeded(context, head)) return undefined;
    const { history, lastOrder } = head.state;
    const key = `${context.storeId} ${output.variantId} ${output.day}`;
    for (;;) {
      const ahead = this.from(key, lastOrder + 1, context, output);
      const known = await ahead.known;
      if (known && known.asOf + 1 >= history.since) return known;
      if (this.ahead.get(key) === ahead) this.ahead.delete(key);
    }
  }

  /** What is known of a number and many after it; the next so many are asked for while these last. */
  private from(key: string, number: number, context: RequestContext, { variantId, day }: Output): Ahead {
    const look = (): Ahead => {
      const known = this.lookup.find(context, generated(variantId, day, number, AHEAD));
      const ahead: Ahead = { first: number, known };
      known.catch(() => (ahead.failed = true));
      return ahead;
    };
    const before = this.ahead.get(key);
    const ahead = [before, before?.following].find((one) => one && covers(one, number)) ?? look();
    if (number >= ahead.first + MARGIN / 2 && (!ahead.following || ahead.following.failed)) ahead.following = look();
    this.ahead.set(key, ahead);
    return ahead;
  }
}

const covers = ({ first, failed }: Ahead, number: number): boolean =>
  failed !== true && number >= first && number < first + MARGIN;

const generated = (variantId: string, day: string, first: number, count: number) =>
  Array.from({ length: count }, (_, index) => generatedCodes(day, first + index)).flatMap((codes) =>
    codes.map((lotCode) => ({ variantId, lotCode })),
  );
