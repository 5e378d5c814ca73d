import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Position } from '../../../ports/event-store.js';
import { START } from '../../../ports/event-store.js';
import type { Checkpoint, Generation } from '../../../ports/read-models.js';

const keyOf = (collection: string, generation: Generation): string => `${generation}:${collection}`;

/** How far each build of each collection has come. Changed within the transactions of the store alone. */
export class ReadCheckpoints {
  private readonly reached = new Map<string, Position>();

  constructor(private readonly database: DatabaseSyncInstance) {}

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

  store({ collection, version, generation, logId, position }: Checkpoint): void {
    if (position < this.reachedBy(collection, generation)) return;
    this.database
      .prepare(
        'insert or replace into checkpoints (collection, version, generation, logId, position) values (?, ?, ?, ?, ?)',
      )
      .run(collection, version, generation, logId, position);
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
