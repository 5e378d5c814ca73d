import { LRUCache } from 'lru-cache';
import type { Beneath, RecordCollection, Shows } from '../../../ports/read-models.js';
import type { ChangeStamps } from './changes.js';
import { placeOf } from './changes.js';

interface Entry {
  readonly made: Promise<Buffer>;
  /** The last change before it was asked for. */
  readonly since: number;
  /** By the names of collections: where the stamps of the records stand that it shows. */
  readonly shown: Map<string, Uint32Array>;
}

/** What an answer weighs before it is there, and beside its bytes. */
const OVERHEAD = 500;

/** Answers, each for as long as nothing was written of what it rests on. Those who ask at the same time share one. */
export class KeptAnswers {
  private readonly entries: LRUCache<string, Entry>;

  constructor(
    mostBytes: number,
    private readonly stamps: ChangeStamps,
  ) {
    this.entries = new LRUCache({ maxSize: mostBytes });
  }

  getOrMake(beneath: Beneath, store: string, key: string, make: (shows: Shows) => Promise<Buffer>): Promise<Buffer> {
    const named = `${store} ${key}`;
    const known = this.entries.get(named);
    if (known && this.lastChange(beneath, store, known) <= known.since) return known.made;
    const { last: since } = this.stamps;
    const shown = new Map<string, Uint32Array>();
    const made = make(({ name }, ids) => {
      shown.set(name, Uint32Array.from(ids, placeOf));
    });
    this.keep(named, { made, since, shown });
    return made;
  }

  get entriesHeld(): number {
    return this.entries.size;
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  private keep(named: string, entry: Entry): void {
    this.entries.set(named, entry, { size: OVERHEAD });
    entry.made.then(
      ({ byteLength }) => {
        const places = [...entry.shown.values()].reduce((sum, { byteLength: bytes }) => sum + bytes, 0);
        const size = OVERHEAD + byteLength + places;
        if (this.entries.peek(named) === entry) this.entries.set(named, entry, { size });
      },
      () => {
        if (this.entries.peek(named) === entry) this.entries.delete(named);
      },
    );
  }

  private lastChange({ collections = [], lists = [], records = [] }: Beneath, store: string, { shown }: Entry): number {
    const ofRecords = ({ name }: RecordCollection<never>): number => {
      const places = shown.get(name);
      return places ? this.stamps.ofPlaces(name, places) : this.stamps.ofContents(name, store);
    };
    return Math.max(
      0,
      ...collections.map(({ name }) => this.stamps.ofContents(name, store)),
      ...lists.map(({ name }) => this.stamps.ofList(name, store)),
      ...records.map(ofRecords),
    );
  }
}
