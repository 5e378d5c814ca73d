/** Stores in which lists and counts of a collection may have become others. */
export interface Changed {
  readonly collection: string;
  readonly stores: readonly string[];
}

/** Says of a list or count whether what it rests on may have changed since. */
export class ChangeStamps {
  private last = 0;
  private readonly ofCollections = new Map<string, number>();
  private readonly ofStores = new Map<string, number>();

  of(collection: string, store: string): number {
    const whole = this.ofCollections.get(collection) ?? 0;
    return Math.max(whole, this.ofStores.get(`${collection}/${store}`) ?? 0);
  }

  changed(changes: readonly Changed[]): void {
    this.last += 1;
    for (const { collection, stores } of changes) {
      for (const store of stores) this.ofStores.set(`${collection}/${store}`, this.last);
    }
  }

  /** In every store. */
  allChanged(collections: Iterable<string>): void {
    this.last += 1;
    for (const name of collections) this.ofCollections.set(name, this.last);
  }
}
