import type { KindOfKnown, Known, KnownOfEach, MakeKnown } from '../../../ports/read-models.js';
import type { ChangeStamps } from './changes.js';
import { insistOnSubjects, numberOf } from './subjects.js';

/** What is known of one subject. */
class Entry<T> implements Known<T> {
  /** It has the kind's type as soon as it was made once; before that nobody is given the entry. */
  value = undefined as T;
  isFresh = false;
  /** How often something was written about the subject. */
  writes = 0;
  /** Attempts to make it are numbered: the newest, and that of which the value is. */
  attempts = 0;
  madeBy = 0;
  bytes = OVERHEAD;

  constructor(
    readonly place: symbol,
    readonly subject: string,
    readonly number: number,
    readonly ordinal: number,
  ) {}
}

interface Attempt<T> {
  readonly entry: Entry<T>;
  readonly number: number;
  /** What was written about the subject from here on may be missing in what is made. */
  readonly writes: number;
}

/** What an entry takes beside what it holds: the object, its places in two maps, the subject. */
const OVERHEAD = 300;

/**
 * All that is known of one kind about the subjects of one store. Nothing goes out of it: who is on a way through it finds every subject under the
 * same ordinal. When there is no room it is forgotten whole.
 */
class Table<T> {
  bytes = 0;
  /** By which it knows its own entries: they don't hold the table, so that who holds some does not hold all. */
  private readonly place = Symbol('table');
  private readonly bySubject = new Map<string, Entry<T>>();
  private readonly byNumber = new Map<number, Entry<T>>();
  private ordinals = 0;
  /** So many of the subjects that were written are taken into account. */
  private heard: number;
  private since: number;

  constructor(
    readonly kind: KindOfKnown<T>,
    private readonly store: string,
    private readonly stamps: ChangeStamps,
  ) {
    this.heard = stamps.subjects.count;
    this.since = stamps.last;
  }

  get size(): number {
    return this.bySubject.size;
  }

  async of(subjects: readonly (string | Known<T>)[], make: MakeKnown<T>): Promise<readonly Known<T>[]> {
    this.hear();
    const attempts: Attempt<T>[] = [];
    const asked = new Set<Entry<T>>();
    const entries = subjects.map((one) => {
      const entry = this.entryOf(one);
      if (!entry.isFresh && !asked.has(entry)) {
        asked.add(entry);
        attempts.push({ entry, number: ++entry.attempts, writes: entry.writes });
      }
      return entry;
    });
    if (attempts.length > 0) await this.fill(attempts, make);
    return entries;
  }

  private entryOf(one: string | Known<T>): Entry<T> {
    if (one instanceof Entry && one.place === this.place) return one as Entry<T>;
    const subject = typeof one === 'string' ? one : one.subject;
    return this.bySubject.get(subject) ?? this.enter(subject);
  }

  private enter(subject: string): Entry<T> {
    const number = numberOf(this.store, subject);
    const entry = new Entry<T>(this.place, subject, number, this.ordinals++);
    this.bySubject.set(subject, entry);
    if (!this.byNumber.has(number)) this.byNumber.set(number, entry);
    this.bytes += OVERHEAD;
    return entry;
  }

  private async fill(attempts: readonly Attempt<T>[], make: MakeKnown<T>): Promise<void> {
    const made = await make(
      attempts.map(({ entry }) => entry.subject),
      attempts.map(({ entry }) => (entry.madeBy === 0 ? undefined : entry.value)),
    );
    this.hear();
    for (const [index, { entry, number, writes }] of attempts.entries()) {
      if (number < entry.madeBy) continue;
      entry.value = made[index] as T;
      entry.madeBy = number;
      // Where two subjects have one number, the second never hears what is written about it.
      const hears = this.byNumber.get(entry.number) === entry;
      entry.isFresh = hears && number === entry.attempts && writes === entry.writes;
      this.weigh(entry);
    }
  }

  private weigh(entry: Entry<T>): void {
    this.bytes -= entry.bytes;
    entry.bytes = OVERHEAD + this.kind.takes(entry.value);
    this.bytes += entry.bytes;
  }

  private hear(): void {
    const { subjects, last } = this.stamps;
    const isAnotherBuild = this.kind.about.some(({ name }) => this.stamps.ofWhole(name) > this.since);
    const written = (number: number) => {
      const entry = this.byNumber.get(number);
      if (!entry) return;
      entry.isFresh = false;
      entry.writes += 1;
    };
    if (isAnotherBuild || !subjects.eachAfter(this.heard, written)) {
      for (const entry of this.bySubject.values()) written(entry.number);
      this.since = last;
    }
    this.heard = subjects.count;
  }
}

/** What was worked out of each of many subjects, such as where a lot leads to: kept of each until something is written about it. */
export class KnownSubjects {
  /** Those that were asked for last stand at the end. */
  private readonly tables = new Map<string, Table<unknown>>();

  constructor(
    private readonly mostBytes: number,
    private readonly stamps: ChangeStamps,
  ) {}

  get entriesHeld(): number {
    return this.sum(({ size }) => size);
  }

  get bytes(): number {
    return this.sum(({ bytes }) => bytes);
  }

  ofKind<T>(kind: KindOfKnown<T>, store: string, make: MakeKnown<T>): KnownOfEach<T> {
    for (const collection of kind.about) insistOnSubjects(collection);
    // The same one for all that is asked on a way, so that a subject has one ordinal there.
    const table = this.tableOf(kind, store);
    return {
      of: async (subjects) => {
        const found = await table.of(subjects, make);
        this.makeRoom();
        return found;
      },
    };
  }

  private tableOf<T>(kind: KindOfKnown<T>, store: string): Table<T> {
    const key = `${store} ${kind.name}`;
    const table = (this.tables.get(key) ?? new Table(kind, store, this.stamps)) as Table<T>;
    this.tables.delete(key);
    this.tables.set(key, table as Table<unknown>);
    return table;
  }

  private makeRoom(): void {
    while (this.bytes > this.mostBytes) {
      const [key] = this.tables.keys();
      if (key === undefined) return;
      this.tables.delete(key);
    }
  }

  private sum(of: (table: Table<unknown>) => number): number {
    let sum = 0;
    for (const table of this.tables.values()) sum += of(table);
    return sum;
  }
}

/** By which number writes tell of its subject; what was not found here says it of none. */
export function numberOfKnown(known: Known): number {
  if (known instanceof Entry) return known.number;
  throw new Error(`${known.subject} was not found among what is kept`);
}
