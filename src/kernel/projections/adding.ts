import type { DomainEvent, Recorded } from '../events/event.js';
import { grouped } from '../values/grouped.js';
import { memoise } from '../values/memoise.js';
import type { RecordHandler } from './projector.js';

/** Gives each document, once, all that an event says of it; what that is is worked out once an event. */
export function adding<D extends object, E extends Recorded<DomainEvent>, T>(
  of: (event: E) => readonly T[],
  idOf: (item: T) => string,
  evolve: (document: D | undefined, items: readonly T[], event: E) => D | undefined,
): RecordHandler<D, E> {
  const itemsById = memoise((event: E) => grouped(of(event), idOf));
  return {
    ids: (event) => [...itemsById(event).keys()],
    evolve: (document, event, id) => evolve(document, itemsById(event).get(id) ?? [], event),
  };
}
