import type { Collection, IndexDescription } from 'mongodb';
import { batchesOf } from '../../kernel/values/batches.js';
import type { Clock } from '../../kernel/values/clock.js';
import type {
  AnyCollection,
  Checkpoint,
  CollectionWrites,
  Generation,
  LoadedRecord,
  ProjectionStore,
  RecordCollection,
  RecordWrite,
} from '../../ports/read-models.js';
import { keyOf } from '../../ports/read-models.js';
import type { Builds, CollectionBuilds } from './builds.js';
import type { Connection } from './connection.js';
import { insertEach, maxTimeMS } from './connection.js';
import { ensureIndexes } from './indexes.js';
import { pathOf } from './queries.js';
import type { RecordDocument, RowDocument } from './records.js';
import { loadedRecord, recordDocument, rowDocument } from './records.js';

/** Documents of one round trip: few enough to be written within a call's deadline. */
const BATCH = 1_000;

/** No transactions: each document carries the position it last saw, no older one overwrites it, and the checkpoint comes last. */
export class MongoProjectionStore implements ProjectionStore {
  constructor(
    private readonly connection: Connection,
    private readonly builds: Builds,
    private readonly clock: Clock,
  ) {}

  async prepare(collections: readonly AnyCollection[]): Promise<void> {
    await this.builds.prepare(collections);
    await this.builds.refresh();
    await Promise.all(collections.map((collection) => this.buildIndexes(collection, 'live')));
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    return (await this.builds.refresh()).flatMap(checkpointsOf);
  }

  async load(
    collection: RecordCollection<never>,
    generation: Generation,
    keys: readonly { readonly store: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, LoadedRecord>> {
    const documents = this.connection.collection<RecordDocument>(this.builds.ownName(collection, generation));
    const found: RecordDocument[] = [];
    for (const ids of batchesOf(keys.map(keyOf), BATCH)) {
      const some = documents.find({ _id: { $in: ids } }, { projection: { words: 0, c: 0, k: 0 }, maxTimeMS });
      found.push(...(await this.connection.read(() => some.toArray())));
    }
    return new Map(found.map((document) => [document._id, loadedRecord(document)]));
  }

  async commit(writes: readonly CollectionWrites[], checkpoints: readonly Checkpoint[]): Promise<void> {
    const totals = new Map<string, Map<string, RecordDocument>>();
    const records = new Map<string, Map<string, RecordDocument>>();
    const rows = new Map<string, Map<string, RowDocument>>();
    for (const { collection, generation, ...of } of writes) {
      const name = this.builds.ownName(collection, generation);
      if (collection.kind === 'rows') {
        for (const write of of.rows) entry(rows, name).set(keyOf(write), rowDocument(write));
        continue;
      }
      if (collection.totals && of.totals) this.gather(totals, collection.totals.collection, generation, of.totals);
      this.gather(records, collection, generation, of.records);
    }
    await this.putAll(totals);
    await Promise.all([
      this.putAll(records),
      ...[...rows].map(([name, documents]) => this.addRows(name, [...documents.values()])),
    ]);
    await this.builds.reach(checkpoints);
  }

  async beginRebuild(collection: AnyCollection): Promise<void> {
    await this.builds.begin(collection);
  }

  async switchRebuild(collection: AnyCollection): Promise<void> {
    await this.buildIndexes(collection, 'next');
    await this.builds.switch(collection);
  }

  /** The newest of each record. */
  private gather(
    into: Map<string, Map<string, RecordDocument>>,
    collection: RecordCollection<never>,
    generation: Generation,
    writes: readonly RecordWrite[],
  ): void {
    const latest = entry(into, this.builds.ownName(collection, generation));
    for (const write of writes) {
      const document = recordDocument(collection, write, this.clock.now());
      if ((latest.get(document._id)?.position ?? '') <= document.position) latest.set(document._id, document);
    }
  }

  private async putAll(records: ReadonlyMap<string, ReadonlyMap<string, RecordDocument>>): Promise<void> {
    await Promise.all([...records].map(([name, documents]) => this.putRecords(name, [...documents.values()])));
  }

  private async putRecords(name: string, all: readonly RecordDocument[]): Promise<void> {
    const collection = this.connection.collection<RecordDocument>(name);
    for (const documents of batchesOf(all, BATCH)) await this.putBatch(collection, documents);
  }

  /**
   * Inserts those that are not there and replaces the others where they are older. An insert that finds the id taken meanwhile says nothing about
   * which of the two is newer (an upsert would not either), so it is tried as a replacement.
   */
  private async putBatch(collection: Collection<RecordDocument>, documents: readonly RecordDocument[]): Promise<void> {
    const ids = documents.map(({ _id }) => _id);
    const there = collection.find({ _id: { $in: ids } }, { projection: { _id: 1 }, maxTimeMS });
    const present = new Set((await this.connection.read(() => there.toArray())).map(({ _id }) => _id));
    const absent = documents.filter(({ _id }) => !present.has(_id));
    for (const index of await insertEach(this.connection, collection, absent)) {
      const taken = absent[index];
      if (taken) present.add(taken._id);
    }
    const replacements = documents
      .filter(({ _id }) => present.has(_id))
      .map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id, position: { $lt: replacement.position } }, replacement },
      }));
    if (replacements.length === 0) return;
    await this.connection.write(() => collection.bulkWrite(replacements, { ordered: false }));
  }

  private async addRows(name: string, all: readonly RowDocument[]): Promise<void> {
    const collection = this.connection.collection<RowDocument>(name);
    for (const rows of batchesOf(all, BATCH)) await insertEach(this.connection, collection, rows);
  }

  private buildIndexes(collection: AnyCollection, generation: Generation): Promise<void> {
    return ensureIndexes(this.connection, this.builds.ownName(collection, generation), indexesOf(collection));
  }
}

function checkpointsOf({ name: collection, version, live, next }: CollectionBuilds): Checkpoint[] {
  return Object.entries({ live, next }).flatMap(([generation, build]) => {
    if (!build || build.logId === null) return [];
    const { logId, position } = build;
    return [{ collection, version, generation: generation as Generation, logId, position }];
  });
}

function indexesOf(collection: AnyCollection): IndexDescription[] {
  const declared = collection.indexes.map((columns: readonly string[]) => {
    const paths = columns.map((column) => [pathOf(collection, column), 1] as const);
    return { name: columns.join(' '), key: new Map<string, 1>([['store', 1], ...paths, ['_id', 1]]) };
  });
  if (collection.kind === 'rows') return declared;
  const words = { name: '(words)', key: new Map([['store', 1] as const, ['words', 1] as const, ['_id', 1] as const]) };
  const tombstones = { name: '(tombstones)', key: { deletedAt: 1 as const }, sparse: true };
  return [...declared, tombstones, ...(collection.words ? [words] : [])];
}

function entry<V>(of: Map<string, Map<string, V>>, name: string): Map<string, V> {
  const found = of.get(name) ?? new Map<string, V>();
  of.set(name, found);
  return found;
}
