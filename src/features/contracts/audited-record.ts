import type { StreamType } from '../../kernel/events/decider.js';
import type { DomainEvent, Recorded } from '../../kernel/events/event.js';
import type { Entity } from '../../kernel/events/history.js';
import { momentOf } from '../../kernel/events/recorded.js';
import type { Projector } from '../../kernel/projections/projector.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { StoredEvent } from '../../ports/event-store.js';
import type { RecordCollection } from '../../ports/read-models.js';
import type { FiscalSettings } from './fiscal-settings.js';

/** What a store was at a moment, as far as that makes what it has from its beginning, and what its records are shown with. */
export interface StoreThen {
  readonly id: string;
  readonly timeZone: string;
  readonly fiscal: Pick<FiscalSettings, 'taxRegime' | 'address'>;
}

/** At whose end a record is looked at, and the store's time zone. */
export interface PastMoment {
  readonly at: string;
  readonly timeZone: string;
}

/** What a record was, and what is shown of that. */
export interface PastState {
  readonly state: unknown;
  readonly shown: object;
}

/** A kind of record whose past can be looked at: how its events make it, step by step, and what is shown of it. */
export interface AuditedRecord {
  readonly kind: string;
  /** What follows from an event that the record occurs in; the first one meets undefined. */
  evolve(before: unknown, event: Recorded<DomainEvent>, id: string): unknown;
  /** What is shown; undefined when there is no such record, or no longer. */
  show(state: unknown, id: string): object | undefined;
  /** What the interface gives of it beside that: looked up, or worked out of the moment and the time zone of then. */
  complete?(context: RequestContext, past: PastState, moment: PastMoment): Promise<object>;
  /** What a store has of it from its beginning, and records with the first change alone. */
  readonly given?: (store: StoreThen, id: string) => object | undefined;
  /** What people call it. */
  nameOf(shown: object): string | undefined;
  /** What it is counted in, where it is goods. */
  unitOf?(shown: object): string;
  /** It is called the same for ever, as what has a number is. */
  readonly keepsName?: true;
  /** What its parts that have ids are called. */
  partsOf?(shown: object): readonly NamedPart[];
  /** Where its names are when its own events do not tell them. */
  readonly naming?: Naming;
  /** Records of these kinds change it with each of their events: its own kind, where what becomes the default takes that from another, and those that it names. */
  readonly changedBy?: readonly string[];
  /** Records that it names and that change it too, with each of their events, as what is deleted is taken from whatever had it. */
  mentions?(shown: object): readonly Entity[];
  /** The read model that holds its present state, with the time of its last change in `updatedAt`. */
  readonly collection?: RecordCollection<never>;
}

/** A part of a record, which is named with it: a variant of a product, a stage of an order. */
interface NamedPart {
  readonly id: string;
  /** Null where it has none of its own. */
  readonly name: string | null;
}

/** Another stream whose events tell what a record is called. */
export interface Naming {
  stream(id: string): string;
  /** What it is called from this event on; undefined where the event tells something else. */
  nameIn(event: StoredEvent): string | undefined;
}

const textIn = (shown: object, member: string): string | undefined => {
  const value = (shown as Readonly<Record<string, unknown>>)[member];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
};

/** A record that is in a read model: its projector alone knows how events make it. */
export const projectedRecord = (
  kind: string,
  projector: Projector,
  nameMember: string,
  /** Members that events of other records make. */
  apart: readonly string[] = [],
): AuditedRecord => {
  const { collection, records } = projector;
  if (collection.kind !== 'records') throw new Error(`${collection.name} holds no records`);
  const hidden: ReadonlySet<string> = new Set([...collection.hidden, ...apart]);
  return {
    kind,
    collection,
    evolve(before, event, id) {
      const handler = records.get(event.type);
      if (!handler?.ids(event).includes(id)) return before;
      return handler.evolve(before as object | undefined, event, id);
    },
    show(state) {
      if (typeof state !== 'object' || state === null) return undefined;
      return Object.fromEntries(Object.entries(state).filter(([member]) => !hidden.has(member)));
    },
    nameOf: (shown) => textIn(shown, nameMember),
  };
};

interface Folding<S> extends Pick<AuditedRecord, 'changedBy'> {
  readonly nameMember?: string;
  readonly given?: (store: StoreThen) => S;
}

/** A record that its decider's state alone holds. `pick` gives it as the interface does. */
export const foldedRecord = <S, C, E extends DomainEvent>(
  kind: string,
  { decider, events }: StreamType<S, C, E>,
  pick: (state: S, id: string) => object | undefined,
  { nameMember = 'name', given, ...changing }: Folding<S> = {},
): AuditedRecord => ({
  kind,
  ...changing,
  ...(given ? { given: (store, id) => pick(given(store), id) } : {}),
  evolve(before, event) {
    const state = before === undefined ? decider.initial : (before as S);
    if (!events.definitions.has(event.type)) return state;
    return decider.evolve(state, event as unknown as E, momentOf(event));
  },
  show: (state, id) => (state === undefined ? undefined : pick(state as S, id)),
  nameOf: (shown) => textIn(shown, nameMember),
});

/** A record that is written once and called nothing. */
export const writtenRecord = (
  kind: string,
  projector: Projector,
  completing: Pick<AuditedRecord, 'complete'>,
): AuditedRecord => {
  const record = projectedRecord(kind, projector, 'name');
  return {
    kind,
    ...completing,
    evolve: (before, event, id) => record.evolve(before, event, id),
    show: (state, id) => record.show(state, id),
    nameOf: () => undefined,
  };
};
