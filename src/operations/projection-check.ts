import { isDeepStrictEqual } from 'node:util';
import type { Projections } from '../kernel/projections/projections.js';
import type { JsonChange } from '../kernel/values/json-changes.js';
import { jsonChanges } from '../kernel/values/json-changes.js';
import type { AnyCollection, EveryRecord, FoundRecord, ReadModels, RecordCollection } from '../ports/read-models.js';
import { wholeDocument } from '../kernel/routes/stored-records.js';

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
  readonly id?: string;
  /** The first of them, by path: `from` is what stands there, `to` what the replay makes. */
  readonly changes: readonly JsonChange[];
}

export interface ProjectionCheck {
  readonly ok: boolean;
  readonly collections: number;
  readonly documents: number;
  readonly rows: number;
  readonly differing: number;
  readonly differences: readonly Difference[];
}

const PAGE = 200;
const MOST_DIFFERENCES = 20;
const MOST_CHANGES = 5;
/** What differs while both go on is looked at again when both have seen the same. */
const TRIES = 3;

/** What notes where its event stands in the log, or when something was read, is no part of what it says. */
class Check {
  documents = 0;
  rows = 0;
  differing = 0;
  readonly differences: Difference[] = [];

  constructor(
    private readonly live: CheckedProjections,
    private readonly replay: ScratchReplay,
  ) {}

  async collection(collection: AnyCollection): Promise<void> {
    const counts = new Map<string, number>();
    for (const page of this.replay.every(collection, PAGE)) {
      for (const { store } of page) counts.set(store, (counts.get(store) ?? 0) + 1);
      if (collection.kind === 'records') await this.records(collection, page);
      else this.rows += page.length;
    }
    for (const store of counts.keys()) await this.counts(collection, store);
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

  /** Those whose texts differ: the others, which are nearly all, need not be parsed. */
  private async unlikeIds(collection: RecordCollection<never>, store: string, made: readonly FoundRecord[]) {
    const found = await this.live.reads.getMany(
      collection,
      store,
      made.map(({ id }) => id),
    );
    const there = new Map(found.map((record) => [record.id, record]));
    return made.flatMap(({ id, body, hidden }) => {
      const record = there.get(id);
      return record?.body === body && record.hidden === hidden ? [] : [id];
    });
  }

  /** Those that differ still when both have seen everything. */
  private async differingIds(collection: RecordCollection<never>, store: string, ids: readonly string[]) {
    let suspects = ids;
    for (let tries = 0; tries < TRIES && suspects.length > 0; tries++) {
      if (tries > 0) await this.bothCaughtUp();
      const [there, made] = await this.both(collection, store, suspects);
      // In which order an engine keeps the members says nothing.
      suspects = suspects.filter((id) => !isDeepStrictEqual(there.get(id), made.get(id)));
    }
    return suspects;
  }

  private async both(collection: RecordCollection<never>, store: string, ids: readonly string[]) {
    const [there, made] = await Promise.all(
      [this.live.reads, this.replay.reads].map((reads) => reads.getMany(collection, store, ids)),
    );
    const documents = (found: typeof there = []) => new Map(found.map((record) => [record.id, wholeDocument(record)]));
    return [documents(there), documents(made)] as const;
  }

  private async noteRecord(collection: RecordCollection<never>, store: string, id: string): Promise<void> {
    const [there, made] = await this.both(collection, store, [id]);
    const changes = jsonChanges(there.get(id), made.get(id)).slice(0, MOST_CHANGES);
    this.note({ collection: collection.name, store, id, changes });
  }

  /** How many there are, and of rows what their numbers add up to. */
  private async counts(collection: AnyCollection, store: string): Promise<void> {
    const numbers = collection.kind === 'records' ? [] : numericColumns(collection.columns);
    const look = (reads: ReadModels) => reads.summarise(collection, { store }, { sum: numbers });
    let changes: readonly JsonChange[] = [];
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await this.bothCaughtUp();
      const [there, made] = await Promise.all([look(this.live.reads), look(this.replay.reads)]);
      changes = [
        ...jsonChanges(there.count, made.count, 'count'),
        ...numbers.flatMap((name) => sumChanges(name, there.sum[name] ?? 0, made.sum[name] ?? 0)),
      ];
      if (changes.length === 0) return;
    }
    this.note({ collection: collection.name, store, changes });
  }

  private async bothCaughtUp(): Promise<void> {
    await Promise.all([this.live.projections.caughtUp(), this.replay.projections.caughtUp()]);
  }

  private note(difference: Difference): void {
    this.differing += 1;
    if (this.differences.length < MOST_DIFFERENCES) this.differences.push(difference);
  }
}

function byStore(page: readonly FoundRecord[]): ReadonlyMap<string, readonly FoundRecord[]> {
  const stores = new Map<string, FoundRecord[]>();
  for (const record of page) {
    const own = stores.get(record.store);
    if (own) own.push(record);
    else stores.set(record.store, [record]);
  }
  return stores;
}

const numericColumns = (columns: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(columns).flatMap(([name, type]) => (type === 'integer' || type === 'real' ? [name] : []));

/** Sums of binary numbers depend on their order in the last digits. */
function sumChanges(name: string, there: number, made: number): readonly JsonChange[] {
  const near = Math.abs(there - made) <= 1e-6 * Math.max(1, Math.abs(there), Math.abs(made));
  return near ? [] : [{ path: `sum of ${name}`, from: there, to: made }];
}

export async function checkProjections(live: CheckedProjections): Promise<ProjectionCheck> {
  const replay = await live.openReplay();
  try {
    await Promise.all([live.projections.caughtUp(), replay.projections.caughtUp()]);
    const check = new Check(live, replay);
    for (const collection of live.collections) await check.collection(collection);
    const { documents, rows, differing, differences } = check;
    return { ok: differing === 0, collections: live.collections.length, documents, rows, differing, differences };
  } finally {
    await replay.close();
  }
}
