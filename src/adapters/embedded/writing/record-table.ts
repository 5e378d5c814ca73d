import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import type { Position } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';
import type {
  Generation,
  LoadedRecord,
  RecordCollection,
  RecordKey,
  RecordWrite,
  Scalar,
} from '../../../ports/read-models.js';
import { keyOf } from '../../../ports/read-models.js';
import type { Cell, Packer } from '../cells.js';
import { packed } from '../cells.js';
import { bodyOf, bodyPackerOf } from '../packed-bodies.js';
import { GreatestIds } from './greatest-ids.js';
import { GroupedInserts } from './grouped-inserts.js';
import type { Entries } from './key-entries.js';
import { KeyEntries } from './key-entries.js';
import { LatestRecords } from './latest-records.js';
import type { StoreNumbers } from './store-numbers.js';
import { columnOf, keyTablesOf, OF_STORE, packerOfColumn, tableOf } from './tables.js';
import { WordIndex } from './word-index.js';

interface KnownRecord {
  /** Its row, when there is one. */
  readonly record: number | undefined;
  readonly document: object | undefined;
  readonly position: Position;
  /** The length of its body and of its hidden members. */
  readonly characters: number;
  /** By what it is found, once that was worked out. */
  readonly found: Found | undefined;
}

interface StoredRecord {
  readonly record: number;
  readonly position: Position;
  readonly hidden: string;
  readonly body: string;
}

type Present = KnownRecord & { readonly record: number };

const isPresent = (known: KnownRecord): known is Present => known.record !== undefined;

/** The values of its columns, the text whose words are looked for, and the values of its keys. */
interface Found {
  readonly columns: readonly Scalar[];
  readonly text: string;
  readonly keys: readonly Entries[];
}

const NO_KEYS: readonly Entries[] = [];

/** What is remembered of a table: as much as fits, or what the latest transactions touched. */
interface KnownRecords {
  get(key: string): KnownRecord | undefined;
  set(key: string, record: KnownRecord, options: { readonly size: number }): unknown;
  forget?(): void;
}

function placesOfChanges(before: readonly Scalar[], after: readonly Scalar[]): readonly number[] {
  const places: number[] = [];
  for (let place = 0; place < after.length; place++) if (before[place] !== after[place]) places.push(place);
  return places;
}

const MISSING: KnownRecord = {
  record: undefined,
  document: undefined,
  position: START,
  characters: 0,
  found: undefined,
};
const OVERHEAD = 200;
const NO_ENTRIES: Entries = { values: [], columns: [] };

/** One build of a collection of records. Only this process writes it, so what was read or written last is known without reading. */
export class RecordTable {
  private readonly known: KnownRecords;
  private readonly columns: readonly { of(document: object, id: string): Scalar }[];
  /** How the values of each column lie. */
  private readonly packers: readonly Packer[];
  private readonly textOf: (document: object) => string;
  private readonly words: WordIndex | undefined;
  private readonly byKeys: readonly KeyEntries[];
  private readonly hidden: readonly string[];
  /** Where bodies are compressed. */
  private readonly packBody: (body: string) => string | Uint8Array;
  /** Hides the hidden members: what is undefined is left out of the JSON. */
  private readonly nothing: object;
  /** Numbers are given here, so that one is not used again while words of its old record are still on their way. */
  private lastRecord: number;
  private readonly greatest: GreatestIds;
  private readonly select: StatementSyncInstance;
  private readonly inserts: GroupedInserts;
  /** Rows with greater numbers may not be in the table yet. */
  private lastInTable: number;
  /** By the columns that change: an index is rewritten whenever a statement names a column of it. */
  private readonly updates = new Map<string, StatementSyncInstance>();
  /** Where its answer stays the same. */
  private readonly updateHidden: StatementSyncInstance;
  private readonly remove: StatementSyncInstance;

