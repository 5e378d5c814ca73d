import { z } from 'zod';
import { fiscal } from '../../features/fiscal/decider.js';
import { deliveryIdFor } from '../../features/webhooks/deliveries.js';
import { WEBHOOK_TEST } from '../../features/webhooks/events.js';
import { metaOf } from '../../kernel/events/recorded.js';
import { timeOfId } from '../../kernel/values/ids.js';
import type { StoredEvent } from '../../ports/event-store.js';

const key = z
  .object({
    seed: z.object({ at: z.number() }).loose(),
    answer: z.object({ recorded: z.boolean().optional() }).loose().optional(),
  })
  .loose();
const delivery = z.object({ id: z.string(), destinationId: z.string(), event: z.string(), createdAt: z.string() });

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

  constructor(kept: Iterable<StoredEvent>, lost: Iterable<StoredEvent>) {
    this.kept = new Set(timesOfKeyed(kept));
    for (const stored of lost) {
      for (const time of timesOfKeyed([stored])) this.lost.add(time);
      if (!stored.stream.startsWith(`${fiscal.category}-`)) continue;
      const { at } = metaOf(stored);
      const others = this.untold.get(at);
      if (others) others.push(stored.id);
      else this.untold.set(at, [stored.id]);
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

  deliveryAfter(row: unknown, at: number) {
    const made = delivery.safeParse(row);
    if (!made.success) return 'stays';
    const { id, destinationId, event, createdAt } = made.data;
    // A trial that somebody asked for is of no event.
    const isGone =
      event === WEBHOOK_TEST
        ? Date.parse(createdAt) > at
        : (this.untold.get(createdAt) ?? []).some(
            (eventId) => deliveryIdFor({ id: eventId, at: createdAt }, destinationId) === id,
          );
    return isGone ? 'goes' : 'stays';
  }
}

function* timesOfKeyed(events: Iterable<StoredEvent>): Generator<number> {
  for (const stored of events) {
    if (!stored.meta.includes(KEYED)) continue;
    const { keyed, causationId } = metaOf(stored);
    if (keyed) yield timeOfId(causationId);
  }
}
