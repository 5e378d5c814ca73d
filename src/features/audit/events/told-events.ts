import { randomUUID } from 'node:crypto';
import { toldType } from '../../../../projections/audit/parts/histories.js';
import type { Entity, Language, Voice } from '../../../kernel/events/history.js';
import { distinctEntities } from '../../../kernel/events/history.js';
import type { StoredEvent } from '../../../ports/event-store.js';
import { decoded, entitiesOf } from '../../contracts/entity-events.js';
import { voiceOf } from './voice.js';

/** What an event tells, as JSON that is ready for answers but for the names of records: those may be sealed, or forgotten. */
export interface ToldEvent {
  readonly at: string;
  readonly actorId: string;
  readonly requestId: string;
  readonly entities: readonly Entity[];
  /** The records that its sentence names, in their order. */
  readonly names: readonly Entity[];
  /** The members of a history's item: what stands before, between and after those names. */
  readonly told: readonly string[];
  /** The members that an event has beside them, but for its data. */
  readonly facts: string;
  /** Its kind has no later version than the one in which it is stored. */
  readonly isPresent: boolean;
}

/** Nobody who writes a text knows it: it stands where a name is left open. */
const OPEN = randomUUID();

/** Undefined for one that stands in no store's history. */
export function toldAs(stored: StoredEvent, language: Language): ToldEvent | undefined {
  const event = decoded(stored);
  const type = toldType(stored.type);
  if (!event || !type) return undefined;
  const { id, meta, stream, revision } = event;
  const { at, actor, requestId, schemaVersion, storeId, causationId, hash } = meta;
  const names: Entity[] = [];
  const say: Voice = {
    ...voiceOf(language),
    name: (kind, named) => `${OPEN}${String(names.push({ kind, id: named }) - 1)};`,
  };
  const text = type.history[language](event.data, say);
  const entities = [...distinctEntities(entitiesOf(event))];
  const members = membersOf({ id, type: event.type, at, actor, requestId, text, entities });
  const [first = '', ...others] = members.split(OPEN);
  const places = others.map((piece) => ({
    name: Number.parseInt(piece, 10),
    text: piece.slice(piece.indexOf(';') + 1),
  }));
  return {
    at,
    actorId: actor.id,
    requestId,
    entities,
    names: places.flatMap(({ name }) => names[name] ?? []),
    told: [first, ...places.map((place) => place.text)],
    facts: membersOf({ schemaVersion, storeId, causationId, stream, revision, hash }),
    isPresent: schemaVersion === type.codec.versionOf(stored.type),
  };
}

const membersOf = (facts: object): string => JSON.stringify(facts).slice(1, -1);
