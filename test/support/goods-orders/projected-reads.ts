import type { Position } from '../../../src/ports/event-store.js';
import { START } from '../../../src/ports/event-store.js';
import type {
  AnyCollection,
  Checkpoint,
  CollectionWrites,
  LoadedRecord,
  ProjectionStore,
  RecordCollection,
  RecordKey,
  RecordWrite,
  Scalar,
} from '../../../src/ports/read-models.js';
import type { Changes } from '../../../src/adapters/embedded/reading/changes.js';
import { ChangeStamps, placeOf } from '../../../src/adapters/embedded/reading/changes.js';
import { numberOf } from '../../../src/adapters/embedded/reading/subjects.js';
import type { Item } from '../item-reads.js';
import { ItemReads, columnsOf, keysOf } from '../item-reads.js';

interface Listed extends Item {
  readonly store: string;
}

type Changed = Changes['collections'][number];

/** What queries of one store find. */
class ReadsOfStore extends ItemReads {
  constructor(protected readonly itemsOf: (collection: AnyCollection) => readonly Item[]) {
    super();
  }
}

/** Read models that projectors write bit by bit; says of each write, as the embedded engine does, which kept answers it ends. */
export class ProjectedReads implements ProjectionStore {
  readonly stamps = new ChangeStamps();
  private readonly loaded = new Map<string, Map<string, LoadedRecord>>();
  private readonly items = new Map<string, Map<string, Listed>>();
  private readonly checkpointsByName = new Map<string, Checkpoint>();

  of(store: string): ReadsOfStore {
    return new ReadsOfStore(({ name }) => [...of(this.items, name).values()].filter((item) => item.store === store));
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  beginRebuild(): Promise<void> {
    return Promise.reject(new Error('nothing is rebuilt'));
  }

  switchRebuild(): Promise<void> {
    return Promise.reject(new Error('nothing is rebuilt'));
  }

  checkpoints(): Promise<readonly Checkpoint[]> {
    return Promise.resolve([...this.checkpointsByName.values()]);
  }

  reached(collection: string): Position {
    return this.checkpointsByName.get(collection)?.position ?? START;
  }

  load(
    { name }: RecordCollection<never>,
    _generation: string,
    keys: readonly RecordKey[],
  ): Promise<ReadonlyMap<string, LoadedRecord>> {
    const known = of(this.loaded, name);
    return Promise.resolve(
      new Map(
        keys.flatMap(({ store, id }) => {
          const key = `${store}/${id}`;
          const record = known.get(key);
          return record ? [[key, record] as const] : [];
        }),
      ),
    );
  }

  commit(writes: readonly CollectionWrites[], checkpoints: readonly Checkpoint[]): Promise<void> {
    const subjects = new Set<number>();
    const collections = writes.flatMap((write) => this.write(write, subjects));
    for (const checkpoint of checkpoints) {
      if (checkpoint.position > this.reached(checkpoint.collection))
        this.checkpointsByName.set(checkpoint.collection, checkpoint);
    }
    this.stamps.changed({ collections, subjects: [...subjects] });
    return Promise.resolve();
  }

  /** Every document and row, by collection. */
  contents(): ReadonlyMap<string, readonly object[]> {
    return new Map(
      [...this.items].map(([name, items]) => [
        name,
        [...items.values()].map(({ store, id, document, columns }) => ({ store, id, document, columns })),
      ]),
    );
  }

  private write(
    { collection, totals = [], records, rows }: CollectionWrites,
    subjects: Set<number>,
  ): readonly Changed[] {
    if (collection.kind === 'records') {
      if (collection.totals) this.put(collection.totals.collection, totals, subjects);
      return this.put(collection, records, subjects);
    }
    const items = of(this.items, collection.name);
    for (const { store, id, values, keys } of rows) {
      items.set(`${store}/${id}`, { store, id, document: {}, columns: values, keys });
      for (const name of collection.subjects ?? []) note(subjects, store, values[name]);
    }
    const stores = [...new Set(rows.map(({ store }) => store))];
    return [{ collection: collection.name, written: stores, listed: stores }];
  }

  private put(
    collection: RecordCollection<never>,
    records: readonly RecordWrite[],
    subjects: Set<number>,
  ): readonly Changed[] {
    const { name } = collection;
    const [known, items] = [of(this.loaded, name), of(this.items, name)];
    const listed = new Set<string>();
    for (const { store, id, document, position } of records) {
      const key = `${store}/${id}`;
      const before = known.get(key);
      if (before && before.position >= position) continue;
      const stored = document && (JSON.parse(JSON.stringify(document)) as object);
      for (const subject of collection.subjectsOf?.(id, (stored ?? before?.document) as never) ?? [])
        note(subjects, store, subject);
      const item = stored && {
        store,
        id,
        document: stored,
        columns: columnsOf(collection, stored, id),
        keys: keysOf(collection, stored, id),
      };
      if (isListedOtherwise(items.get(key), item)) listed.add(store);
      known.set(key, { document: stored, position });
      if (item) items.set(key, item);
      else items.delete(key);
    }
    const places = collection.isShownByRecord === true ? { places: records.map(({ id }) => placeOf(id)) } : {};
    const written = [...new Set(records.map(({ store }) => store))];
    return collection.totalsOf === undefined ? [{ collection: name, written, listed: [...listed], ...places }] : [];
  }
}

function of<V>(all: Map<string, Map<string, V>>, name: string): Map<string, V> {
  let found = all.get(name);
  if (!found) all.set(name, (found = new Map<string, V>()));
  return found;
}

function note(subjects: Set<number>, store: string, subject: Scalar | undefined): void {
  if (typeof subject === 'string') subjects.add(numberOf(store, subject));
}

const isListedOtherwise = (before: Item | undefined, after: Item | undefined): boolean =>
  JSON.stringify([before?.columns, before?.keys]) !== JSON.stringify([after?.columns, after?.keys]);
