import type {
  AnyCollection,
  ColumnType,
  Contributions,
  RecordCollection,
  Row,
  RowCollection,
  RowKeys,
  TotalsDocument,
} from '../../ports/read-models.js';
import type { DomainEvent, EventCodec, Recorded } from '../events/event.js';
import type { LogEvent, LogFold } from './log-event.js';

type OfType<E extends DomainEvent, T extends E['type']> = Recorded<Extract<E, { readonly type: T }>>;

/** What one kind of event does to the documents of a collection. */
export interface RecordHandler<D extends object, E extends Recorded<DomainEvent>> {
  /** The ids of the documents that it touches, in the event's store. */
  ids(event: E): readonly string[];
  /** Pure; gives the document after the event, or `undefined` when it is gone. What a document has seen is never applied to it again. */
  evolve(document: D | undefined, event: E, id: string): D | undefined;
}

export interface RowToAdd {
  /** Within the event; with the event's position it names the row. */
  readonly key: string;
  readonly values: Row;
  /** What it is found by beside its values. */
  readonly keys?: RowKeys;
}

export type RecordHandlers<D extends object, E extends DomainEvent> = {
  readonly [T in E['type']]?: RecordHandler<D, OfType<E, T>>;
};

export type RowHandlers<E extends DomainEvent> = {
  readonly [T in E['type']]?: (event: OfType<E, T>) => readonly RowToAdd[];
};

/** A projector as data: the engine loads, evolves in memory and commits. */
export interface Projector {
  readonly collection: AnyCollection;
  readonly codecs: readonly EventCodec<DomainEvent>[];
  readonly records: ReadonlyMap<string, RecordHandler<object, Recorded<DomainEvent>>>;
  readonly rows: ReadonlyMap<string, (event: Recorded<DomainEvent>) => readonly RowToAdd[]>;
  /** Rows of every event, whatever its kind. */
  readonly anyRows?: (event: LogEvent) => readonly RowToAdd[];
  /** Takes the place of handlers by event name. */
  readonly fold?: LogFold;
}

type RecordDefinition<D extends object> = Omit<RecordCollection<D>, 'kind' | 'totals' | 'totalsOf'> & {
  /** Pure; kept as sums in the collection that `totalsOf` gives. */
  readonly totals?: (document: D) => Contributions;
  /** Whether its totals are looked for by their ids, in the order of these. */
  readonly totalsById?: true;
};

/** Declares a collection of records. */
export function recordCollection<D extends object>(definition: RecordDefinition<D>): RecordCollection<D> {
  const { totals, totalsById, ...rest } = definition;
  if (!totals) return { kind: 'records', ...rest };
  return { kind: 'records', ...rest, totals: { of: totals, collection: totalsCollection(rest, totalsById === true) } };
}

const totalsCollection = (
  { name, version }: { readonly name: string; readonly version: number },
  isById: boolean,
): RecordCollection<TotalsDocument> => ({
  kind: 'records',
  name: `${name}-totals`,
  version,
  hidden: ['exact'],
  columns: isById ? { id: { type: 'id', of: (_document, id) => id } } : {},
  indexes: isById ? [['id']] : [],
  totalsOf: name,
});

/** The totals that a collection keeps. */
export function totalsOf(collection: RecordCollection<never>): RecordCollection<TotalsDocument> {
  if (!collection.totals) throw new Error(`${collection.name} keeps no totals`);
  return collection.totals.collection;
}

type RowDefinition<C extends string, K extends string> = Omit<RowCollection<C>, 'kind' | 'keys' | 'indexes'> & {
  readonly keys?: Readonly<Record<K, ColumnType>>;
  readonly indexes: readonly (readonly [NoInfer<C | K>, ...NoInfer<C>[]])[];
};

/** Declares a collection of rows. */
export function rowCollection<const C extends string, const K extends string = never>(
  definition: RowDefinition<C, K>,
): RowCollection<C> {
  return { kind: 'rows', ...definition };
}

const KEY_DIGITS = 6;

/** Rows of one event that follow each other in their order: what sorts alike comes in the order of the keys. */
export const rowsInOrder = (rows: readonly RowToAdd['values'][]): RowToAdd[] =>
  rows.map((values, index) => ({ key: String(index).padStart(KEY_DIGITS, '0'), values }));

type Codecs = readonly EventCodec<DomainEvent>[];
type EventOfAny<C extends Codecs> = C[number] extends EventCodec<infer E> ? E : never;

/** A projector of records, keyed by event name. */
export function recordProjector<D extends object, const C extends Codecs>(
  collection: RecordCollection<D>,
  codecs: C,
  on: RecordHandlers<D, EventOfAny<C>>,
): Projector {
  return {
    collection: collection,
    codecs,
    records: new Map(Object.entries(on)) as Projector['records'],
    rows: new Map(),
  };
}

/** A projector of append-only rows, keyed by event name. */
export function rowProjector<N extends string, const C extends Codecs>(
  collection: RowCollection<N>,
  codecs: C,
  on: RowHandlers<EventOfAny<C>>,
): Projector {
  return {
    collection,
    codecs,
    records: new Map(),
    rows: new Map(Object.entries(on)) as Projector['rows'],
  };
}

/** Tells which collections events of some types touch. */
export function collectionsTouched(projectors: readonly Projector[]): (types: Iterable<string>) => readonly string[] {
  const byType = new Map<string, Set<string>>();
  for (const { collection, records, rows } of projectors) {
    for (const type of [...records.keys(), ...rows.keys()]) {
      const names = byType.get(type) ?? new Set();
      byType.set(type, names.add(collection.name));
    }
  }
  const byAny = projectors.filter(({ anyRows, fold }) => anyRows ?? fold).map(({ collection }) => collection.name);
  return (types) => [...new Set([...types].flatMap((type) => [...byAny, ...(byType.get(type) ?? [])]))];
}

/** A projector of append-only rows that looks at every event as it is stored. */
export const logRowProjector = <N extends string>(
  collection: RowCollection<N>,
  anyRows: (event: LogEvent) => readonly RowToAdd[],
): Projector => ({ collection, codecs: [], records: new Map(), rows: new Map(), anyRows });

/** A projector that folds the whole log into a few documents. */
export const logFoldProjector = <D extends object>(collection: RecordCollection<D>, fold: LogFold): Projector => ({
  collection,
  codecs: [],
  records: new Map(),
  rows: new Map(),
  fold,
});
