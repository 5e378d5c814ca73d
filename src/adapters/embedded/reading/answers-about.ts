import { LRUCache } from 'lru-cache';
import type { AnyCollection, MadeAbout } from '../../../ports/read-models.js';
import type { ChangeStamps } from './changes.js';
import { NumberSet, numberOf } from './subjects.js';

interface Entry {
  readonly made: Promise<unknown>;
  /** The last change before it was asked for. */
  readonly since: number;
  /** What it rests on, once it is there. */
  about: NumberSet | undefined;
  /** None of that is among so many of the subjects that were written. */
  spared: number;
}

/** What an answer weighs before it is there, and beside what it holds. */
const OVERHEAD = 500;

/** Of a collection that does not say what it is about a write would go unnoticed. */
function insistOnSubjects(collection: AnyCollection): void {
  const says = collection.kind === 'rows' ? 'subjects' in collection : 'subjectsOf' in collection;
  if (!says) throw new Error(`${collection.name} does not say what its records are about`);
}

/** What was worked out of many records, each for as long as nothing was written about its subjects. Those who ask at the same time share one. */
export class AnswersAbout {
  private readonly entries: LRUCache<string, Entry>;

  constructor(
    mostBytes: number,
    private readonly stamps: ChangeStamps,
  ) {
    this.entries = new LRUCache({ maxSize: mostBytes });
  }

  async getOrMake<T>(
    collections: readonly AnyCollection[],
    store: string,
    key: string,
    make: () => Promise<MadeAbout<T>>,
  ): Promise<T> {
    for (const collection of collections) insistOnSubjects(collection);
    const named = `${store} ${key}`;
    const held = this.entries.get(named);
    // It may be for all who ask meanwhile: what it rests on is known at its end.
    if (held && !held.about) await held.made.catch(() => undefined);
    for (const known of [held, this.entries.get(named)]) {
      if (known && this.stands(known, collections)) return known.made as Promise<T>;
    }
    // Both before anything is read: what is written from here on may be missing in it.
    const { last: since, subjects } = this.stamps;
    const spared = subjects.count;
    const making = make();
    const entry: Entry = { made: making.then(({ made }) => made), since, about: undefined, spared };
    this.entries.set(named, entry, { size: OVERHEAD });
    making.then(
      ({ about, bytes }) => {
        entry.about = new NumberSet(about.map((subject) => numberOf(store, subject)));
        const size = OVERHEAD + bytes + entry.about.bytes;
        if (this.entries.peek(named) === entry) this.entries.set(named, entry, { size });
      },
      () => {
        if (this.entries.peek(named) === entry) this.entries.delete(named);
      },
    );
    return entry.made as Promise<T>;
  }

  get entriesHeld(): number {
    return this.entries.size;
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  private stands(entry: Entry, collections: readonly AnyCollection[]): boolean {
    if (collections.some(({ name }) => this.stamps.ofWhole(name) > entry.since)) return false;
    const { subjects } = this.stamps;
    if (!entry.about) return subjects.count === entry.spared;
    if (!subjects.spared(entry.about, entry.spared)) return false;
    entry.spared = subjects.count;
    return true;
  }
}
