import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Position } from '../../../ports/event-store.js';
import { START, StoreUnavailable } from '../../../ports/event-store.js';
import type {
  AnyCollection,
  Checkpoint,
  CollectionWrites,
  Generation,
  LoadedRecord,
  ProjectionStore,
  RecordCollection,
  RecordKey,
  RecordWrite,
  Scalar,
} from '../../../ports/read-models.js';
import { keyOf } from '../../../ports/read-models.js';
import type { Changes } from '../reading/changes.js';
import { placeOf } from '../reading/changes.js';
import { numberOf } from '../reading/subjects.js';
import { OldTables } from './old-tables.js';
import { ReadCheckpoints } from './projection-checkpoints.js';
import { RecordTable } from './record-table.js';
import { RowTable } from './row-table.js';
import { StoreNumbers } from './store-numbers.js';
import { createTables, shapeOf, switchTables, tableOf } from './tables.js';

const DOCUMENT_CHARACTERS = 8 * 1024 * 1024;

const NEXT_BUILD = `insert into builds (collection, number) values (?, 1)
  on conflict (collection) do update set number = number + 1`;

/** SQLite's words for a file that is in the way, away, full or spoilt, whatever the event: BUSY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const AWAY: ReadonlySet<number> = new Set([5, 10, 11, 13, 14, 26]);

/**
 * The writing side of `read.db`, for one thread. Documents, rows and checkpoints are one transaction, so no document is ever ahead
 * of its checkpoint, and what is not newer than the checkpoint was applied before.
 */
export class EmbeddedProjectionStore implements ProjectionStore {
  readonly commitsWhole = true;
  private readonly kept: ReadCheckpoints;
  private readonly tables = new Map<string, RecordTable | RowTable>();
  private readonly numbers: StoreNumbers;
  private readonly old: OldTables;
  private writes = 0;
  /** By collection and store, whether lists and counts may have become others. */
  private readonly changed = new Map<string, Map<string, boolean>>();
  /** By collection: the places of records that were written, where answers are kept by them. */
  private readonly places = new Map<string, number[]>();
  private readonly subjects = new Set<number>();

  constructor(
    private readonly database: DatabaseSyncInstance,
    /** How many of each table's documents are remembered. */
    private readonly documentCharacters = DOCUMENT_CHARACTERS,
  ) {
    this.kept = new ReadCheckpoints(database);
    this.numbers = new StoreNumbers(database);
    this.old = new OldTables(database);
  }

  /** Documents and rows written so far. */
  get written(): number {
    return this.writes;
  }

  /** What was written of the live builds since it was last asked. */
  takeChanged(): Changes {
    const collections = [...this.changed].map(([collection, stores]) => ({
      collection,
      written: [...stores.keys()],
      listed: [...stores].filter(([, listed]) => listed).map(([store]) => store),
      ...(this.places.has(collection) && { places: this.places.get(collection) ?? [] }),
    }));
    const subjects = [...this.subjects];
    this.changed.clear();
    this.places.clear();
    this.subjects.clear();
    return { collections, subjects };
  }

  prepare(collections: readonly AnyCollection[]): Promise<void> {
    return this.transaction(() => {
      const wanted = new Map(collections.map((collection) => [collection.name, shapeOf(collection)]));
      for (const { collection, shape } of this.shapes()) {
        this.dropBuild(collection, 'next');
        if (wanted.get(collection) === shape) wanted.delete(collection);
        else this.drop(collection);
      }
      for (const collection of collections) {
        const shape = wanted.get(collection.name);
        if (shape === undefined) continue;
        this.database.exec(createTables(collection, 'live'));
        this.database.prepare('insert into shapes (collection, shape) values (?, ?)').run(collection.name, shape);
      }
      this.kept.refresh();
    });
  }

  checkpoints(): Promise<readonly Checkpoint[]> {
    return this.settled(() => this.kept.all());
  }

  load(
    collection: RecordCollection<never>,
    generation: Generation,
    keys: readonly RecordKey[],
  ): Promise<ReadonlyMap<string, LoadedRecord>> {
    return this.settled(() => {
      const table = this.table(collection, generation) as RecordTable;
      const reached = this.kept.reachedBy(collection.totalsOf ?? collection.name, generation);
      const found = new Map<string, LoadedRecord>();
      for (const record of keys) {
        const { document, position } = table.load(record);
        const seen = position > reached ? position : reached;
        if (document || seen !== START) found.set(keyOf(record), { document, position: seen });
      }
      return found;
    });
  }

  commit(writes: readonly CollectionWrites[], checkpoints: readonly Checkpoint[]): Promise<void> {
    return this.transaction(() => {
      for (const write of writes) this.write(write);
      for (const table of this.tables.values()) table.finish();
      this.kept.storeAll(checkpoints);
    });
  }

  beginRebuild(collection: AnyCollection): Promise<void> {
    return this.transaction(() => {
      this.dropBuild(collection.name, 'next');
      this.database.exec(createTables(collection, 'next'));
    });
  }

