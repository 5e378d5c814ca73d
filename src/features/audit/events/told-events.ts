import { randomUUID } from 'node:crypto';
import { toldType } from '../../../../projections/audit/parts/histories.js';
import type { Entity, Language, Voice } from '../../../kernel/events/history.js';
import { distinctEntities } from '../../../kernel/events/history.js';
import { goodsWritten } from '../../../kernel/values/units-written.js';
import type { StoredEvent } from '../../../ports/event-store.js';
import type { NameThen } from '../../../ports/event-teller.js';
import { metaTexts } from './meta-texts.js';
import { voiceOf } from './voice.js';

/** What an event tells, as JSON that is ready for answers but for the names of records: those may be sealed, or forgotten. */
export interface ToldEvent {
  readonly at: string;
  readonly actorId: string;
  readonly requestId: string;
  readonly entities: readonly Entity[];
  /** The records, or parts of them, that its sentence names, in their order. */
  readonly names: readonly Omit<NameThen, 'at'>[];
  /** The members of a history's item: what stands before, between and after those names. */
  readonly told: readonly string[];
  /** The members that an event has beside them, but for its hash and its data. */
  readonly facts: string;
  readonly hash: string;
  /** Its kind has no later version than the one in which it is stored. */
  readonly isPresent: boolean;
}

const VOICES = { pt: voiceOf('pt'), en: voiceOf('en') };

/** Nobody who writes a text knows it: it stands where a name is left open. */
const OPEN = randomUUID();

/** Undefined for one that stands in no store's history. */
export function toldAs(stored: StoredEvent, language: Language): ToldEvent | undefined {
  const type = toldType(stored.type);
  if (!type) return undefined;
  const { id, stream, revision } = stored;
  const meta = metaTexts(stored.meta);
  const { schemaVersion, actor, actorId, requestId, at } = meta;
  const event = type.codec.decode(stored.type, schemaVersion, JSON.parse(stored.data));
  const names: Omit<NameThen, 'at'>[] = [];
  const { number, money, flag, list } = VOICES[language];
  const open = (name: Omit<NameThen, 'at'>) => `${OPEN}${String(names.push(name) - 1)};`;
  const counted = (variantId: string, named: boolean) =>
    open({ kind: 'variant', id: variantId, counted: { language, named } });
  const say: Voice = {
    number,
    money,
    flag,
    list,
    name: (kind, named, part) => open({ kind, id: named, ...(part === undefined ? {} : { part }) }),
    quantity: (value, variantId) => number(value) + counted(variantId, false),
    goods: (value, of) =>
      number(value) + (typeof of === 'string' ? counted(of, true) : goodsWritten(language, of.unit, of.description)),
  };
  const entities = distinctEntities(toldType(event.type)?.history.about(event.data) ?? []);
  const [first = '', ...others] = JSON.stringify(type.history[language](event.data, say)).split(OPEN);
  const places = others.map((piece) => {
    const end = piece.indexOf(';');
    return { name: Number(piece.slice(0, end)), text: piece.slice(end + 1) };
  });
  const told = [
    `"id":${quoted(id)},"type":${quoted(event.type)},"at":${at},"actor":${actor},"requestId":${requestId},"text":${first}`,
    ...places.map(({ text }) => text),
  ];
  const last = told.pop() ?? '';
  told.push(`${last},"entities":[${entities.map(entityText).join(',')}]`);
  return {
    at: JSON.parse(at) as string,
    actorId,
    requestId: JSON.parse(requestId) as string,
    entities,
    names: places.flatMap(({ name }) => names[name] ?? []),
    told,
    facts: `"schemaVersion":${String(schemaVersion)},"storeId":${meta.storeId},"causationId":${meta.causationId},"stream":${quoted(stream)},"revision":${String(revision)}`,
    hash: meta.hash,
    isPresent: schemaVersion === type.codec.versionOf(stored.type),
  };
}

const PLAIN = /^[\w\-:. ]*$/;

/** As JSON, which for most texts is the text between quotes. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

const entityText = ({ kind, id }: Entity): string => `{"kind":${quoted(kind)},"id":${quoted(id)}}`;
