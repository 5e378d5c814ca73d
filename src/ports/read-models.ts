import type { Decimal } from '../kernel/values/decimal.js';
import type { Position } from './event-store.js';

export type Scalar = string | number | null;
/**
 * An `id` is a UUID, or a text made of some: an engine may store it shorter, and it is sorted among its like alone. What people write is `text`,
 * which is sorted as it reads.
 */
export type ColumnType = 'id' | 'text' | 'integer' | 'real';

export type Counters = Readonly<Record<string, Decimal | number>>;

/** What a document adds to counters, beside the ids of the totals documents that hold them, each id once. */
export type Contributions = readonly (readonly [id: string, counters: Counters])[];

/** Sums over the documents of a collection, kept while they change: each counter that is not zero, as a number. */
export interface TotalsDocument {
  readonly [counter: string]: number | Readonly<Record<string, string>>;
  /** Hidden: the same to the last decimal. */
  readonly exact: Readonly<Record<string, string>>;
}

/** A set of documents, one per record; each keeps the bytes of its answer. */
export interface RecordCollection<D extends object = object> {
  readonly kind: 'records';
  readonly name: string;
  /** Raise it when the documents' shape or meaning changes: the collection is then rebuilt. */
  readonly version: number;
  /** Members of the document that its answer leaves out. */
  readonly hidden: readonly (keyof D & string)[];
  readonly columns: Readonly<Record<string, { readonly type: ColumnType; of(document: D, id: string): Scalar }>>;
  /** What a record is found by beside its columns, any number of values of each, as of rows. */
  readonly keys?: Readonly<
    Record<string, { readonly type: ColumnType; of(document: D, id: string): readonly Scalar[] }>
  >;
  /**
   * Columns of each index, or a key and columns behind it of which the first is never null; the store comes first and the id last by themselves.
   * A sort needs its index.
   */
  readonly indexes: readonly (readonly string[])[];
  /** Its documents are seldom touched again: whoever writes them need not keep them at hand. */
  readonly isWrittenOnce?: true;
  /** Answers show some of its many records and are kept until one of those is written: who writes one says which. */
  readonly isShownByRecord?: true;
  /**
   * What a record is about, by ids and other texts; when it goes, what it was about. Answers that rest on many records are kept until something is
   * written about one of theirs.
   */
  subjectsOf?(id: string, document: D | undefined): readonly string[];
  /** The text whose words a query's `words` are matched against. */
  words?(document: D): string;
  /** Raise the version when what a document contributes changes. */
  readonly totals?: {
    of(document: D): Contributions;
    readonly collection: RecordCollection<TotalsDocument>;
  };
  /**
   * For documents that are long, many and seldom read: a body as most of them have it. An engine may store theirs compressed, with
   * what they have in common with this one left out.
   */
  readonly typicalBody?: string;
  /** Whose totals a collection of totals holds. They share its builds and its checkpoint. */
  readonly totalsOf?: string;
}

/** An append-only set of flat rows; each index makes every row dearer. */
export interface RowCollection<C extends string = string> {
  readonly kind: 'rows';
  readonly name: string;
  readonly version: number;
  readonly columns: Readonly<Record<C, ColumnType>>;
  /**
   * What a row is found by beside its columns, any number of values of each; they are not read back. A query names a value of one key, or several,
   * and beside it the columns that stand with the key in an index, and finds each row once.
   */
  readonly keys?: Readonly<Record<string, ColumnType>>;
  /** Each index has columns, or a key and columns behind it. */
  readonly indexes: readonly (readonly string[])[];
  /** Columns whose values mostly repeat from one row of an event to the next: where they do they are handed over once. */
  readonly repeated?: readonly NoInfer<C>[];
  /** Columns that say what a row is about, as `subjectsOf` does of a record. */
  readonly subjects?: readonly NoInfer<C>[];
}

export type AnyCollection = RecordCollection<never> | RowCollection;