  constructor(
    private readonly database: DatabaseSyncInstance,
    private readonly collection: RecordCollection<never>,
    private readonly generation: Generation,
    private readonly numbers: StoreNumbers,
    knownCharacters: number,
  ) {
    this.known =
      collection.isWrittenOnce === true
        ? new LatestRecords<KnownRecord>()
        : new LRUCache<string, KnownRecord>({ maxSize: knownCharacters });
    const table = tableOf(collection, generation);
    const columns = Object.keys(collection.columns).map((name) => columnOf(collection, name));
    const names = ['position', 'hidden', 'body', ...columns];
    this.columns = Object.values(collection.columns);
    this.packers = Object.keys(collection.columns).map((name) => packerOfColumn(collection, name));
    this.textOf = (document) => collection.words?.(document as never) ?? '';
    this.byKeys = keyTablesOf(collection).map((of) => new KeyEntries(database, collection, of, generation));
    if (collection.words) this.words = new WordIndex(database, collection, generation, numbers);
    this.hidden = collection.hidden;
    this.nothing = Object.fromEntries(collection.hidden.map((name) => [name, undefined]));
    this.packBody = bodyPackerOf(collection);
    const stored = `${bodyOf(collection)} as body`;
    this.select = database.prepare(
      `select record, position, hidden, ${stored} from ${table} where ${OF_STORE} and id = ?`,
    );
    this.inserts = new GroupedInserts(database, table, { shared: [], own: [...names, 'store', 'id', 'record'] });
    this.updateHidden = database.prepare(`update ${table} set position = ?, hidden = ? where record = ?`);
    const last = database.prepare(`select coalesce(max(record), 0) as record from ${table}`);
    this.lastRecord = (last.get() as { readonly record: number }).record;
    this.lastInTable = this.lastRecord;
    this.remove = database.prepare(`delete from ${table} where record = ?`);
    this.greatest = new GreatestIds(database, table);
  }

  load(record: RecordKey): LoadedRecord {
    return this.find(record, keyOf(record));
  }

  /** Whether the record came, went, or is sorted, filtered or found otherwise than before. */
  write(write: RecordWrite): boolean {
    const key = keyOf(write);
    const known = this.find(write, key);
    if (known.position >= write.position) return false;
    const { document } = write;
    if (!document) return this.delete(write, key, known);
    return isPresent(known) ? this.change(write, document, key, known) : this.add(write, document, key);
  }

  /** To be called before the transaction ends. */
  finish(): void {
    this.insertAll();
    this.words?.flush();
    for (const table of this.byKeys) table.finish();
    this.known.forget?.();
  }

  private add({ store, id, position }: RecordWrite, document: object, key: string): true {
    const found = this.foundBy(document, id);
    const hidden = this.hiddenOf(document);
    const body = this.answerOf(document);
    const record = (this.lastRecord += 1);
    const cell = packed(id);
    const columns = found.columns.map(this.packColumn);
    const number = this.numbers.of(store);
    this.inserts.add([position, hidden, this.packBody(body), ...columns, number, cell, record]);
    for (const [place, table] of this.byKeys.entries()) table.add(number, record, found.keys[place] ?? NO_ENTRIES);
    this.greatest.note(store, cell);
    this.words?.change(record, store, undefined, found.text);
    this.remember(key, { record, document, position, characters: body.length + hidden.length, found });
    return true;
  }

  private change({ store, id, position }: RecordWrite, document: object, key: string, known: Present): boolean {
    const { record } = known;
    this.seeInTable(record);
    const before = known.found ?? (known.document && this.foundBy(known.document, id));
    const found = this.foundBy(document, id);
    const { columns, text } = found;
    const moved = before ? placesOfChanges(before.columns, columns) : [...columns.keys()];
    const isMoved = moved.length > 0 || text !== before?.text;
    const hidden = this.hiddenOf(document);
    if (!isMoved && this.byKeys.length === 0 && this.answersAlike(known.document, document)) {
      this.updateHidden.run(position, hidden, record);
      this.remember(key, { record, document, position, characters: known.characters, found });
      return false;
    }
    const body = this.answerOf(document);
    const cells = moved.map((place) => this.packColumn(columns[place] ?? null, place));
    this.updateOf(moved).run(position, hidden, this.packBody(body), ...cells, record);
    this.words?.change(record, store, before?.text, text);
    const isFoundOtherwise = this.changeKeys(record, store, before?.keys, found.keys);
    this.remember(key, { record, document, position, characters: body.length + hidden.length, found });
    return isMoved || isFoundOtherwise;
  }

