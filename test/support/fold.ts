import type { Decider, Moment } from '../../src/kernel/events/decider.js';
import type { DomainEvent } from '../../src/kernel/events/event.js';

const FIRST_MOMENT = { at: '1970-01-01T00:00:00.000Z', actor: { kind: 'system', id: '', name: '' } } as const;

/** The state that events lead to. */
export function fold<S, C, E extends DomainEvent>(
  decider: Decider<S, C, E>,
  events: Iterable<E>,
  momentOf: (index: number) => Moment = (index) => ({ ...FIRST_MOMENT, revision: index }),
): S {
  let state = decider.initial;
  let index = 0;
  for (const event of events) state = decider.evolve(state, event, momentOf(index++));
  return state;
}
