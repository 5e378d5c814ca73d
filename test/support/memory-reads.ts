import type { DomainEvent, Recorded } from '../../src/kernel/events/event.js';
import type { Projector } from '../../src/kernel/projections/projector.js';
import type { AnyCollection } from '../../src/ports/read-models.js';
import { documentsOf, rowsToAdd, sumsOf } from './projected.js';
import type { Item } from './item-reads.js';
import { ItemReads, columnsOf, keysOf } from './item-reads.js';

/** Queries of what projectors make of some events, all in memory. */
export class MemoryReads extends ItemReads {
  private readonly made = new Map<string, readonly Item[]>();

  constructor(
    private readonly projectors: readonly Projector[],
    private readonly events: readonly Recorded<DomainEvent>[],
  ) {
    super();
  }

  protected override itemsOf(collection: AnyCollection): readonly Item[] {
    const known = this.made.get(collection.name);
    if (known) return known;
    const items = this.make(collection);
    this.made.set(collection.name, items);
    return items;
  }

  private make(collection: AnyCollection): Item[] {
    if (collection.kind === 'rows') {
      return rowsToAdd(this.projectorOf(collection.name), this.events).map(({ values, keys }, index) => ({
        id: String(index).padStart(9, '0'),
        document: {},
        columns: values,
        keys,
      }));
    }
    if (collection.totalsOf !== undefined) {
      const projector = this.projectorOf(collection.totalsOf);
      const sums = sumsOf(projector, Object.values(documentsOf(projector, this.events)));
      return Object.entries(sums).map(([id, counters]) => ({
        id,
        document: { ...counters, exact: {} },
        columns: columnsOf(collection, { ...counters, exact: {} }, id),
      }));
    }
    const documents = documentsOf(this.projectorOf(collection.name), this.events);
    return Object.entries(documents).map(([id, document]) => ({
      id,
      document,
      columns: columnsOf(collection, document, id),
      keys: keysOf(collection, document, id),
    }));
  }

  private projectorOf(name: string): Projector {
    const projector = this.projectors.find(({ collection }) => collection.name === name);
    if (!projector) throw new Error(`${name} is not projected`);
    return projector;
  }
}
