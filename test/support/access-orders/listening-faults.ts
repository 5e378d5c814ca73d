import { permissionsOf } from '../../../src/features/auth/access/decider.js';
import { authFeature } from '../../../src/features/auth/feature.js';
import { heardEvent, kindsOf } from '../../../src/features/live/heard-events.js';
import type { StoredEvent } from '../../../src/ports/event-store.js';
import type { Listener } from './listening.js';
import type { People } from './people.js';

/** What those were told who follow what changes in a store, against what the log says. */

interface Change {
  readonly kind: string;
  readonly event: StoredEvent;
}

function changesOf({ world }: People, storeId: string): readonly Change[] {
  return world.log.events.flatMap((event) => {
    const heard = heardEvent(event);
    return heard.meta.storeId === storeId ? [...kindsOf(heard)].map((kind) => ({ kind, event })) : [];
  });
}

/** Whether the holder might view a kind, in every state of the store since a position, and before it. */
function views(people: People, { session: { storeId, userId } }: Listener, kind: string, position: string): boolean[] {
  const needed = authFeature.viewing?.[kind];
  const events = people.world.log.of(`access-${storeId}`);
  const before = events.filter((event) => event.position < position).length;
  return Array.from({ length: events.length - before + 1 }, (_, index) => {
    const members = [...people.accessAt(storeId, before + index).members.values()];
    const member = members.find((one) => one.userId === userId && one.active);
    return member !== undefined && needed !== undefined && permissionsOf(member).includes(needed as never);
  });
}

export function faultsOfListening(people: People): readonly string[] {
  return people.listeners.flatMap((listener) => faultsOf(people, listener));
}

function faultsOf(people: People, listener: Listener): readonly string[] {
  const { session, told, began = '' } = listener;
  const name = `who listens in ${session.sid.slice(-4)}`;
  const changes = changesOf(people, session.storeId);
  const strange = told.flatMap(({ kinds = [], id }) =>
    kinds
      .filter((kind) => !changes.some((change) => change.kind === kind && change.event.position <= id))
      .map((kind) => `${name} hears of ${kind} elsewhere`),
  );
  const forbidden = told.flatMap(({ kinds = [] }) =>
    kinds
      .filter((kind) => views(people, listener, kind, began).every((may) => !may))
      .map((kind) => `${name} hears of ${kind}`),
  );
  if (!listener.isOpen) return [...strange, ...forbidden];
  const over = session.ended ? [`${name} is told on: ${session.ended.why}`] : [];
  const missed = changes
    .filter(({ event }) => event.position > began)
    .filter(({ kind }) => views(people, listener, kind, began).every((may) => may))
    .filter(({ kind, event }) => !told.some(({ kinds, id }) => id >= event.position && (kinds?.includes(kind) ?? true)))
    .map(({ kind, event }) => `${name} does not hear of ${kind}: ${event.type} at ${event.position}`);
  return [...strange, ...forbidden, ...over, ...missed];
}