  private readonly packColumn = (value: Scalar, place: number): Cell => (this.packers[place] as Packer)(value);

  private changeKeys(
    record: number,
    store: string,
    before: readonly Entries[] | undefined,
    after: readonly Entries[] | undefined,
  ): boolean {
    let changed = false;
    for (const [place, table] of this.byKeys.entries()) {
      if (table.change(this.numbers.of(store), record, before?.[place], after?.[place])) changed = true;
    }
    return changed;
  }

  private updateOf(places: readonly number[]): StatementSyncInstance {
    const key = places.join();
    let update = this.updates.get(key);
    if (!update) {
      const names = Object.keys(this.collection.columns).filter((_, place) => places.includes(place));
      const set = ['position', 'hidden', 'body', ...names.map((name) => columnOf(this.collection, name))];
      const table = tableOf(this.collection, this.generation);
      update = this.database.prepare(`update ${table} set ${set.join(' = ?, ')} = ? where record = ?`);
      this.updates.set(key, update);
    }
    return update;
  }

  /** Whether two documents differ in hidden members alone. */
  private answersAlike(before: object | undefined, after: object): boolean {
    if (!before) return false;
    const names = Object.keys(after);
    if (names.length !== Object.keys(before).length) return false;
    return names.every((name) => before[name as never] === after[name as never] || this.hidden.includes(name));
  }

  private foundBy(document: object, id: string): Found {
    const columns = this.columns.map((column) => column.of(document, id));
    return { columns, text: this.textOf(document), keys: this.entriesOf(document, id) };
  }

  private entriesOf(document: object, id: string): readonly Entries[] {
    if (this.byKeys.length === 0) return NO_KEYS;
    const { columns: ofColumns, keys: ofKeys = {} } = this.collection as unknown as RecordCollection;
    return this.byKeys.map(({ key, columns }) => ({
      values: [...new Set(ofKeys[key]?.of(document, id) ?? [])],
      columns: columns.map((name) => ofColumns[name]?.of(document, id) ?? null),
    }));
  }

  private delete({ store, id, position }: RecordWrite, key: string, { record, document }: KnownRecord): boolean {
    if (record !== undefined) {
      this.seeInTable(record);
      this.remove.run(record);
      this.words?.change(record, store, document && this.textOf(document), undefined);
      this.changeKeys(record, store, document && this.entriesOf(document, id), undefined);
    }
    this.remember(key, { ...MISSING, position });
    return record !== undefined;
  }

  private answerOf(document: object): string {
    return JSON.stringify(this.hidden.length === 0 ? document : { ...document, ...this.nothing });
  }

  private hiddenOf(document: object): string {
    if (this.hidden.length === 0) return '{}';
    const hidden: Record<string, unknown> = {};
    for (const name of this.hidden) hidden[name] = document[name as never];
    return JSON.stringify(hidden);
  }

  private find({ store, id }: RecordKey, key: string): KnownRecord {
    const known = this.known.get(key);
    if (known) return known;
    const row = this.stored(store, id);
    if (!row) {
      this.remember(key, MISSING);
      return MISSING;
    }
    const { record, position, hidden, body } = row;
    const answer = JSON.parse(body) as object;
    const document = hidden === '{}' ? answer : { ...answer, ...(JSON.parse(hidden) as object) };
    const found = { record, document, position, characters: body.length + hidden.length, found: undefined };
    this.remember(key, found);
    return found;
  }

  private stored(store: string, id: string): StoredRecord | undefined {
    const cell = packed(id);
    if (this.greatest.isAbove(store, cell)) return undefined;
    this.insertAll();
    return this.select.get(store, cell) as StoredRecord | undefined;
  }

  private seeInTable(record: number): void {
    if (record > this.lastInTable) this.insertAll();
  }

  private insertAll(): void {
    this.inserts.flush();
    this.lastInTable = this.lastRecord;
  }

  private remember(key: string, record: KnownRecord): void {
    this.known.set(key, record, { size: record.characters + OVERHEAD });
  }
}
