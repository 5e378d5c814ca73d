import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { wordsOf } from '../../../kernel/values/words.js';
import type { Generation } from '../../../ports/read-models.js';
import type { StoreNumbers } from './store-numbers.js';
import { storeCode } from './store-numbers.js';
import { wordsTableOf } from './tables.js';

interface Change {
  readonly record: number;
  readonly store: string;
  readonly before: string | undefined;
  after: string | undefined;
}

/**
 * The words of one build of a collection. What the index holds of a document is made again from the document when it goes, not
 * stored a second time. Changes are applied in the order of the rows: out of order each would be written to the file by itself.
 */
export class WordIndex {
  private readonly changes = new Map<number, Change>();
  private readonly add: StatementSyncInstance;
  private readonly remove: StatementSyncInstance;

  constructor(
    database: DatabaseSyncInstance,
    collection: { readonly name: string },
    generation: Generation,
    private readonly numbers: StoreNumbers,
  ) {
    const table = wordsTableOf(collection, generation);
    this.add = database.prepare(`insert into ${table} (rowid, words) values (?, ?)`);
    this.remove = database.prepare(`insert into ${table} (${table}, rowid, words) values ('delete', ?, ?)`);
  }

  change(record: number, store: string, before: string | undefined, after: string | undefined): void {
    const known = this.changes.get(record);
    if (known) known.after = after;
    else if (before !== after) this.changes.set(record, { record, store, before, after });
  }

  flush(): void {
    if (this.changes.size === 0) return;
    const sorted = [...this.changes.values()].sort((a, b) => a.record - b.record);
    this.changes.clear();
    for (const change of sorted) this.apply(change);
  }

  private apply({ record, store, before, after }: Change): void {
    if (before === after) return;
    if (before !== undefined) this.remove.run(record, this.encoded(store, before));
    if (after !== undefined) this.add.run(record, this.encoded(store, after));
  }

  private encoded(store: string, text: string): string {
    const code = storeCode(this.numbers.of(store));
    return wordsOf(text)
      .map((word) => code + word)
      .join(' ');
  }
}
