import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import { inventory } from '../decider.js';
import { generatedCodes } from './domain/completion.js';
import type { KnownCodes } from '../ledger/known-history.js';
import type { LotCodeLookup } from '../history-lookup.js';

/** Whether lot codes of outputs are new: those that are given, and those that are made up when an order's number is known. */

/** Numbers for which one look-up is enough; as many orders may be under way at once. */
const AHEAD = 1_024;
const MARGIN = AHEAD / 2;
const STORES = 1_000;

interface Ahead {
  readonly first: number;
  readonly known: Promise<KnownCodes | undefined>;
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

  private async next(context: RequestContext, { variantId, day }: Output): Promise<KnownCodes | undefined> {
    const { state } = await context.head(inventory);
    const { since } = state.history;
    if (since === 0) return undefined;
    const key = `${context.storeId} ${variantId} ${day}`;
    const next = state.lastOrder + 1;
    const before = this.ahead.get(key);
    if (before && next >= before.first && next < before.first + MARGIN) {
      const known = await before.known;
      if (known && known.asOf + 1 >= since) return known;
    }
    const known = this.lookup.find(context, generated(variantId, day, next, AHEAD));
    this.ahead.set(key, { first: next, known });
    return known;
  }
}

const generated = (variantId: string, day: string, first: number, count: number) =>
  Array.from({ length: count }, (_, index) => generatedCodes(day, first + index)).flatMap((codes) =>
    codes.map((lotCode) => ({ variantId, lotCode })),
  );
