import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import type { Position } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';
import type { Generation, LoadedRecord, RecordCollection, RecordWrite, Scalar } from '../../../ports/read-models.js';
import { packed } from '../cells.js';
import { bodyOf, bodyPackerOf } from '../packed-bodies.js';
import { GreatestIds } from './greatest-ids.js';
import { LatestRecords } from './latest-records.js';
import type { StoreNumbers } from './store-numbers.js';
import { columnOf, OF_STORE, tableOf } from './tables.js';
import { WordIndex } from './word-index.js';

interface KnownRecord {
  /** Its row, when there is one. */
  readonly record: number | undefined;
  readonly document: object | undefined;
  readonly position: Position;
  /** The length of its body and of its hidden members. */
  readonly characters: number;
  /** By what it is found, once that was worked out. */
  readonly found?: Found;
}

interface StoredRecord {
  readonly record: number;
  readonly position: Position;
  readonly hidden: string;
  readonly body: string;
}

/** The values of its columns, and the text whose words are looked for. */
interface Found {
  readonly columns: readonly Scalar[];
  readonly text: string;
}

/** What is remembered of a table: as much as fits, or what the latest transactions touched. */
interface KnownRecords {
  get(key: string): KnownRecord | undefined;
  set(key: string, record: KnownRecord, options: { readonly size: number }): unknown;
  forget?(): void;
}

const MISSING: KnownRecord = { record: undefined, document: undefined, position: START, characters: 0 };
const OVERHEAD = 200;

type Of = (document: object, id: string) => Scalar;

/** One build of a collection of records. Only this process writes it, so what was read or written last is known without reading. */
export class RecordTable {
  private readonly known: KnownRecords;
  private readonly columns: readonly Of[];
  private readonly textOf: (document: object) => string;
  private readonly words: WordIndex | undefined;
  private readonly hidden: ReadonlySet<string>;
  /** Where bodies are compressed. */
  private readonly packBody: (body: string) => string | Uint8Array;
  /** Hides the hidden members: what is undefined is left out of the JSON. */
  private readonly nothing: object;
  /** Numbers are given here, so that one is not used again while words of its old record are still on their way. */
  private lastRecord: number;
  private readonly greatest: GreatestIds;
  private readonly select: StatementSyncInstance;
  private readonly insert: StatementSyncInstance;
  private readonly update: StatementSyncInstance;
  /** Where no column changed: an index is rewritten whenever a statement names a column of it. */
  private readonly updateTexts: StatementSyncInstance;
  /** Where its answer stays the same. */
  private readonly updateHidden: StatementSyncInstance;
  private readonly remove: StatementSyncInstance;

  constructor(
    database: DatabaseSyncInstance,
    collection: RecordCollection<never>,
    generation: Generation,
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
    this.columns = Object.values(collection.columns).map(
      (column) => (document, id) => column.of(document as never, id),
    );
    this.textOf = (document) => collection.words?.(document as never) ?? '';
    if (collection.words) this.words = new WordIndex(database, collection, generation, numbers);
    this.hidden = new Set<string>(collection.hidden);
    this.nothing = Object.fromEntries(collection.hidden.map((name) => [name, undefined]));
    this.packBody = bodyPackerOf(collection);
    const stored = `${bodyOf(collection)} as body`;
    this.select = database.prepare(
      `select record, position, hidden, ${stored} from ${table} where ${OF_STORE} and id = ?`,
    );
    this.insert = database.prepare(
      `insert into ${table} (${names.join(', ')}, store, id, record) values (${'?, '.repeat(names.length)}?, ?, ?)`,
    );
    this.update = database.prepare(`update ${table} set ${names.join(' = ?, ')} = ? where record = ?`);
    this.updateTexts = database.prepare(`update ${table} set position = ?, hidden = ?, body = ? where record = ?`);
    this.updateHidden = database.prepare(`update ${table} set position = ?, hidden = ? where record = ?`);
    const last = database.prepare(`select coalesce(max(record), 0) as record from ${table}`);
    this.lastRecord = (last.get() as { readonly record: number }).record;
    this.remove = database.prepare(`delete from ${table} where record = ?`);
    this.greatest = new GreatestIds(database, table);
  }

