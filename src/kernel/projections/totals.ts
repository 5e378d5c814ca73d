import type { Position } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type {
  Contributions,
  Counters,
  Generation,
  ProjectionStore,
  RecordCollection,
  RecordWrite,
  TotalsDocument,
} from '../../ports/read-models.js';
import { keyOf } from '../../ports/read-models.js';
import { Decimal } from '../values/decimal.js';

interface Difference {
  readonly position: Position;
  readonly counter: string;
  readonly by: Decimal;
}

interface Changing {
  readonly key: string;
  readonly store: string;
  readonly id: string;
  /** In the order of the events. */
  readonly differences: Difference[];
}

const NO_CONTRIBUTIONS: Contributions = [];
const NOTHING: Counters = {};

const decimal = (value: Decimal | number = 0): Decimal => (typeof value === 'number' ? Decimal.from(value) : value);

const countersOf = (contributions: Contributions, wanted: string): Counters | undefined =>
  contributions.find(([id]) => id === wanted)?.[1];

/**
 * What a batch makes of the totals of a collection. The differences are kept by event: after a crash, or beside another process, a
 * totals document may have seen some of the batch's events already, and takes the newer ones alone.
 */
export class TotalsChanges {
  /** By store, then by id. */
  private readonly changing = new Map<string, Map<string, Changing>>();
  private readonly contributions = new Map<object, Contributions>();

  constructor(private readonly totals: NonNullable<RecordCollection<never>['totals']>) {}

  note(store: string, position: Position, before: object | undefined, after: object | undefined): void {
    const old = this.contributionsOf(before);
    const fresh = this.contributionsOf(after);
    for (const [id, counters] of old) {
      if (countersOf(fresh, id) === undefined) this.noteOne({ store, id, position }, counters, NOTHING);
    }
    for (const [id, counters] of fresh) {
      this.noteOne({ store, id, position }, countersOf(old, id) ?? NOTHING, counters);
    }
  }

  /** To be called after the documents were loaded, and written before they are. */
  async writes(store: ProjectionStore, generation: Generation): Promise<RecordWrite[]> {
    const changing = [...this.changing.values()].flatMap((ofStore) => [...ofStore.values()]);
    if (changing.length === 0) return [];
    const loaded = await store.load(this.totals.collection, generation, changing);
    const writes: RecordWrite[] = [];
    for (const one of changing) {
      const known = loaded.get(one.key);
      const write = writeOf(one, known?.document as TotalsDocument | undefined, known?.position ?? START);
      if (write) writes.push(write);
    }
    return writes;
  }

  private noteOne(
    { store, id, position }: { readonly store: string; readonly id: string; readonly position: Position },
    from: Counters,
    to: Counters,
  ): void {
    let changing: Changing | undefined;
    const note = (counter: string): void => {
      const [less, more] = [from[counter], to[counter]];
      // Most counters are numbers and none, or the same as before.
      if (less === more || (!less && more === 0)) return;
      const by = decimal(more).minus(decimal(less));
      if (by.isZero) return;
      changing ??= this.of(store, id);
      changing.differences.push({ position, counter, by });
    };
    for (const counter of Object.keys(to)) note(counter);
    if (from === NOTHING) return;
    for (const counter of Object.keys(from)) if (!Object.hasOwn(to, counter)) note(counter);
  }

  /** Remembered: what an event leaves is what the next one finds. */
  private contributionsOf(document: object | undefined): Contributions {
    if (!document) return NO_CONTRIBUTIONS;
    let known = this.contributions.get(document);
    if (!known) this.contributions.set(document, (known = this.totals.of(document as never)));
    return known;
  }

  private of(store: string, id: string): Changing {
    let ofStore = this.changing.get(store);
    if (!ofStore) this.changing.set(store, (ofStore = new Map<string, Changing>()));
    let changing = ofStore.get(id);
    if (!changing) ofStore.set(id, (changing = { key: keyOf({ store, id }), store, id, differences: [] }));
    return changing;
  }
}

function writeOf(
  { key, store, id, differences }: Changing,
  before: TotalsDocument | undefined,
  seen: Position,
): RecordWrite | undefined {
  const fresh = differences.filter(({ position }) => position > seen);
  const last = fresh.at(-1);
  if (!last) return undefined;
  const sums = new Map(Object.entries(before?.exact ?? {}).map(([counter, sum]) => [counter, Decimal.from(sum)]));
  for (const { counter, by } of fresh) sums.set(counter, (sums.get(counter) ?? Decimal.zero).plus(by));
  return { key, store, id, document: totalsDocument(sums), position: last.position };
}

/** `undefined` when nothing is left in it. */
function totalsDocument(sums: ReadonlyMap<string, Decimal>): TotalsDocument | undefined {
  const kept = [...sums].filter(([, sum]) => !sum.isZero);
  if (kept.length === 0) return undefined;
  return {
    ...Object.fromEntries(kept.map(([counter, sum]) => [counter, sum.toNumber()])),
    exact: Object.fromEntries(kept.map(([counter, sum]) => [counter, sum.toString()])),
  };
}
