import { LRUCache } from 'lru-cache';
import type { RecordCollection, StoredRecord } from '../../../ports/read-models.js';
import type { ChangeStamps } from './changes.js';
import { BETWEEN } from './list-plans.js';

/** Names what a record was after some event. */
export interface RecordMark {
  readonly id: string;
  /** The last event that it saw stands there. */
  readonly position: string;
}

/** What an entry takes beside its texts, in bytes. */
const OVERHEAD = 300;
/** An entry has a position, hidden members and a body. */
const PARTS = 3;

/**
 * Records whose bodies lie compressed, as they were last read: a list that is asked for again and again unpacks those alone that are new in it.
 * While a record stays as it is, it is given as the same object.
 */
export class KnownRecords {
  private readonly known: LRUCache<string, StoredRecord>;

  constructor(
    mostBytes: number,
    private readonly stamps: ChangeStamps,
  ) {
    this.known = new LRUCache({ maxSize: mostBytes });
  }

  get entriesHeld(): number {
    return this.known.size;
  }

  get bytes(): number {
    return this.known.calculatedSize;
  }

  /** The records in their order; one that went away meanwhile is left out. `read` gives the parts of each as one text, nothing of one that is missing. */
  async of(
    collection: RecordCollection<never>,
    store: string,
    marks: readonly RecordMark[],
    read: (ids: readonly string[]) => Promise<string>,
  ): Promise<readonly StoredRecord[]> {
    // Another build may tell something else of the same event.
    const build = `${collection.name} ${String(this.stamps.ofWhole(collection.name))} ${store}`;
    const keyOf = ({ id, position }: RecordMark): string => `${build} ${id} ${position}`;
    const found = new Map<string, StoredRecord>();
    const missing: string[] = [];
    for (const mark of marks) {
      const known = this.known.get(keyOf(mark));
      if (known) found.set(mark.id, known);
      else missing.push(mark.id);
    }
    if (missing.length > 0) {
      const parts = (await read(missing)).split(BETWEEN);
      for (const [index, id] of missing.entries()) {
        const [position = '', hidden = '', body = ''] = parts.slice(index * PARTS, (index + 1) * PARTS);
        if (position === '') continue;
        const record = { id, body, hidden };
        found.set(id, record);
        this.known.set(keyOf({ id, position }), record, { size: OVERHEAD + body.length + hidden.length });
      }
    }
    return marks.flatMap(({ id }) => found.get(id) ?? []);
  }
}