/** A record as it is stored. `body` is the JSON of its answer, to be sent as it is. */
export interface StoredRecord {
  readonly id: string;
  readonly body: string;
  /** JSON of the members that the answer leaves out. */
  readonly hidden: string;
}

export interface Query {
  readonly store: string;
  readonly equal?: Readonly<Record<string, Scalar>>;
  readonly oneOf?: { readonly column: string; readonly values: readonly Scalar[] };
  /** Bounds have the form of the column's values: among times they are times to the millisecond. */
  readonly range?: {
    readonly column: string;
    readonly from?: Scalar;
    readonly after?: Scalar;
    readonly to?: Scalar;
    readonly before?: Scalar;
  };
  /** Every word of it must begin a word of the record's text (records with `words` alone). */
  readonly words?: string;
}

/** Through what records are found: those whose column holds a value that a column of the same type of these other records holds. */
export interface Link {
  readonly column: string;
  readonly to: RecordCollection<never>;
  readonly toColumn: string;
  readonly among: NonNullable<Query['oneOf']>;
}

export interface PagedQuery extends Query {
  /** Ties are broken by id in the same direction. */
  readonly sort: { readonly column: string; readonly direction: 'asc' | 'desc' };
  readonly limit: number;
  readonly offset?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** A page by its number: any of them costs about the same. */
export interface SliceQuery extends Query {
  readonly sort: PagedQuery['sort'];
  readonly offset: number;
  readonly limit: number;
}

export interface Slice {
  readonly bodies: readonly string[];
  /** How many records match in all. */
  readonly total: number;
}

export type Row<C extends string = string> = Readonly<Record<C, Scalar>>;

export class InvalidCursor extends Error {}

/** Names of columns. */
export interface SummaryWish {
  readonly sum?: readonly string[];
  readonly countDistinct?: readonly string[];
  /** How many of them have these values as well: in one reading of all that match. */
  readonly countWhere?: Readonly<Record<string, Scalar>>;
  readonly least?: readonly string[];
  readonly greatest?: readonly string[];
}

/** By the names of columns; extremes of nothing are null. */
export interface Summary {
  readonly count: number;
  readonly sum: Readonly<Record<string, number>>;
  readonly countDistinct: Readonly<Record<string, number>>;
  /** All of them when nothing was asked of it. */
  readonly countWhere: number;
  readonly least: Readonly<Record<string, Scalar>>;
  readonly greatest: Readonly<Record<string, Scalar>>;
}

/** Which rows: of each key, which are the values of the columns `by`, the last by `column` that is not beyond `upTo`, a value of the column's form. */
export interface LastRowsQuery<C extends string = string> {
  /** Or one key of the collection. */
  readonly by: readonly string[];
  readonly keys: readonly (readonly (string | number)[])[];
  readonly column: NoInfer<C>;
  readonly upTo: string | number;
}

/** How full a cache is; without bytes where its entries are what bounds it. */
export interface CacheSize {
  readonly name: string;
  readonly entries: number;
  readonly bytes?: number;
}

/** What an answer rests on. */
export interface Beneath {
  /** All that is in them. */
  readonly collections?: readonly AnyCollection[];
  /** Which records there are, in which order, and by what they are found. */
  readonly lists?: readonly RecordCollection<never>[];
  /** The records that it shows, as its maker says; all that is in a collection of which nothing is said. */
  readonly records?: readonly RecordCollection<never>[];
  /** What is in them about the subjects that its maker names. Each must say what its records or rows are about. */
  readonly about?: readonly AnyCollection[];
}

/** By this the maker of an answer says more closely what it rests on, before the answer is there. */
export interface Resting {
  /** Records of a collection that it shows, those that are missing included. */
  readonly shows: (collection: RecordCollection<never>, ids: readonly string[]) => void;
  /** Subjects about which nothing may be written without ending it, those included of which nothing is known yet. */
  readonly about: (subjects: readonly (string | Known)[]) => void;
  /** About how many bytes it takes in memory; of what is bytes itself that is known. */
  readonly takes: (bytes: number) => void;
}

/** Where nothing is kept. */
export const NOT_KEPT: Resting = { shows: () => undefined, about: () => undefined, takes: () => undefined };

/** Something that is worked out of each of many subjects. */
export interface KindOfKnown<T> {
  /** Tells it from others that are worked out of the same subjects. */
  readonly name: string;
  /** What it is read from. Each must say what its records or rows are about. */
  readonly about: readonly AnyCollection[];
  /** About how many bytes one takes in memory. */
  readonly takes: (known: T) => number;
}

/** What is known of a subject: the same object whenever it is asked for, for as long as it is kept. */
export interface Known<T = unknown> {
  readonly subject: string;
  /** Tells the subject from all others of the kind. */
  readonly ordinal: number;
  /** What was found last. */
  readonly value: T;
}

/** Works it out of subjects of which it is not known; `former` is what was known of each before something was written about it. */
export type MakeKnown<T> = (subjects: readonly string[], former: readonly (T | undefined)[]) => Promise<readonly T[]>;

export interface KnownOfEach<T> {
  /** In the order of the subjects. What was found before may be given in place of a subject: then nothing need be looked up. */
  of(subjects: readonly (string | Known<T>)[]): Promise<readonly Known<T>[]>;
}

/** What queries use. Nothing here knows SQL or Mongo operators. */
export interface ReadModels {
  /** What is kept ready in memory; undefined where nothing is. */
  cacheSizes?(): readonly CacheSize[];
  get(collection: RecordCollection<never>, store: string, id: string): Promise<StoredRecord | undefined>;
  /** Missing ids are left out; the order is that of the ids. */
  getMany(collection: RecordCollection<never>, store: string, ids: readonly string[]): Promise<readonly StoredRecord[]>;
  /** The bodies alone, one for each id in their order; `undefined` where there is no such record. */
  getBodies(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
  /** The same of what is hidden. */
  getHidden(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
  /** The same with some columns alone, which are read in a fraction of the time. */
  getColumns<C extends string>(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
    columns: readonly C[],
  ): Promise<readonly (Row<C> | undefined)[]>;
  find(collection: RecordCollection<never>, query: PagedQuery): Promise<Page<StoredRecord>>;
  /** The bodies alone, for lists that give nothing else. */
  findBodies(collection: RecordCollection<never>, query: PagedQuery): Promise<Page<string>>;
  slice(collection: RecordCollection<never>, query: SliceQuery): Promise<Slice>;
  /** Columns that are not wanted are not read. */
  findRows<C extends string, W extends C = C>(
    collection: RowCollection<C>,
    query: PagedQuery,
    wanted?: readonly W[],
  ): Promise<Page<Row<W>>>;
  /** Needs an index of the columns `by` and then `column`. Keys without such a row have none; any order. */
  lastRows<C extends string>(
    collection: RowCollection<C>,
    store: string,
    query: LastRowsQuery<C>,
  ): Promise<readonly Row<C>[]>;
  count(collection: AnyCollection, query: Query): Promise<number>;
  /** How many records match that are found through others, each once however many lead to it. */
  countLinked(collection: RecordCollection<never>, query: Omit<Query, 'words'>, link: Link): Promise<number>;
  /** Sums, distinct counts and extremes of columns over the records or rows that match. */
  summarise(collection: AnyCollection, query: Query, what: SummaryWish): Promise<Summary>;
  /** The values of a column other than null over the records or rows that match, each once, in any order: who asks has seen how many they are. */
  distinct(collection: AnyCollection, query: Query, column: string): Promise<readonly (string | number)[]>;
  /**
   * What `make` gives, which must rest on the key and on what is named here of the store alone: perhaps it was made before, and nothing of that
   * was written since. Who gets it must not change it.
   */
  kept<T>(beneath: Beneath, store: string, key: string, make: (resting: Resting) => Promise<T>): Promise<T>;
  /** What is known of subjects one by one: perhaps it was made before, and nothing about the subject was written since. */
  knownOfEach<T>(kind: KindOfKnown<T>, store: string, make: MakeKnown<T>): KnownOfEach<T>;
  close(): Promise<void>;
}

export interface FoundRecord extends StoredRecord {
  readonly store: string;
}

/** Every record of a collection, of all stores, a page at a time; of rows the ids alone. */
export type EveryRecord = (collection: AnyCollection, pageSize: number) => Iterable<readonly FoundRecord[]>;

/** Which build of a collection a write or load speaks of: the live one, or the one that a rebuild makes beside it. */
export type Generation = 'live' | 'next';

/** Names a record. */
export interface RecordKey {
  readonly store: string;
  readonly id: string;
  /** Both as one text, `store/id`, where that is made already: what is looked up by the same text again is found sooner. */
  readonly key?: string;
}

/** By what a record is looked up among those of all stores. */
export const keyOf = ({ store, id, key }: RecordKey): string => key ?? `${store}/${id}`;

export interface RecordWrite extends RecordKey {
  /** `undefined` deletes the record. */
  readonly document: object | undefined;
  /** Position of the event that it last saw. */
  readonly position: Position;
}

export interface LoadedRecord {
  /** Answer and hidden members together; `undefined` for a deleted one. */
  readonly document: object | undefined;
  /** No event up to here may be applied to it again. */
  readonly position: Position;
}

export interface RowWrite {
  readonly store: string;
  /** Unique within the collection and derived from its event, so that a repeat changes nothing. */
  readonly id: string;
  readonly values: Row;
  readonly keys?: RowKeys | undefined;
  readonly position: Position;
}

/** By the names of keys; each value once. */
export type RowKeys = Readonly<Record<string, readonly Scalar[]>>;

export interface CollectionWrites {
  readonly collection: AnyCollection;
  readonly generation: Generation;
  /** Written before the records: a record that has seen an event says that the totals have. */
  readonly totals?: readonly RecordWrite[];
  readonly records: readonly RecordWrite[];
  readonly rows: readonly RowWrite[];
}

export interface Checkpoint {
  readonly collection: string;
  readonly version: number;
  readonly generation: Generation;
  readonly logId: string;
  readonly position: Position;
}

/** Another process has begun the rebuild of a collection anew: this one's is worthless, and ends. */
export class RebuildReplaced extends Error {
  constructor(collection: string) {
    super(`another process has begun to rebuild ${collection} anew`);
    this.name = 'RebuildReplaced';
  }
}

/** What the projection engine writes through. */
export interface ProjectionStore {
  /** A commit happens whole or not at all. */
  readonly commitsWhole?: boolean;
  /** Makes ready what the collections need (tables, indexes); a changed version shows as a missing checkpoint. */
  prepare(collections: readonly AnyCollection[]): Promise<void>;
  checkpoints(): Promise<readonly Checkpoint[]>;
  /**
   * The records that are there, or are known not to be; keys are `store/id`. Where a commit is no transaction, one may be ahead of the checkpoint
   * (after a crash, or with two writers): the events that it has seen already must be left out.
   */
  load(
    collection: RecordCollection<never>,
    generation: Generation,
    keys: readonly RecordKey[],
  ): Promise<ReadonlyMap<string, LoadedRecord>>;
  /**
   * One write: documents, rows, then the checkpoints. Repeating it, whole or in part, changes nothing:
   * neither a document nor a checkpoint ever goes back to an older position.
   */
  commit(writes: readonly CollectionWrites[], checkpoints: readonly Checkpoint[]): Promise<void>;
  /** Empties `next` and readies it for a rebuild (secondary indexes may wait until the switch). */
  beginRebuild(collection: AnyCollection): Promise<void>;
  /** Makes `next` the live one at once, with its checkpoint; readers never see a gap. */
  switchRebuild(collection: AnyCollection): Promise<void>;
}
