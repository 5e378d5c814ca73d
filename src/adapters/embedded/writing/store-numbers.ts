import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/** Rows name their store by its number: written out, it would be a third of what the indexes hold. */
export const STORE_NUMBERS = 'storeNumbers (number integer primary key, store text not null unique)';

export const NUMBER_OF_STORE = '(select number from storeNumbers where store = ?)';

const DIGITS = 4;

/** How the index of words names a store, before each of its words. */
export const storeCode = (number: number): string => number.toString(36).padStart(DIGITS, '0');

/** Gives each store its number, within the transaction that first writes something of it. */
export class StoreNumbers {
  private readonly known = new Map<string, number>();
  private readonly add: StatementSyncInstance;
  private readonly find: StatementSyncInstance;

  constructor(database: DatabaseSyncInstance) {
    this.add = database.prepare('insert or ignore into storeNumbers (store) values (?)');
    this.find = database.prepare(`select ${NUMBER_OF_STORE} as number`);
  }

  of(store: string): number {
    let number = this.known.get(store);
    if (number === undefined) {
      this.add.run(store);
      ({ number } = this.find.get(store) as { readonly number: number });
      this.known.set(store, number);
    }
    return number;
  }

  /** To be called after a transaction that did not happen. */
  forget(): void {
    this.known.clear();
  }
}
