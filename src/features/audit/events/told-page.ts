import type { DomainEvent } from '../../../kernel/events/event.js';
import type { EventStore } from '../../../ports/event-store.js';
import type { EventTeller, EventToTell, NameThen, Telling, ToldPage } from '../../../ports/event-teller.js';
import { decoded } from '../../contracts/entity-events.js';
import { bearsCosts, isChainedToCosts, withoutCosts } from '../costs.js';
import type { ToldEvent } from './told-events.js';
import { toldAs } from './told-events.js';

/** Those of some events that are wanted, told. A thread finds it by its name. */
export function tellEvents(events: readonly EventToTell[], telling: Telling): ToldPage {
  const { type, language } = telling;
  const page = new PageOfEvents();
  for (const stored of events) {
    if (type !== undefined && stored.type !== type) continue;
    const told = toldAs(stored, language);
    if (!told || !matches(told, telling)) continue;
    page.add(told);
    if (telling.whole) {
      const isWhole = !(telling.hidesCosts && bearsCosts(stored.type));
      const showsHash = !(telling.hidesCosts && isChainedToCosts(stored.stream));
      const facts = showsHash ? `${told.facts},"hash":${told.hash}` : told.facts;
      page.addData(facts, visibleJson(stored, told, isWhole));
    }
    page.end();
  }
  return page.asBytes();
}

/** Tells them on this thread. */
export const tellerHere = (eventStore: Pick<EventStore, 'readAt'>): EventTeller => ({
  tell: async (positions, telling) => tellEvents(await eventStore.readAt(positions), telling),
});

/** Where pages are written: it grows to the longest that there was, up to a bound. */
let room = Buffer.allocUnsafeSlow(256 * 1024);
const MOST_ROOM = 4 * 1024 * 1024;
/** A character takes three bytes at most. */
const MOST_OF_CHARACTER = 3;

class PageOfEvents {
  private bytes = room;
  private length = 0;
  private count = 0;
  private readonly names: NameThen[] = [];
  /** Where in the bytes the names belong. */
  private readonly places: number[] = [];

  add({ told, names, at }: ToldEvent): void {
    this.write(this.count === 0 ? '{' : ',{');
    this.count += 1;
    this.write(told[0] ?? '');
    names.forEach((name, index) => {
      this.places.push(this.length);
      this.names.push({ ...name, at });
      this.write(told[index + 1] ?? '');
    });
  }

  addData(facts: string, data: string | Uint8Array): void {
    this.write(`,${facts},"data":`);
    if (typeof data === 'string') this.write(data);
    else {
      this.expect(data.length);
      this.bytes.set(data, this.length);
      this.length += data.length;
    }
  }

  end(): void {
    this.write('}');
  }

  asBytes(): ToldPage {
    const { count, names, places } = this;
    // Not a part of a larger piece of memory: all of that would be sent between threads.
    const bytes = Buffer.allocUnsafeSlow(this.length);
    this.bytes.copy(bytes, 0, 0, this.length);
    if (this.bytes.length <= MOST_ROOM) room = this.bytes;
    return { count, bytes, names, places };
  }

  private write(text: string): void {
    this.expect(MOST_OF_CHARACTER * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  private expect(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** The index knows hashes alone, and one filter at a time. */
function matches(told: ToldEvent, { entityKind, entityId, actorId, requestId }: Telling): boolean {
  if (actorId !== undefined && told.actorId !== actorId) return false;
  if (requestId !== undefined && told.requestId !== requestId) return false;
  if (entityKind === undefined) return true;
  return told.entities.some(({ kind, id }) => kind === entityKind && (entityId === undefined || id === entityId));
}

/** What was recorded, as the asker may see it. What is stored in the present version of its kind goes out as it is. */
function visibleJson(stored: EventToTell, told: ToldEvent, isWhole: boolean): string | Uint8Array {
  if (told.isPresent && isWhole) return stored.dataBytes ?? stored.data;
  const event = decoded(stored);
  return event ? JSON.stringify(visibleData(event, !isWhole)) : stored.data;
}

/** The same of an event that may not have been stored. */
export function visibleData(event: DomainEvent, hidesCosts: boolean): unknown {
  const data = JSON.parse(JSON.stringify(event.data)) as unknown;
  return hidesCosts && bearsCosts(event.type) ? withoutCosts(data) : data;
}
