import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Position } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';
import type { Checkpoint, Generation } from '../../../ports/read-models.js';

const keyOf = (collection: string, generation: Generation): string => `${generation}:${collection}`;

/** How far each build of each collection has come. Changed within the transactions of the store alone. */
export class ReadCheckpoints {
  private readonly reached = new Map<string, Position>();
  private readonly put: StatementSyncInstance;
  /** Moves all builds that have come equally far: one statement in place of one for each of them. */
  private readonly move: StatementSyncInstance;

  constructor(private readonly database: DatabaseSyncInstance) {
    this.put = database.prepare(
      'insert or replace into checkpoints (collection, version, generation, logId, position) values (?, ?, ?, ?, ?)',
    );
    this.move = database.prepare(
      `update checkpoints set position = ? where generation = ? and logId = ?
         and collection in (select value from json_each(?))`,
    );
  }

  all(): Checkpoint[] {
    return this.database
      .prepare('select collection, version, generation, logId, position from checkpoints')
      .all()
      .map((row) => ({ ...(row as Checkpoint) }));
  }

  /** Reads again what is stored: at the start and after a transaction that was rolled back. */
  refresh(): void {
    this.reached.clear();
    for (const { collection, generation, position } of this.all()) {
      this.reached.set(keyOf(collection, generation), position);
    }
  }

  reachedBy(collection: string, generation: Generation): Position {
    return this.reached.get(keyOf(collection, generation)) ?? START;
  }

  storeAll(checkpoints: readonly Checkpoint[]): void {
    if (this.moveTogether(checkpoints)) return;
    for (const checkpoint of checkpoints) this.store(checkpoint);
  }

  /** False where one of them is the first of its build, or they do not go to one place. */
  private moveTogether(checkpoints: readonly Checkpoint[]): boolean {
    const [first] = checkpoints;
    if (!first || checkpoints.length === 1) return false;
    const { generation, logId, position } = first;
    const isLike = (other: Checkpoint): boolean => {
      const from = this.reachedBy(other.collection, generation);
      const goes = from !== START && from < position;
      return goes && other.generation === generation && other.logId === logId && other.position === position;
    };
    if (!checkpoints.every(isLike)) return false;
    const names = checkpoints.map(({ collection }) => collection);
    if (this.move.run(position, generation, logId, JSON.stringify(names)).changes !== names.length) return false;
    for (const collection of names) this.reached.set(keyOf(collection, generation), position);
    return true;
  }

  private store({ collection, version, generation, logId, position }: Checkpoint): void {
    if (position < this.reachedBy(collection, generation)) return;
    this.put.run(collection, version, generation, logId, position);
    this.reached.set(keyOf(collection, generation), position);
  }

  remove(collection: string, generation: Generation): void {
    this.database
      .prepare('delete from checkpoints where collection = ? and generation = ?')
      .run(collection, generation);
    this.reached.delete(keyOf(collection, generation));
  }

  /** That of `next` becomes the live one. */
  switch(collection: string): void {
    this.remove(collection, 'live');
    this.database
      .prepare(`update checkpoints set generation = 'live' where collection = ? and generation = 'next'`)
      .run(collection);
    this.refresh();
  }
}
