import { LRUCache } from 'lru-cache';
import { resize } from '../../../kernel/values/entry-sizes.js';
import type { Beneath, Known, RecordCollection, Resting } from '../../../ports/read-models.js';
import type { ChangeStamps } from './changes.js';
import { placeOf } from './changes.js';
import { numberOfKnown } from './known-of-each.js';
import { insistOnSubjects, numberOf, NumberSet } from './subjects.js';

interface Entry {
  readonly made: Promise<unknown>;
  /** The last change before it was asked for. */
  readonly since: number;
  /** By the names of collections: where the stamps of the records stand that it shows. */
  readonly shown: Map<string, Uint32Array>;
  /** The subjects that it rests on, once all of them are known. */
  about: readonly NumberSet[] | undefined;
  /** None of these is among so many of the subjects that were written. */
  spared: number;
}

/** What an answer weighs before it is there, and beside what it holds. */
const OVERHEAD = 500;

/** Answers, each for as long as nothing was written of what it rests on. Those who ask at the same time share one. */
export class KeptAnswers {
  private readonly entries: LRUCache<string, Entry>;
  /** By the lists that they were made of: an answer may rest on the very list on which another rests. */
  private readonly sets = new WeakMap<
    readonly (string | Known)[],
    { readonly store: string; readonly set: NumberSet }
  >();

  constructor(
    mostBytes: number,
    private readonly stamps: ChangeStamps,
  ) {
    this.entries = new LRUCache({ maxSize: mostBytes });
  }

  getOrMake<T>(beneath: Beneath, store: string, key: string, make: (resting: Resting) => Promise<T>): Promise<T> {
    const named = `${store} ${key}`;
    for (const collection of beneath.about ?? []) insistOnSubjects(collection);
    const held = this.entries.get(named);
    // What is being made may be for all who ask meanwhile: on which subjects it rests is known at its end.
    if (beneath.about && held && !held.about) {
      return held.made.then(
        () => this.known<T>(beneath, store, named, held) ?? this.made(beneath, store, named, make),
        () => this.made(beneath, store, named, make),
      );
    }
    return this.made(beneath, store, named, make, held);
  }

  get entriesHeld(): number {
    return this.entries.size;
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  private known<T>(beneath: Beneath, store: string, named: string, held = this.entries.get(named)) {
    return held && this.stands(held, beneath, store) ? (held.made as Promise<T>) : undefined;
  }

  private made<T>(
    beneath: Beneath,
    store: string,
    named: string,
    make: (resting: Resting) => Promise<T>,
    held?: Entry,
  ): Promise<T> {
    const known = this.known<T>(beneath, store, named, held);
    if (known) return known;
    // Both before anything is read: what is written from here on may be missing in it.
    const { last: since, subjects } = this.stamps;
    const entry = { since, shown: new Map<string, Uint32Array>(), about: undefined, spared: subjects.count };
    const sets: NumberSet[] = [];
    let taken: number | undefined;
    const made = make({
      shows: ({ name }, ids) => {
        entry.shown.set(name, Uint32Array.from(ids, placeOf));
      },
      about: (some) => {
        sets.push(this.setOf(store, some));
      },
      takes: (bytes) => {
        taken = bytes;
      },
    });
    this.keep(named, { ...entry, made }, () => ({ about: sets, taken }));
    return made;
  }

  private keep(
    named: string,
    entry: Entry,
    known: () => { readonly about: readonly NumberSet[]; readonly taken: number | undefined },
  ): void {
    this.entries.set(named, entry, { size: OVERHEAD });
    entry.made.then(
      (made) => {
        const { about, taken } = known();
        entry.about = about;
        const places = [...entry.shown.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
        const bytes = made instanceof Uint8Array ? made.byteLength : (taken ?? 0);
        const size = OVERHEAD + bytes + places + about.reduce((sum, set) => sum + set.bytes, 0);
        resize(this.entries, named, entry, size);
      },
      () => {
        if (this.entries.peek(named) === entry) this.entries.delete(named);
      },
    );
  }

  private setOf(store: string, subjects: readonly (string | Known)[]): NumberSet {
    const known = this.sets.get(subjects);
    if (known?.store === store) return known.set;
    const numberOfOne = (one: string | Known): number =>
      typeof one === 'string' ? numberOf(store, one) : numberOfKnown(one);
    const set = new NumberSet(subjects.map(numberOfOne));
    this.sets.set(subjects, { store, set });
    return set;
  }

  private stands(entry: Entry, beneath: Beneath, store: string): boolean {
    return this.lastChange(beneath, store, entry) <= entry.since && (!beneath.about || this.isSpared(entry));
  }

  private isSpared(entry: Entry): boolean {
    const { subjects } = this.stamps;
    if (!entry.about) return subjects.count === entry.spared;
    if (!subjects.spared(entry.about, entry.spared)) return false;
    entry.spared = subjects.count;
    return true;
  }

  private lastChange(
    { collections = [], lists = [], records = [], about = [] }: Beneath,
    store: string,
    { shown }: Entry,
  ): number {
    const ofRecords = ({ name }: RecordCollection<never>): number => {
      const places = shown.get(name);
      return places ? this.stamps.ofPlaces(name, places) : this.stamps.ofContents(name, store);
    };
    return Math.max(
      0,
      ...collections.map(({ name }) => this.stamps.ofContents(name, store)),
      ...lists.map(({ name }) => this.stamps.ofList(name, store)),
      ...records.map(ofRecords),
      ...about.map(({ name }) => this.stamps.ofWhole(name)),
    );
  }
}
