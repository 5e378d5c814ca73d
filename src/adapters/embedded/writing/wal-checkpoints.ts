import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { QuestionLink } from '../workers/question-link.js';

/** After so many written documents and rows the write-ahead log is moved into the file. */
const WRITES_BETWEEN = 5_000;

/**
 * Moves the write-ahead log into the file beside the writer, which goes on meanwhile. What it wrote meanwhile it moves itself; the
 * log then starts over instead of growing for ever.
 */
export class WalCheckpoints {
  private readonly mover: QuestionLink<'move', unknown>;
  private moved = 0;
  private moving: Promise<void> | undefined;

  constructor(
    private readonly database: DatabaseSyncInstance,
    dataDir: string,
  ) {
    this.mover = new QuestionLink(new URL('./wal-checkpoint-worker.js', import.meta.url), { dataDir });
  }

  consider(written: number): void {
    if (this.moving || written - this.moved < WRITES_BETWEEN) return;
    this.moved = written;
    this.moving = this.move().finally(() => (this.moving = undefined));
  }

  async close(): Promise<void> {
    await this.moving;
    await this.mover.close();
  }

  /** One that fails, for want of space perhaps, comes again after as many writes. */
  private async move(): Promise<void> {
    try {
      await this.mover.ask('move');
      this.database.exec('pragma wal_checkpoint(passive)');
    } catch {
      // the writes are safe where they are
    }
  }
}
