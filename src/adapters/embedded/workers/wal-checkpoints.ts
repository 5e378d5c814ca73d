import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { QuestionLink } from './question-link.js';

/**
 * Moves a file's write-ahead log into the file beside the thread that writes, which goes on meanwhile. What is left in the end the
 * writer moves itself; the log then starts over instead of growing for ever.
 */
export class WalCheckpoints {
  private readonly mover: QuestionLink<'move', unknown>;
  private moved = 0;
  private moving: Promise<void> | undefined;

  constructor(
    private readonly database: DatabaseSyncInstance,
    path: string,
    /** It moves after so much has been written, in whatever the writer counts. */
    private readonly every: number,
  ) {
    this.mover = new QuestionLink(new URL('./wal-checkpoint-worker.js', import.meta.url), { path });
  }

  consider(written: number): void {
    if (this.moving || written - this.moved < this.every) return;
    this.moved = written;
    this.moving = this.move().finally(() => (this.moving = undefined));
  }

  async close(): Promise<void> {
    await this.moving;
    await this.mover.close();
  }

  /** The second time it is little: what was written during the first. One that fails, for want of space perhaps, comes again later. */
  private async move(): Promise<void> {
    try {
      await this.mover.ask('move');
      await this.mover.ask('move');
    } catch {
      // The writer moves it all.
    }
    checkpoint(this.database, 'passive');
  }
}

/** What cannot be moved is safe where it is. */
export function checkpoint(database: DatabaseSyncInstance, how: 'passive' | 'truncate'): void {
  try {
    database.exec(`pragma wal_checkpoint(${how})`);
  } catch {
    // A full disk, for one: the next checkpoint tries it again.
  }
}
