import { isDeepStrictEqual } from 'node:util';
import type { ProjectionHealth, Projections } from '../kernel/projections/projections.js';
import type { JsonChange } from '../kernel/values/json-changes.js';
import { jsonChanges } from '../kernel/values/json-changes.js';
import { pagesOf } from '../kernel/routes/lists.js';
import type {
  AnyCollection,
  EveryRecord,
  FoundRecord,
  Query,
  ReadModels,
  RecordCollection,
  Row,
  RowCollection,
  Scalar,
} from '../ports/read-models.js';
import { wholeDocument } from '../kernel/routes/stored-records.js';
import { columnsOf, countIn, idsUnder, indexedColumn, ROWS, sorted, valuesOfKeys } from './checked-readings.js';

/** Compares the read models with what a replay of the whole log makes. */

export interface ScratchReplay {
  readonly reads: ReadModels;
  readonly every: EveryRecord;
  readonly projections: Projections;
  close(): Promise<void>;
}

interface CheckedProjections {
  readonly projections: Projections;
  readonly reads: ReadModels;
  readonly collections: readonly AnyCollection[];
  /** Replays the log beside everything else; it goes on with what comes. */
  openReplay(): Promise<ScratchReplay>;
}

interface Difference {
  readonly collection: string;
  readonly store: string;
  /** Of a record its id; of rows a column and what all of them have there. */
  readonly id?: string;
  /** The first of them, by path: `from` is what stands there, `to` what the replay makes. */
  readonly changes: readonly JsonChange[];
}

/** An event that a projector cannot apply. */
interface Unapplied {
  readonly projection: string;
  readonly position: string;
  readonly type: string;
}

export interface ProjectionCheck {
  /** Nothing differs, and every projection goes on. */
  readonly ok: boolean;
  readonly collections: number;
  readonly documents: number;
  readonly rows: number;
  readonly differing: number;
  readonly differences: readonly Difference[];
  /** Before these projections stopped: what follows is missing. */
  readonly stopped: readonly Unapplied[];
  /** What an operator had skipped is missing on both sides. */
  readonly skipped: readonly Unapplied[];
}

const PAGE = 200;
const MOST_DIFFERENCES = 20;
const MOST_CHANGES = 5;
/** What differs while both go on is looked at again when both have seen the same. */
const TRIES = 3;
const NO_CHANGES: readonly JsonChange[] = [];

class Check {
  documents = 0;
  rows = 0;
  differing = 0;
  readonly differences: Difference[] = [];
  readonly skipped: Unapplied[] = [];

  constructor(
    private readonly live: CheckedProjections,
    private readonly replay: ScratchReplay,
  ) {}

  async all(): Promise<void> {
    await this.bothCaughtUp();
    const stores = new Map<AnyCollection, ReadonlySet<string>>();
    for (const collection of this.live.collections) stores.set(collection, await this.made(collection));
    const everyStore = new Set([...stores.values()].flatMap((some) => [...some]));
    for (const [collection, own] of stores) {
      // Of a store for which the replay makes nothing there may be something left all the same.
      for (const store of everyStore) await this.store(collection, store, own.has(store));
    }
  }

  /** Compares the records that the replay makes; gives the stores that it makes something of. */
  private async made(collection: AnyCollection): Promise<ReadonlySet<string>> {
    const stores = new Set<string>();
    const lookedFor = new Set<string>();
    for (const page of this.replay.every(collection, PAGE)) {
      for (const { store } of page) stores.add(store);
      if (collection.kind === 'records') {
        await this.records(collection, page);
        await this.foundByKeys(collection, page, lookedFor);
      } else this.rows += page.length;
    }
    return stores;
  }

  private async store(collection: AnyCollection, store: string, isMade: boolean): Promise<void> {
    if (!isMade && (await countIn(this.live.reads, collection, store)) === 0) return;
    if (collection.kind === 'records') await this.counts(collection, store);
    else await this.rowsOf(collection, store);
  }

  private async records(collection: RecordCollection<never>, page: readonly FoundRecord[]): Promise<void> {
    this.documents += page.length;
    for (const [store, made] of byStore(page)) {
      const unlike = await this.unlikeIds(collection, store, made);
      if (unlike.length === 0) continue;
      const differing = await this.differingIds(collection, store, unlike);
      for (const id of differing) await this.noteRecord(collection, store, id);
    }
  }

