import { WrittenSubjects } from './subjects.js';

/** What a batch wrote. */
export interface Changes {
  readonly collections: readonly Changed[];
  /** The numbers of all that it wrote about, where answers are kept by that. */
  readonly subjects: readonly number[];
}

/** What was written of a collection. */
interface Changed {
  readonly collection: string;
  /** The stores in which anything of it was written … */
  readonly written: readonly string[];
  /** … and those in which lists and counts of it may have become others. */
  readonly listed: readonly string[];
  /** The places of the records that were written, where answers are kept by them. */
  readonly places?: readonly number[];
}

class Stamps {
  private readonly ofCollections = new Map<string, number>();
  private readonly ofStores = new Map<string, number>();

  of(collection: string, store: string): number {
    return Math.max(this.ofWhole(collection), this.ofStores.get(`${collection}/${store}`) ?? 0);
  }

  ofWhole(collection: string): number {
    return this.ofCollections.get(collection) ?? 0;
  }

  set(collection: string, stores: readonly string[], stamp: number): void {
    for (const store of stores) this.ofStores.set(`${collection}/${store}`, stamp);
  }

  setAll(collection: string, stamp: number): void {
    this.ofCollections.set(collection, stamp);
  }
}

const PLACES = 2 ** 18;
const PRIME = 16_777_619;

/** Where the stamp of a record stands among those of its collection. Records may share a place, as those with the same id in two stores do: a write of one then counts for the others as well. */
export function placeOf(id: string): number {
  let place = 0;
  for (let index = 0; index < id.length; index++) place = Math.imul(place ^ id.charCodeAt(index), PRIME);
  return (place ^ (place >>> 16)) & (PLACES - 1);
}

/** Says of what was read whether it may have changed since: a stamp is never given twice. */
export class ChangeStamps {
  private newest = 0;
  private readonly lists = new Stamps();
  private readonly contents = new Stamps();
  /** Stamps of single records, by collection; most collections have one stamp for all. */
  private readonly records = new Map<string, Float64Array>();
  /** What was written about. */
  readonly subjects = new WrittenSubjects();

  /** The number of the last change of anything. */
  get last(): number {
    return this.newest;
  }

  /** The number of the last change that lists and counts show. */
  ofList(collection: string, store: string): number {
    return this.lists.of(collection, store);
  }

  /** The number of the last change of anything in the collection. */
  ofContents(collection: string, store: string): number {
    return this.contents.of(collection, store);
  }

  /** The number of the last moment at which all of the collection may have changed. */
  ofWhole(collection: string): number {
    return this.contents.ofWhole(collection);
  }

  /** The number of the last change of the records at these places. */
  ofPlaces(collection: string, places: Uint32Array): number {
    let stamp = this.ofWhole(collection);
    const stamps = this.records.get(collection);
    if (stamps) for (const place of places) stamp = Math.max(stamp, stamps[place] ?? 0);
    return stamp;
  }

  changed({ collections, subjects }: Changes): void {
    this.newest += 1;
    this.subjects.add(subjects);
    for (const { collection, written, listed, places } of collections) {
      this.contents.set(collection, written, this.newest);
      this.lists.set(collection, listed, this.newest);
      if (places) this.changedAt(collection, places);
    }
  }

  /** In every store. */
  allChanged(collections: Iterable<string>): void {
    this.newest += 1;
    for (const name of collections) {
      this.contents.setAll(name, this.newest);
      this.lists.setAll(name, this.newest);
    }
  }

  private changedAt(collection: string, places: readonly number[]): void {
    let stamps = this.records.get(collection);
    if (!stamps) this.records.set(collection, (stamps = new Float64Array(PLACES)));
    for (const place of places) stamps[place] = this.newest;
  }
}
