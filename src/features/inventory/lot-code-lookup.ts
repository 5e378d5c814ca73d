import { LRUCache } from 'lru-cache';
import { lotCodes } from '../../../projections/inventory/lot-codes.js';
import { inventory } from './decider.js';
import type { Head } from '../../kernel/lanes/head.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { lotCodeKey } from './events.js';
import type { KnownCodes } from './ledger/known-history.js';
import type { Inventory } from './ledger/state.js';
import { REMEMBERED } from './ledger/touched-revisions.js';

/** Which lot codes there are, asked of the read models as far as the state has forgotten them. */

const STORES = 1_000;
/** The further back, the longer the read models may take; what happened since, the state must still remember. */
const FAR_ENOUGH = 0.8 * REMEMBERED;
const STEP = FAR_ENOUGH / 32;

interface Mark {
  readonly revision: number;
  readonly position: string;
}

/** Moments of a store's inventory, from a good way back until now. */
class Marks {
  private readonly marks: Mark[] = [];

  note({ revision, position }: Mark): void {
    const { marks } = this;
    const newest = marks.at(-1);
    if (newest && revision - newest.revision < STEP) return;
    marks.push({ revision, position });
    while (marks[1] && revision - marks[1].revision >= FAR_ENOUGH) marks.shift();
  }

  /** The oldest since which everything is remembered. */
  oldest(since: number): Mark | undefined {
    return this.marks.find(({ revision }) => revision + 1 >= since);
  }
}

/** Does not wait until the last write is seen: a moment some way back is enough, the state knows the rest. */
export class LotCodeLookup {
  private readonly marks = new LRUCache<string, Marks>({ max: STORES });

  /** Whether the state has forgotten codes. Everybody who may ask for some asks this, so that there are moments to go back to. */
  isNeeded({ storeId }: RequestContext, head: Head<Inventory>): boolean {
    this.marksOf(storeId).note(head);
    return head.state.history.since > 0;
  }

  /** Undefined while the state itself knows every code. */
  async find(
    context: RequestContext,
    wanted: readonly { readonly variantId: string; readonly lotCode: string }[],
  ): Promise<KnownCodes | undefined> {
    if (wanted.length === 0) return undefined;
    const head = await context.head(inventory);
    if (!this.isNeeded(context, head)) return undefined;
    const { revision, position } = this.marksOf(context.storeId).oldest(head.state.history.since) ?? head;
    const keys = wanted.map(({ variantId, lotCode }) => lotCodeKey(variantId, lotCode));
    const found = await context.readsPast(position).getMany(lotCodes, keys);
    return { asOf: revision, wanted: new Set(keys), found: new Set(found.map(({ id }) => id)) };
  }

  private marksOf(storeId: string): Marks {
    let marks = this.marks.get(storeId);
    if (!marks) this.marks.set(storeId, (marks = new Marks()));
    return marks;
  }
}