  /** What is found by a key lies apart from the records: a sale, say, by its lots. Each value is looked for once. */
  private async foundByKeys(
    collection: RecordCollection<never>,
    page: readonly FoundRecord[],
    lookedFor: Set<string>,
  ): Promise<void> {
    for (const made of page) {
      for (const { key, value } of valuesOfKeys(collection, made)) {
        const id = `${key} ${String(value)}`;
        const place = `${made.store} ${id}`;
        if (lookedFor.has(place)) continue;
        lookedFor.add(place);
        const changes = await this.lasting((reads) => idsUnder(reads, collection, made.store, key, value), 'found');
        if (changes.length > 0) this.note({ collection: collection.name, store: made.store, id, changes });
      }
    }
  }

  /** Those whose texts or columns differ: the others, which are nearly all, need not be parsed. */
  private async unlikeIds(collection: RecordCollection<never>, store: string, made: readonly FoundRecord[]) {
    const ids = made.map(({ id }) => id);
    const [found, columnsThere, columnsMade] = await Promise.all([
      this.live.reads.getMany(collection, store, ids),
      columnsOf(this.live.reads, collection, store, ids),
      columnsOf(this.replay.reads, collection, store, ids),
    ]);
    const there = new Map(found.map((record) => [record.id, record]));
    return made.flatMap(({ id, body, hidden }, index) => {
      const record = there.get(id);
      const isAlike = record?.body === body && record.hidden === hidden;
      return isAlike && isDeepStrictEqual(columnsThere[index], columnsMade[index]) ? [] : [id];
    });
  }

  private differingIds(collection: RecordCollection<never>, store: string, ids: readonly string[]) {
    return this.differingStill(ids, async (suspects) => {
      const [there, made] = await this.both(collection, store, suspects);
      // In which order an engine keeps the members says nothing.
      return suspects.filter((id) => !isDeepStrictEqual(there.get(id), made.get(id)));
    });
  }

  private async both(collection: RecordCollection<never>, store: string, ids: readonly string[]) {
    const of = async (reads: ReadModels) => {
      const found = await reads.getMany(collection, store, ids);
      const columns = await columnsOf(reads, collection, store, ids);
      const byId = new Map(ids.map((id, index) => [id, columns[index]]));
      return new Map(
        found.map((record) => [record.id, { document: wholeDocument(record), columns: byId.get(record.id) }]),
      );
    };
    return Promise.all([of(this.live.reads), of(this.replay.reads)]);
  }

  private async noteRecord(collection: RecordCollection<never>, store: string, id: string): Promise<void> {
    const [there, made] = (await this.both(collection, store, [id])).map((found) => found.get(id));
    const changes = [
      ...jsonChanges(there?.document, made?.document),
      ...jsonChanges(there?.columns, made?.columns, 'columns'),
    ].slice(0, MOST_CHANGES);
    this.note({ collection: collection.name, store, id, changes });
  }

  private async counts(collection: RecordCollection<never>, store: string): Promise<void> {
    const changes = await this.lasting((reads) => countIn(reads, collection, store), 'count');
    if (changes.length > 0) this.note({ collection: collection.name, store, changes });
  }

  /** What differs between the two still when both have seen the same. */
  private async lasting(look: (reads: ReadModels) => Promise<unknown>, path: string): Promise<readonly JsonChange[]> {
    const [changes = []] = await this.differingStill([NO_CHANGES], async () => {
      const [there, made] = await Promise.all([look(this.live.reads), look(this.replay.reads)]);
      const found = jsonChanges(there, made, path).slice(0, MOST_CHANGES);
      return found.length === 0 ? [] : [found];
    });
    return changes;
  }

