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
  readonly seen: Position;
}

type Changed = Changes['collections'][number];

/** Read models of one store that projectors write bit by bit; says of each write, as the embedded engine does, which kept answers it ends. */
export class ProjectedReads extends ItemReads implements ProjectionStore {
  readonly stamps = new ChangeStamps();
  private readonly loaded = new Map<string, Map<string, LoadedRecord>>();
  private readonly items = new Map<string, Map<string, Listed>>();
  private readonly checkpointsByName = new Map<string, Checkpoint>();

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
          const record = known.get(id);
          return record ? [[`${store}/${id}`, record] as const] : [];
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
        [...items.values()].map(({ id, document, columns }) => ({ id, document, columns })),
      ]),
    );
  }

  protected override itemsOf({ name }: AnyCollection): readonly Item[] {
    return [...of(this.items, name).values()];
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
    for (const { store, id, values, keys, position } of rows) {
      items.set(id, { id, document: {}, columns: values, keys, seen: position });
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
      const before = known.get(id);
      if (before && before.position >= position) continue;
      const stored = document && (JSON.parse(JSON.stringify(document)) as object);
      for (const subject of collection.subjectsOf?.(id, (stored ?? before?.document) as never) ?? [])
        note(subjects, store, subject);
      const item = stored && {
        id,
        document: stored,
        columns: columnsOf(collection, stored, id),
        keys: keysOf(collection, stored, id),
        seen: position,
      };
      if (isListedOtherwise(items.get(id), item)) listed.add(store);
      known.set(id, { document: stored, position });
      if (item) items.set(id, item);
      else items.delete(id);
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
