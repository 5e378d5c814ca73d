import type { DomainEvent } from '../../../kernel/events/event.js';
import type { EventStore, StoredEvent } from '../../../ports/event-store.js';
import type { EventTeller, NameThen, Telling, ToldPage } from '../../../ports/event-teller.js';
import { decoded } from '../../contracts/entity-events.js';
import { bearsCosts, withoutCosts } from '../costs.js';
import type { ToldEvent } from './told-events.js';
import { toldAs } from './told-events.js';

/** Those of some events that are wanted, told. */
export function tellEvents(events: readonly StoredEvent[], telling: Telling): ToldPage {
  const { type, language } = telling;
  const page = new PageOfEvents();
  for (const stored of events) {
    if (type !== undefined && stored.type !== type) continue;
    const told = toldAs(stored, language);
    if (told && matches(told, telling)) page.add(told, telling.whole ? wholeOf(stored, told, telling) : '}');
  }
  return page.asBytes();
}

/** Tells them on this thread. */
export const tellerHere = (eventStore: Pick<EventStore, 'readAt'>): EventTeller => ({
  tell: async (positions, telling) => tellEvents(await eventStore.readAt(positions), telling),
});

class PageOfEvents {
  private text = '';
  private count = 0;
  private readonly names: NameThen[] = [];
  /** Where in the text the names belong. */
  private readonly places: number[] = [];

  add({ told, names, at }: ToldEvent, rest: string): void {
    this.text += this.count === 0 ? '{' : ',{';
    this.count += 1;
    this.text += told[0] ?? '';
    names.forEach(({ kind, id }, index) => {
      this.places.push(this.text.length);
      this.names.push({ kind, id, at });
      this.text += told[index + 1] ?? '';
    });
    this.text += rest;
  }

  asBytes(): ToldPage {
    const { text, count, names } = this;
    // Not a part of a larger piece of memory: all of that would be sent between threads.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    const places: number[] = [];
    let [from, end] = [0, 0];
    for (const place of this.places) {
      end += bytes.write(text.slice(from, place), end);
      places.push(end);
      from = place;
    }
    bytes.write(from === 0 ? text : text.slice(from), end);
    return { count, bytes, names, places };
  }
}

/** The index knows hashes alone, and one filter at a time. */
function matches(told: ToldEvent, { entityKind, entityId, actorId, requestId }: Telling): boolean {
  if (actorId !== undefined && told.actorId !== actorId) return false;
  if (requestId !== undefined && told.requestId !== requestId) return false;
  if (entityKind === undefined) return true;
  return told.entities.some(({ kind, id }) => kind === entityKind && (entityId === undefined || id === entityId));
}

const wholeOf = (stored: StoredEvent, told: ToldEvent, { hidesCosts }: Telling): string =>
  `,${told.facts},"data":${visibleJson(stored, told, hidesCosts)}}`;

/** What was recorded, as the asker may see it. What is stored in the present version of its kind goes out as it is. */
function visibleJson(stored: StoredEvent, told: ToldEvent, hidesCosts: boolean): string {
  if (told.isPresent && !(hidesCosts && bearsCosts(stored.type))) return stored.data;
  const event = decoded(stored);
  return event ? JSON.stringify(visibleData(event, hidesCosts)) : stored.data;
}

/** The same of an event that may not have been stored. */
export function visibleData(event: DomainEvent, hidesCosts: boolean): unknown {
  const data = JSON.parse(JSON.stringify(event.data)) as unknown;
  return hidesCosts && bearsCosts(event.type) ? withoutCosts(data) : data;
}