  load(store: string, id: string): LoadedRecord {
    return this.find(store, id);
  }

  /** Whether the record came, went, or is sorted, filtered or found otherwise than before. */
  write({ store, id, document, position }: RecordWrite): boolean {
    const known = this.find(store, id);
    if (known.position >= position) return false;
    return document ? this.put(store, id, document, position, known) : this.delete(store, id, position, known);
  }

  /** Before the transaction ends. */
  finish(): void {
    this.words?.flush();
    this.known.forget?.();
  }

  private put(store: string, id: string, document: object, position: Position, known: KnownRecord): boolean {
    const before = known.found ?? (known.document && this.foundBy(known.document, id));
    const found = this.foundBy(document, id);
    const { columns, text } = found;
    const moved = columns.some((value, index) => value !== before?.columns[index]);
    const isMoved = moved || text !== before?.text;
    const hidden = this.hiddenOf(document);
    if (known.record !== undefined && !isMoved && this.answersAlike(known.document, document)) {
      this.updateHidden.run(position, hidden, known.record);
      this.remember(store, id, { ...known, document, position, found });
      return false;
    }
    const body = this.answerOf(document);
    const texts = [position, hidden, this.packBody(body)];
    const record = known.record ?? (this.lastRecord += 1);
    if (known.record === undefined) {
      const cell = packed(id);
      this.insert.run(...texts, ...columns.map(packed), this.numbers.of(store), cell, record);
      this.greatest.note(store, cell);
    } else if (moved) this.update.run(...texts, ...columns.map(packed), record);
    else this.updateTexts.run(...texts, record);
    this.words?.change(record, store, before?.text, text);
    this.remember(store, id, { record, document, position, found, characters: body.length + hidden.length });
    return isMoved;
  }

  /** Whether two documents differ in hidden members alone. */
  private answersAlike(before: object | undefined, after: object): boolean {
    if (!before) return false;
    const names = Object.keys(after);
    if (names.length !== Object.keys(before).length) return false;
    return names.every((name) => before[name as never] === after[name as never] || this.hidden.has(name));
  }

  private foundBy(document: object, id: string): Found {
    return { columns: this.columns.map((of) => of(document, id)), text: this.textOf(document) };
  }

  private delete(store: string, id: string, position: Position, { record, document }: KnownRecord): boolean {
    if (record !== undefined) {
      this.remove.run(record);
      this.words?.change(record, store, document && this.textOf(document), undefined);
    }
    this.remember(store, id, { ...MISSING, position });
    return record !== undefined;
  }

  private answerOf(document: object): string {
    return JSON.stringify(this.hidden.size === 0 ? document : { ...document, ...this.nothing });
  }

  private hiddenOf(document: object): string {
    if (this.hidden.size === 0) return '{}';
    return JSON.stringify(Object.fromEntries([...this.hidden].map((name) => [name, document[name as never]])));
  }

  private find(store: string, id: string): KnownRecord {
    const known = this.known.get(`${store}/${id}`);
    if (known) return known;
    const row = this.stored(store, id);
    if (!row) {
      this.remember(store, id, MISSING);
      return MISSING;
    }
    const { record, position, hidden, body } = row;
    const answer = JSON.parse(body) as object;
    const document = hidden === '{}' ? answer : { ...answer, ...(JSON.parse(hidden) as object) };
    const found = { record, document, position, characters: body.length + hidden.length };
    this.remember(store, id, found);
    return found;
  }

  private stored(store: string, id: string): StoredRecord | undefined {
    const cell = packed(id);
    if (this.greatest.isAbove(store, cell)) return undefined;
    return this.select.get(store, cell) as StoredRecord | undefined;
  }

  private remember(store: string, id: string, record: KnownRecord): void {
    this.known.set(`${store}/${id}`, record, { size: record.characters + OVERHEAD });
  }
}
