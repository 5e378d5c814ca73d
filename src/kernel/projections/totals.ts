import type { Position } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type {
  Contributions,
  Generation,
  ProjectionStore,
  RecordCollection,
  RecordWrite,
  TotalsDocument,
} from '../../ports/read-models.js';
import { Decimal } from '../values/decimal.js';

type Counters = Contributions[string];

interface Difference {
  readonly position: Position;
  readonly counter: string;
  readonly by: Decimal;
}

interface Changing {
  readonly store: string;
  readonly id: string;
  /** In the order of the events. */
  readonly differences: Difference[];
}

const NOTHING: Counters = {};
const NO_CONTRIBUTIONS: Contributions = {};

/** The members of both, each once; mostly one of the two has none. */
function namesOf(one: object, other: object): readonly string[] {
  const names = Object.keys(one);
  if (names.length === 0) return Object.keys(other);
  for (const name of Object.keys(other)) if (!Object.hasOwn(one, name)) names.push(name);
  return names;
}

const decimal = (value: Decimal | number = 0): Decimal => (typeof value === 'number' ? Decimal.from(value) : value);

/**
 * What a batch makes of the totals of a collection. The differences are kept by event: after a crash, or beside another process, a
 * totals document may have seen some of the batch's events already, and takes the newer ones alone.
 */
export class TotalsChanges {
  private readonly changing = new Map<string, Changing>();
  private readonly contributions = new Map<object, Contributions>();

  constructor(private readonly totals: NonNullable<RecordCollection<never>['totals']>) {}

  note(store: string, position: Position, before: object | undefined, after: object | undefined): void {
    const old = this.contributionsOf(before);
    const fresh = this.contributionsOf(after);
    for (const id of namesOf(old, fresh)) {
      const [from, to] = [old[id] ?? NOTHING, fresh[id] ?? NOTHING];
      for (const counter of namesOf(from, to)) {
        if (from[counter] === to[counter]) continue;
        const by = decimal(to[counter]).minus(decimal(from[counter]));
        if (!by.isZero) this.of(store, id).differences.push({ position, counter, by });
      }
    }
  }

  /** To be called after the documents were loaded, and written before they are. */
  async writes(store: ProjectionStore, generation: Generation): Promise<RecordWrite[]> {
    if (this.changing.size === 0) return [];
    const loaded = await store.load(this.totals.collection, generation, [...this.changing.values()]);
    const writes: RecordWrite[] = [];
    for (const [key, changing] of this.changing) {
      const known = loaded.get(key);
      const write = writeOf(changing, known?.document as TotalsDocument | undefined, known?.position ?? START);
      if (write) writes.push(write);
    }
    return writes;
  }

  /** Remembered: what an event leaves is what the next one finds. */
  private contributionsOf(document: object | undefined): Contributions {
    if (!document) return NO_CONTRIBUTIONS;
    let known = this.contributions.get(document);
    if (!known) this.contributions.set(document, (known = this.totals.of(document as never)));
    return known;
  }

  private of(store: string, id: string): Changing {
    const key = `${store}/${id}`;
    let changing = this.changing.get(key);
    if (!changing) this.changing.set(key, (changing = { store, id, differences: [] }));
    return changing;
  }
}

function writeOf(
  { store, id, differences }: Changing,
  before: TotalsDocument | undefined,
  seen: Position,
): RecordWrite | undefined {
  const fresh = differences.filter(({ position }) => position > seen);
  const last = fresh.at(-1);
  if (!last) return undefined;
  const sums = new Map(Object.entries(before?.exact ?? {}).map(([counter, sum]) => [counter, Decimal.from(sum)]));
  for (const { counter, by } of fresh) sums.set(counter, (sums.get(counter) ?? Decimal.zero).plus(by));
  return { store, id, document: totalsDocument(sums), position: last.position };
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