  /** What of the suspects differs when both have seen everything: they are looked at again while any do, as both go on meanwhile. */
  private async differingStill<T>(
    suspects: readonly T[],
    look: (suspects: readonly T[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    let still = suspects;
    for (let tries = 0; tries < TRIES && still.length > 0; tries++) {
      if (tries > 0) await this.bothCaughtUp();
      still = await look(still);
    }
    return still;
  }

  /** Row by row. What one side alone has is looked at again, with all that has the same value in an indexed column. */
  private async rowsOf(collection: RowCollection, store: string): Promise<void> {
    const column = indexedColumn(collection);
    const unlike = await this.unlikeRows(collection, store, column);
    const suspects = unlike.map((value) => ({ value, changes: NO_CHANGES }));
    const differing = await this.differingStill(suspects, async (some) => {
      const still: typeof suspects = [];
      for (const { value } of some) {
        const changes = await this.rowChanges(collection, { store, equal: { [column]: value } }, column);
        if (changes.length > 0) still.push({ value, changes });
      }
      return still;
    });
    for (const { value, changes } of differing) {
      const id = `${column} ${String(value)}`;
      this.note({ collection: collection.name, store, id, changes: changes.slice(0, MOST_CHANGES) });
    }
  }

  /** The values of a column in rows that one side alone has. Both are read in its order, so that little is held at a time. */
  private async unlikeRows(collection: RowCollection, store: string, column: string): Promise<readonly Scalar[]> {
    const alone = new Map<string, { readonly value: Scalar; readonly times: number }>();
    const count = (rows: readonly Row[], by: 1 | -1): void => {
      for (const row of rows) {
        const text = JSON.stringify(row);
        const times = (alone.get(text)?.times ?? 0) + by;
        if (times === 0) alone.delete(text);
        else alone.set(text, { value: row[column] ?? null, times });
      }
    };
    const [there, made] = this.bothRows(collection, { store }, column);
    for (let goesOn = true; goesOn;) {
      const pages = await Promise.all([there.next(), made.next()]);
      const [live = [], replayed = []] = pages.map(({ done, value }) => (done === true ? [] : value));
      count(live, 1);
      count(replayed, -1);
      goesOn = pages.some(({ done }) => done !== true);
    }
    return [...new Set([...alone.values()].map(({ value }) => value))];
  }

  private async rowChanges(collection: RowCollection, query: Query, column: string): Promise<readonly JsonChange[]> {
    const [there, made] = await Promise.all(this.bothRows(collection, query, column).map(sorted));
    return jsonChanges(there, made);
  }

  private bothRows(collection: RowCollection, query: Query, column: string) {
    const of = (reads: ReadModels): AsyncGenerator<readonly Row[]> =>
      pagesOf((at) => reads.findRows(collection, { ...query, sort: { column, direction: 'asc' }, limit: ROWS, ...at }));
    return [of(this.live.reads), of(this.replay.reads)] as const;
  }

  private async bothCaughtUp(): Promise<void> {
    do await Promise.all([this.live.projections.caughtUp(), this.replay.projections.caughtUp()]);
    while (await this.skipAsThere());
  }

  /** The replay stops at an event that an operator had skipped, and would lack all that came after it. Says whether it goes on with some. */
  private async skipAsThere(): Promise<boolean> {
    const there = new Map(this.live.projections.health().map(({ name, position }) => [name, position]));
    const passed = this.replay.projections
      .health()
      .flatMap(unappliedIn)
      .filter(({ projection, position }) => position <= (there.get(projection) ?? ''));
    for (const { projection, position } of passed) await this.replay.projections.skip(projection, position);
    this.skipped.push(...passed);
    return passed.length > 0;
  }

  private note(difference: Difference): void {
    this.differing += 1;
    if (this.differences.length < MOST_DIFFERENCES) this.differences.push(difference);
  }
}

const unappliedIn = ({ name, poison }: ProjectionHealth): readonly Unapplied[] =>
  poison ? [{ projection: name, position: poison.position, type: poison.type }] : [];

function byStore(page: readonly FoundRecord[]): ReadonlyMap<string, readonly FoundRecord[]> {
  const stores = new Map<string, FoundRecord[]>();
  for (const record of page) {
    const own = stores.get(record.store);
    if (own) own.push(record);
    else stores.set(record.store, [record]);
  }
  return stores;
}

export async function checkProjections(live: CheckedProjections): Promise<ProjectionCheck> {
  const replay = await live.openReplay();
  try {
    const check = new Check(live, replay);
    await check.all();
    const { documents, rows, differing, differences, skipped } = check;
    const stopped = live.projections.health().flatMap(unappliedIn);
    const ok = differing === 0 && stopped.length === 0;
    return { ok, collections: live.collections.length, documents, rows, differing, differences, stopped, skipped };
  } finally {
    await replay.close();
  }
}