  switchRebuild(collection: AnyCollection): Promise<void> {
    return this.transaction(() => {
      for (const generation of ['live', 'next'] as const) this.closeTables(collection.name, generation);
      this.old.setAside(collection, 'live');
      this.database.exec(switchTables(collection));
      this.kept.switch(collection.name);
      this.database.prepare(NEXT_BUILD).run(collection.name);
    });
  }

  /** Removes a piece of what older builds left. Gives whether something may be left of it. */
  async sweep(): Promise<boolean> {
    let removed: number | undefined;
    await this.transaction(() => (removed = this.old.sweep()));
    this.writes += removed ?? 0;
    return removed !== undefined;
  }

  private write({ collection, generation, totals = [], records, rows }: CollectionWrites): void {
    const reached = this.kept.reachedBy(collection.name, generation);
    if (collection.kind === 'rows') {
      const table = this.table(collection, generation) as RowTable;
      const written = new Set<string>();
      for (const row of rows) {
        if (row.position <= reached) continue;
        table.add(row);
        written.add(row.store);
        if (collection.subjects)
          this.noteSubjects(
            generation,
            row.store,
            collection.subjects.map((name) => row.values[name]),
          );
      }
      for (const store of written) this.noteChange(collection, generation, store, true);
    } else {
      if (collection.totals) this.put(collection.totals.collection, generation, totals, reached);
      this.put(collection, generation, records, reached);
    }
    this.writes += totals.length + records.length + rows.length;
  }

  private noteChange({ name }: AnyCollection, generation: Generation, store: string, listed: boolean): void {
    if (generation === 'next') return;
    let stores = this.changed.get(name);
    if (!stores) this.changed.set(name, (stores = new Map<string, boolean>()));
    if (listed || !stores.has(store)) stores.set(store, listed);
  }

  private notePlace({ name }: AnyCollection, generation: Generation, { id }: RecordWrite): void {
    if (generation === 'next') return;
    let places = this.places.get(name);
    if (!places) this.places.set(name, (places = []));
    places.push(placeOf(id));
  }

  private noteSubjects(generation: Generation, store: string, subjects: readonly (Scalar | undefined)[]): void {
    if (generation === 'next') return;
    for (const subject of subjects) if (typeof subject === 'string') this.subjects.add(numberOf(store, subject));
  }

  /** A collection's records or its totals, which its checkpoint speaks of as well. */
  private put(
    collection: RecordCollection<never>,
    generation: Generation,
    records: readonly RecordWrite[],
    reached: Position,
  ): void {
    const table = this.table(collection, generation) as RecordTable;
    for (const record of records) {
      if (record.position <= reached) continue;
      if (collection.subjectsOf) {
        const shown = record.document ?? table.load(record).document;
        this.noteSubjects(generation, record.store, collection.subjectsOf(record.id, shown as never));
      }
      const listed = table.write(record);
      if (collection.totalsOf === undefined) this.noteChange(collection, generation, record.store, listed);
      if (collection.isShownByRecord === true) this.notePlace(collection, generation, record);
    }
  }

  private table(collection: AnyCollection, generation: Generation): RecordTable | RowTable {
    const name = tableOf(collection, generation);
    let table = this.tables.get(name);
    if (!table) {
      table =
        collection.kind === 'records'
          ? new RecordTable(this.database, collection, generation, this.numbers, this.documentCharacters)
          : new RowTable(this.database, collection, generation, this.numbers);
      this.tables.set(name, table);
    }
    return table;
  }

  private closeTables(name: string, generation: Generation): void {
    this.tables.delete(tableOf({ name }, generation));
    this.tables.delete(tableOf({ name, totalsOf: name }, generation));
  }

  private shapes(): readonly { readonly collection: string; readonly shape: string }[] {
    return this.database.prepare('select collection, shape from shapes').all() as {
      readonly collection: string;
      readonly shape: string;
    }[];
  }

  private drop(name: string): void {
    this.dropBuild(name, 'live');
    this.dropBuild(name, 'next');
    this.database.prepare('delete from shapes where collection = ?').run(name);
  }

  private dropBuild(name: string, generation: Generation): void {
    this.closeTables(name, generation);
    this.kept.remove(name, generation);
    this.old.setAside({ name }, generation);
  }

  private transaction(work: () => unknown): Promise<void> {
    return this.settled(() => {
      this.database.exec('begin immediate');
      try {
        work();
        this.database.exec('commit');
      } catch (error) {
        if (this.database.isTransaction) this.database.exec('rollback');
        this.forget();
        throw error;
      }
    });
  }

  /** What was remembered of a transaction that did not happen. */
  private forget(): void {
    this.tables.clear();
    this.numbers.forget();
    this.kept.refresh();
  }

  private settled<T>(work: () => T): Promise<T> {
    try {
      return Promise.resolve(work());
    } catch (error) {
      const { errcode = 0, message } = error as { errcode?: number; message: string };
      const away = AWAY.has(errcode & 0xff);
      return Promise.reject(away ? new StoreUnavailable(message, false, { cause: error }) : (error as Error));
    }
  }
}
