import type {
  AnyCollection,
  Beneath,
  KindOfKnown,
  KnownOfEach,
  MakeKnown,
  ReadModels,
  RecordCollection,
  Resting,
  Row,
  RowCollection,
  StoredRecord,
} from '../../ports/read-models.js';
import { NOT_KEPT } from '../../ports/read-models.js';
import type { DomainEvent, Recorded } from '../events/event.js';
import type { Projector, RecordHandler } from '../projections/projector.js';
import { wholeDocument } from '../routes/stored-records.js';
import { KnownMeanwhile } from '../values/known-meanwhile.js';

type Handlers = ReadonlyMap<string, RecordHandler<object, Recorded<DomainEvent>>>;

interface DryReadServices {
  readonly reads: ReadModels;
  readonly projectors: readonly Projector[];
  /** What was decided until now. */
  decided(): readonly Recorded<DomainEvent>[];
  /** Resolves once the collection shows everything that the decisions rest on. */
  caughtUp(collection: AnyCollection): Promise<void>;
}

/**
 * The read models with what was decided: a record that is asked for by its id is shown as its projector would make it. Searches and sums
 * tell what is recorded.
 */
export class DryReads implements ReadModels {
  readonly find: ReadModels['find'];
  readonly findBodies: ReadModels['findBodies'];
  readonly slice: ReadModels['slice'];
  readonly findRows: ReadModels['findRows'];
  readonly lastRows: ReadModels['lastRows'];
  readonly count: ReadModels['count'];
  readonly countLinked: ReadModels['countLinked'];
  readonly summarise: ReadModels['summarise'];
  readonly distinct: ReadModels['distinct'];
  private readonly handlers: ReadonlyMap<string, Handlers>;

  constructor(private readonly services: DryReadServices) {
    const { reads, projectors } = services;
    this.handlers = new Map(projectors.map(({ collection, records }) => [collection.name, records]));
    this.find = reads.find.bind(reads);
    this.findBodies = reads.findBodies.bind(reads);
    this.slice = reads.slice.bind(reads);
    this.findRows = <C extends string, W extends C = C>(
      collection: RowCollection<C>,
      query: Parameters<ReadModels['findRows']>[1],
      wanted?: readonly W[],
    ) => reads.findRows<C, W>(collection, query, wanted);
    this.lastRows = (collection, store, query) => reads.lastRows(collection, store, query);
    this.count = reads.count.bind(reads);
    this.countLinked = reads.countLinked.bind(reads);
    this.summarise = reads.summarise.bind(reads);
    this.distinct = reads.distinct.bind(reads);
  }

  async get(collection: RecordCollection<never>, store: string, id: string): Promise<StoredRecord | undefined> {
    return (await this.getMany(collection, store, [id]))[0];
  }

  async getMany(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly StoredRecord[]> {
    const { reads } = this.services;
    const touched = await this.touched(collection, store, ids);
    if (!touched) return reads.getMany(collection, store, ids);
    return ids.flatMap((id) => {
      const document = touched.get(id);
      return document ? [storedRecord(collection, id, document)] : [];
    });
  }

  async getBodies(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    const touched = await this.touched(collection, store, ids);
    if (!touched) return this.services.reads.getBodies(collection, store, ids);
    return ids.map((id) => {
      const document = touched.get(id);
      return document && storedRecord(collection, id, document).body;
    });
  }

  async getHidden(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    const touched = await this.touched(collection, store, ids);
    if (!touched) return this.services.reads.getHidden(collection, store, ids);
    return ids.map((id) => {
      const document = touched.get(id);
      return document && storedRecord(collection, id, document).hidden;
    });
  }

  async getColumns<C extends string>(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
    columns: readonly C[],
  ): Promise<readonly (Row<C> | undefined)[]> {
    const touched = await this.touched(collection, store, ids);
    if (!touched) return this.services.reads.getColumns(collection, store, ids, columns);
    return ids.map((id) => {
      const document = touched.get(id);
      if (!document) return undefined;
      const values = columns.map(
        (name) => [name, collection.columns[name]?.of(document as never, id) ?? null] as const,
      );
      return Object.fromEntries(values) as Row<C>;
    });
  }

  /** Made anew: what was made before rests on what is recorded alone. */
  kept<T>(_beneath: Beneath, _store: string, _key: string, make: (resting: Resting) => Promise<T>): Promise<T> {
    return make(NOT_KEPT);
  }

  knownOfEach<T>(_kind: KindOfKnown<T>, _store: string, make: MakeKnown<T>): KnownOfEach<T> {
    return new KnownMeanwhile(make);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The documents of these ids after what was decided; undefined when none of them is concerned. */
  private async touched(
    collection: RecordCollection<never>,
    store: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, object | undefined> | undefined> {
    const handlers = this.handlers.get(collection.name);
    const wanted = new Set(ids);
    const touches = this.services.decided().flatMap((event) => {
      const handler = (event.meta.storeId ?? '') === store ? handlers?.get(event.type) : undefined;
      const concerned = handler?.ids(event).filter((id) => wanted.has(id)) ?? [];
      return handler && concerned.length > 0 ? [{ event, handler, concerned }] : [];
    });
    if (touches.length === 0) return undefined;
    await this.services.caughtUp(collection);
    const documents = new Map<string, object | undefined>();
    for (const record of await this.services.reads.getMany(collection, store, ids)) {
      documents.set(record.id, wholeDocument(record));
    }
    for (const { event, handler, concerned } of touches) {
      for (const id of concerned) documents.set(id, handler.evolve(documents.get(id), event, id));
    }
    return documents;
  }
}

function storedRecord({ hidden }: RecordCollection<never>, id: string, document: object): StoredRecord {
  const isHidden = ([name]: readonly [string, unknown]) => hidden.includes(name);
  const members = Object.entries(document);
  return {
    id,
    body: JSON.stringify(Object.fromEntries(members.filter((member) => !isHidden(member)))),
    hidden: JSON.stringify(Object.fromEntries(members.filter(isHidden))),
  };
}
