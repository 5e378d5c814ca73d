import { LRUCache } from 'lru-cache';
import { lotCodes } from '../../../projections/lot-codes.js';
import type { Recorded } from '../../kernel/event.js';
import type { Head } from '../../kernel/lane-head.js';
import { Rejection, UNAVAILABLE } from '../../kernel/rejection.js';
import type { RequestContext } from '../../kernel/route.js';
import type { RecordCollection } from '../../ports/read-models.js';
import { inventory } from './decider.js';
import { touchesOf } from './domain/history.js';
import type { KnownCodes, Past } from './domain/past.js';
import { PastOutdated } from './domain/past.js';
import type { Inventory } from './domain/state.js';
import type { InventoryEvent } from './events.js';
import { lotCodeKey } from './events.js';

/** What the state has forgotten, looked up for a decision. */

const TRIES = 5;
const MARK_DISTANCE = 1_000;
const STORES = 1_000;

/** Decides again when what the decision was told of the past has been overtaken. */
export async function withPast<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PastOutdated)) throw error;
    }
  }
  throw new Rejection(UNAVAILABLE, 'The record changes too fast; try again');
}

/** A sale or an order whose document lists the revisions of its events in the hidden member `revisions`. */
export interface Remembered {
  readonly key: string;
  readonly id: string;
  readonly collection: RecordCollection<never>;
  /** Whether the event is the first of its kind of life. */
  readonly begins: (event: InventoryEvent) => boolean;
}

/** Everything that was recorded of it; no events when there is no such record. */
export async function pastOf(context: RequestContext, remembered: Remembered): Promise<Past<Recorded<InventoryEvent>>> {
  const { state, revision, position } = await context.head(inventory);
  const touches = touchesOf(state.history, remembered.key);
  const recent = await context.eventsAt(inventory, touches);
  const first = recent[0];
  if (first && remembered.begins(first)) return pastWith(revision, recent);
  const record = await context.readsPast(position).get(remembered.collection, remembered.id);
  if (!record) return { asOf: revision, events: [] };
  const { revisions } = JSON.parse(record.hidden) as { revisions: readonly number[] };
  const all = [...new Set([...revisions, ...touches])].sort((a, b) => a - b);
  return pastWith(revision, await context.eventsAt(inventory, all));
}

const pastWith = (asOf: number, events: readonly Recorded<InventoryEvent>[]): Past<Recorded<InventoryEvent>> => ({
  asOf,
  events: events.map((event) => ({ revision: event.revision, event })),
});

/** Looks lot codes up without waiting for the last write: a position a little way back is enough, the state knows the rest. */
export class LotCodeLookup {
  private readonly marks = new LRUCache<string, { readonly settled: Mark | undefined; readonly next: Mark }>({
    max: STORES,
  });

  /** Undefined while the state itself knows every code. */
  async find(
    context: RequestContext,
    wanted: readonly { readonly variantId: string; readonly lotCode: string }[],
  ): Promise<KnownCodes | undefined> {
    if (wanted.length === 0) return undefined;
    const head = await context.head(inventory);
    if (head.state.history.since === 0) return undefined;
    const { revision, position } = this.markOf(context.storeId, head);
    const keys = wanted.map(({ variantId, lotCode }) => lotCodeKey(variantId, lotCode));
    const found = await context.readsPast(position).getMany(lotCodes, keys);
    return { asOf: revision, wanted: new Set(keys), found: new Set(found.map(({ id }) => id)) };
  }

  private markOf(storeId: string, { revision, position, state }: Head<Inventory>): Mark {
    const here = { revision, position };
    const known = this.marks.get(storeId) ?? { settled: undefined, next: here };
    const marks = revision - known.next.revision >= MARK_DISTANCE ? { settled: known.next, next: here } : known;
    this.marks.set(storeId, marks);
    const { settled } = marks;
    return settled && settled.revision + 1 >= state.history.since ? settled : here;
  }
}

interface Mark {
  readonly revision: number;
  readonly position: string;
}
