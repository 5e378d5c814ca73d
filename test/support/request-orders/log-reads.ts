import type { Feature } from '../../../src/features/contracts/feature.js';
import type { DomainEvent, EventCodec, Recorded } from '../../../src/kernel/events/event.js';
import { recordedEvent } from '../../../src/kernel/events/recorded.js';
import type { Projector } from '../../../src/kernel/projections/projector.js';
import type { ReadModels } from '../../../src/ports/read-models.js';
import { MemoryReads } from '../memory-reads.js';
import type { SharedLog } from './shared-log.js';

/** What projectors make of the events of a store that the log has when somebody asks. */
export class LogReads {
  private readonly codecs: ReadonlyMap<string, EventCodec<DomainEvent>>;
  private readonly events: Recorded<DomainEvent>[] = [];
  private readonly made = new Map<string, MemoryReads>();

  constructor(
    private readonly log: SharedLog,
    private readonly projectors: readonly Projector[],
    features: readonly Feature[],
  ) {
    const codecs = features.flatMap(({ events }) => events);
    this.codecs = new Map(
      codecs.flatMap((codec) => [...codec.definitions.keys()].map((type) => [type, codec] as const)),
    );
  }

  of(storeId: string): MemoryReads {
    const fresh = this.log.events.slice(this.events.length);
    if (fresh.length > 0) this.made.clear();
    for (const stored of fresh) {
      const codec = this.codecs.get(stored.type);
      this.events.push(codec ? recordedEvent(codec, stored) : (stored as unknown as Recorded<DomainEvent>));
    }
    const known = this.made.get(storeId);
    if (known) return known;
    const ofStore = this.events.filter(({ meta }) => typeof meta === 'object' && meta.storeId === storeId);
    const reads = new MemoryReads(this.projectors, ofStore);
    this.made.set(storeId, reads);
    return reads;
  }

  asReadModels(): ReadModels {
    return {
      get: (collection, store, id) => this.of(store).get(collection, id),
      getMany: (collection, store, ids) => this.of(store).getMany(collection, ids),
      getBodies: (collection, store, ids) => this.of(store).getBodies(collection, ids),
      getHidden: (collection, store, ids) => this.of(store).getHidden(collection, ids),
      getColumns: (collection, store, ids, columns) => this.of(store).getColumns(collection, ids, columns),
      find: (collection, query) => this.of(query.store).find(collection, query),
      findBodies: (collection, query) => this.of(query.store).findBodies(collection, query),
      slice: (collection, query) => this.of(query.store).slice(collection, query),
      findRows: (collection, query, wanted) => this.of(query.store).findRows(collection, query, wanted),
      lastRows: (collection, store, query) => this.of(store).lastRows(collection, query),
      count: (collection, query) => this.of(query.store).count(collection, query),
      countLinked: (collection, query, link) => this.of(query.store).countLinked(collection, query, link),
      summarise: (collection, query, what) => this.of(query.store).summarise(collection, query, what),
      distinct: (collection, query, column) => this.of(query.store).distinct(collection, query, column),
      kept: (beneath, store, key, make) => this.of(store).kept(beneath, key, make),
      knownOfEach: (kind, store, make) => this.of(store).knownOfEach(kind, make),
      close: () => Promise.resolve(),
    };
  }
}
