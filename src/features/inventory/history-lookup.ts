import { matches } from '../../kernel/events/if-match.js';
import type { Recorded } from '../../kernel/events/event.js';
import type { Head } from '../../kernel/lanes/head.js';
import { Turns } from '../../kernel/values/turns.js';
import { Rejection, UNAVAILABLE } from '../../kernel/events/rejection.js';
import type { Commands } from '../../kernel/lanes/commands.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { RecordCollection } from '../../ports/read-models.js';
import { inventory } from './decider.js';
import { touchesOf } from './ledger/touched-revisions.js';
import type { KnownHistory } from './ledger/known-history.js';
import { HistoryOutdated } from './ledger/known-history.js';
import type { Inventory } from './ledger/state.js';
import type { InventoryEvent } from './events.js';

/** What the state has forgotten, looked up for a decision. */

const TRIES = 5;

/** Records on which several requests decided at once, and how many of these wait for each other by now. */
const contested = new Map<string, { readonly turns: Turns; waiting: number }>();

/**
 * Decides again when what the decision was told of the past has been overtaken. Those who decide on one record of a store
 * and were overtaken come one after the other: each then finds the past as the one before left it.
 */
export async function withHistory<T>(attempt: () => Promise<T>, record?: string): Promise<T> {
  if (record === undefined) return tryAgain(attempt);
  if (!contested.has(record)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof HistoryOutdated)) throw error;
    }
  }
  return inTurn(record, () => tryAgain(attempt));
}

async function tryAgain<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof HistoryOutdated)) throw error;
    }
  }
  throw new Rejection(UNAVAILABLE, 'The record changes too fast; try again');
}

async function inTurn<T>(record: string, work: () => Promise<T>): Promise<T> {
  let queue = contested.get(record);
  if (!queue) contested.set(record, (queue = { turns: new Turns(), waiting: 0 }));
  queue.waiting += 1;
  try {
    return await queue.turns.take(work);
  } finally {
    queue.waiting -= 1;
    if (queue.waiting === 0) contested.delete(record);
  }
}

/** Names a record among those of all stores. */
export const recordOf = ({ storeId }: Pick<Commands, 'storeId'>, id: string): string => `${storeId}/${id}`;

/** Whether the client speaks of another revision of the record than the newest (If-Match). */
export const isStale = ({ ifMatch }: RequestContext, record: { readonly revision: number } | undefined): boolean =>
  record !== undefined && !matches(ifMatch, record.revision);

/** A sale or an order whose document lists the revisions of its events in the hidden member `revisions`. */
interface RecordWithRevisions {
  readonly key: string;
  readonly id: string;
  readonly collection: RecordCollection<never>;
  /** Whether the event is the first of its kind of life. */
  readonly begins: (event: InventoryEvent) => boolean;
}

type RecordedPast = KnownHistory<Recorded<InventoryEvent>>;

/** Everything that was recorded of it; no events when there is no such record. */
export async function historyOf(context: RequestContext, remembered: RecordWithRevisions): Promise<RecordedPast> {
  const head = await context.head(inventory);
  const recent = await recentHistory(context, head, remembered.key);
  const first = recent.events[0];
  if (first && remembered.begins(first.event)) return recent;
  const record = await context.readsPast(head.position).get(remembered.collection, remembered.id);
  if (!record) return { asOf: head.revision, events: [] };
  const { revisions } = JSON.parse(record.hidden) as { revisions: readonly number[] };
  const all = [...new Set([...revisions, ...touchesOf(head.state.history, remembered.key)])].sort((a, b) => a - b);
  return pastAt(context, head, all);
}

/** What the state itself remembers of a record. */
export const recentHistory = (context: Commands, head: Head<Inventory>, key: string): Promise<RecordedPast> =>
  pastAt(context, head, touchesOf(head.state.history, key));

async function pastAt(
  context: Commands,
  { revision: asOf }: Head<Inventory>,
  revisions: readonly number[],
): Promise<RecordedPast> {
  const events = await context.eventsAt(inventory, revisions);
  return { asOf, events: events.map((event) => ({ revision: event.revision, event })) };
}
