import type { Position } from '../../src/ports/event-store.js';
import { START } from '../../src/ports/event-store.js';
import type {
  AnyCollection,
  Checkpoint,
  CollectionWrites,
  Generation,
  LoadedRecord,
  ProjectionStore,
  RecordCollection,
  Row,
} from '../../src/ports/read-models.js';
import { totalsOf } from '../../src/kernel/projections/projector.js';

const keyOf = (collection: { readonly name: string }, generation: Generation): string =>
  `${generation}:${collection.name}`;

const copy = (document: object | undefined): object | undefined =>
  document && (JSON.parse(JSON.stringify(document)) as object);

const withTotals = (collection: AnyCollection): readonly AnyCollection[] =>
  collection.kind === 'records' && collection.totals ? [collection, collection.totals.collection] : [collection];

/** What a store without transactions does: each document carries the position it last saw, and the checkpoint is a write of its own. */
export class MemoryProjectionStore implements ProjectionStore {
  private readonly records = new Map<string, Map<string, LoadedRecord>>();
  private readonly rows = new Map<string, Map<string, Row>>();
  private readonly kept = new Map<string, Checkpoint>();
  /** Called between two single writes; may throw, as a crash would, or let others go first. */
  between: () => Promise<void> | void = () => undefined;

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  checkpoints(): Promise<readonly Checkpoint[]> {
    return Promise.resolve([...this.kept.values()]);
  }

  load(
    collection: AnyCollection,
    generation: Generation,
    keys: readonly { readonly store: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, LoadedRecord>> {
    const found = new Map<string, LoadedRecord>();
    for (const { store, id } of keys) {
      const record = this.build(this.records, collection, generation).get(`${store}/${id}`);
      if (record) found.set(`${store}/${id}`, { ...record, document: copy(record.document) });
    }
    return Promise.resolve(found);
  }

  async commit(writes: readonly CollectionWrites[], checkpoints: readonly Checkpoint[]): Promise<void> {
    for (const { collection, generation, totals = [], records, rows } of writes) {
      if (totals.length > 0) await this.put(totalsOf(collection as RecordCollection<never>), generation, totals);
      await this.put(collection, generation, records);
      for (const { store, id, values } of rows) {
        await this.between();
        this.build(this.rows, collection, generation).set(`${store}/${id}`, values);
      }
    }
    for (const checkpoint of checkpoints) {
      await this.between();
      const key = keyOf({ name: checkpoint.collection }, checkpoint.generation);
      const before = this.kept.get(key);
      if (!before || before.position < checkpoint.position) this.kept.set(key, checkpoint);
    }
  }

  beginRebuild(collection: AnyCollection): Promise<void> {
    for (const builds of [this.records, this.rows, this.kept]) {
      for (const each of withTotals(collection)) builds.delete(keyOf(each, 'next'));
    }
    return Promise.resolve();
  }

  switchRebuild(collection: AnyCollection): Promise<void> {
    for (const builds of [this.records, this.rows] as Map<string, unknown>[]) {
      for (const each of withTotals(collection)) {
        builds.set(keyOf(each, 'live'), builds.get(keyOf(each, 'next')) ?? new Map());
        builds.delete(keyOf(each, 'next'));
      }
    }
    const next = this.kept.get(keyOf(collection, 'next'));
    this.kept.delete(keyOf(collection, 'next'));
    this.kept.delete(keyOf(collection, 'live'));
    if (next) this.kept.set(keyOf(collection, 'live'), { ...next, generation: 'live' });
    return Promise.resolve();
  }

  /** Everything in the live builds, by collection and key. */
  contents(): Record<string, Record<string, unknown>> {
    const documents = [...this.records].map(([name, records]) => {
      const there = [...records].filter(([, { document }]) => document);
      return [name, Object.fromEntries(there.map(([key, { document }]) => [key, document]))] as const;
    });
    const rows = [...this.rows].map(([name, of]) => [name, Object.fromEntries(of)] as const);
    return Object.fromEntries([...documents, ...rows].filter(([, of]) => Object.keys(of).length > 0));
  }

  private async put(
    collection: AnyCollection,
    generation: Generation,
    records: CollectionWrites['records'],
  ): Promise<void> {
    const documents = this.build(this.records, collection, generation);
    for (const { store, id, document, position } of records) {
      await this.between();
      const before: Position = documents.get(`${store}/${id}`)?.position ?? START;
      if (before < position) documents.set(`${store}/${id}`, { document: copy(document), position });
    }
  }

  private build<V>(
    builds: Map<string, Map<string, V>>,
    collection: AnyCollection,
    generation: Generation,
  ): Map<string, V> {
    const key = keyOf(collection, generation);
    let build = builds.get(key);
    if (!build) {
      build = new Map<string, V>();
      builds.set(key, build);
    }
    return build;
  }
}
