import { z } from 'zod';
import { fiscal } from '../../features/fiscal/decider.js';
import { webhooks } from '../../features/webhooks/decider.js';
import type { Delivery } from '../../features/webhooks/deliveries.js';
import { delivery, deliveryIdFor, mayBeSent, reopened } from '../../features/webhooks/deliveries.js';
import { WEBHOOK_TEST } from '../../features/webhooks/events.js';
import { metaOf } from '../../kernel/events/recorded.js';
import { StreamStates } from '../../kernel/events/stream-states.js';
import { streamName } from '../../kernel/events/decider.js';
import { timeOfId } from '../../kernel/values/ids.js';
import type { StoredEvent } from '../../ports/event-store.js';
import type { RestoredMoment } from '../../ports/restore-rules.js';

const key = z
  .object({
    seed: z.object({ at: z.number() }).loose(),
    answer: z.object({ recorded: z.boolean().optional() }).loose().optional(),
  })
  .loose();
const made = z.object({ id: z.string(), destinationId: z.string(), event: z.string(), createdAt: z.string() }).loose();

const KEYED = '"keyed":true';

/**
 * What the events that stay and those that are gone say of rows that follow from them. Times alone do not tell: commands of one moment lie on
 * both sides, one that took long is recorded with the time at which it came, and clocks are put right.
 */
export class SidesOfCut {
  /** When commands with a key of idempotency came that have events there: the seed of their ids. */
  private readonly kept;
  private readonly lost = new Set<number>();
  /** Events beyond the cut that webhooks may tell of, by their time. */
  private readonly untold = new Map<string, string[]>();

  /** Where they are sent to, as it stands at the cut. */
  private readonly webhooks = new StreamStates(webhooks);

  constructor(kept: Iterable<StoredEvent>, lost: Iterable<StoredEvent>) {
    this.kept = new Set(timesOfKeyed(this.followed(kept)));
    for (const stored of lost) {
      for (const time of timesOfKeyed([stored])) this.lost.add(time);
      if (!stored.stream.startsWith(`${fiscal.category}-`)) continue;
      const { at } = metaOf(stored);
      const others = this.untold.get(at);
      if (others) others.push(stored.id);
      else this.untold.set(at, [stored.id]);
    }
  }

  private *followed(kept: Iterable<StoredEvent>): Generator<StoredEvent> {
    for (const stored of kept) {
      this.webhooks.add(stored);
      yield stored;
    }
  }

  /** A command that stayed is answered as before; one that is gone is done again. `at` is the moment of the last event that stays. */
  keyAfter(row: unknown, at: number) {
    const { answer, ...value } = key.parse(row);
    const time = value.seed.at;
    const [isKept, isLost] = [this.kept.has(time), this.lost.has(time)];
    // It rests on nothing that was recorded, or is of a release that did not say so.
    const isBare = answer !== undefined && answer.recorded !== true;
    if (isBare || (!isKept && !isLost)) return time > at ? 'goes' : 'stays';
    if (!isLost) return 'stays';
    // Done again with the same ids, what stayed is found, and the rest is done.
    return isKept ? { value } : 'goes';
  }

  /** One whose event is gone goes. One that a change beyond the cut cancelled is open again, as it was at the cut. */
  deliveryAfter(row: unknown, { at, now }: Pick<RestoredMoment, 'at' | 'now'>) {
    const found = made.safeParse(row);
    if (!found.success) return 'stays';
    if (this.isOfLost(found.data, at)) return 'goes';
    if (found.data['status'] !== 'CANCELLED') return 'stays';
    const known = delivery.parse(row);
    return this.mayBeSent(known) ? { value: reopened(known, now), dueAt: now } : 'stays';
  }

  private isOfLost({ id, destinationId, event, createdAt }: z.output<typeof made>, at: number): boolean {
    // A trial that somebody asked for is of no event.
    if (event === WEBHOOK_TEST) return Date.parse(createdAt) > at;
    const untold = this.untold.get(createdAt) ?? [];
    return untold.some((eventId) => deliveryIdFor({ id: eventId, at: createdAt }, destinationId) === id);
  }

  /** Those of releases that did not say when the destination was switched on do not tell what cancelled them. */
  private mayBeSent({ activation, storeId, destinationId }: Delivery): boolean {
    const { destinations } = this.webhooks.of(streamName(webhooks.category, storeId));
    return activation !== undefined && mayBeSent({ activation }, destinations.get(destinationId));
  }
}

function* timesOfKeyed(events: Iterable<StoredEvent>): Generator<number> {
  for (const stored of events) {
    if (!stored.meta.includes(KEYED)) continue;
    const { keyed, causationId } = metaOf(stored);
    if (keyed) yield timeOfId(causationId);
  }
}
