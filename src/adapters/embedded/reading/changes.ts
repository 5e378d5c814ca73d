/** What was written of a collection. */
export interface Changed {
  readonly collection: string;
  /** The stores in which anything of it was written … */
  readonly written: readonly string[];
  /** … and those in which lists and counts of it may have become others. */
  readonly listed: readonly string[];
}

class Stamps {
  private readonly ofCollections = new Map<string, number>();
  private readonly ofStores = new Map<string, number>();

  of(collection: string, store: string): number {
    const whole = this.ofCollections.get(collection) ?? 0;
    return Math.max(whole, this.ofStores.get(`${collection}/${store}`) ?? 0);
  }

  set(collection: string, stores: readonly string[], stamp: number): void {
    for (const store of stores) this.ofStores.set(`${collection}/${store}`, stamp);
  }

  setAll(collection: string, stamp: number): void {
    this.ofCollections.set(collection, stamp);
  }
}

/** Says of what was read whether it may have changed since: a stamp is never given twice. */
export class ChangeStamps {
  private last = 0;
  private readonly lists = new Stamps();
  private readonly contents = new Stamps();

  /** The number of the last change that lists and counts show. */
  ofList(collection: string, store: string): number {
    return this.lists.of(collection, store);
  }

  /** The number of the last change of anything in these collections. */
  ofAll(collections: readonly string[], store: string): number {
    return Math.max(...collections.map((collection) => this.contents.of(collection, store)));
  }

  changed(changes: readonly Changed[]): void {
    this.last += 1;
    for (const { collection, written, listed } of changes) {
      this.contents.set(collection, written, this.last);
      this.lists.set(collection, listed, this.last);
    }
  }

  /** In every store. */
  allChanged(collections: Iterable<string>): void {
    this.last += 1;
    for (const name of collections) {
      this.contents.setAll(name, this.last);
      this.lists.setAll(name, this.last);
    }
  }
}
