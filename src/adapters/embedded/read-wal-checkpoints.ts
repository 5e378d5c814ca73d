import { Worker } from 'node:worker_threads';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** After so many written documents and rows the write-ahead log is moved into the file. */
const WRITES_BETWEEN = 5_000;

/**
 * Moves the write-ahead log into the file beside the writer, which goes on meanwhile. What it wrote meanwhile it moves itself; the
 * log then starts over instead of growing for ever.
 */
export class WalCheckpoints {
  private readonly worker: Worker;
  private moved = 0;
  private moving = false;

  constructor(
    private readonly database: DatabaseSyncInstance,
    dataDir: string,
  ) {
    this.worker = new Worker(new URL('./read-checkpoint-worker.js', import.meta.url), { workerData: { dataDir } });
    this.worker.unref();
    this.worker.on('message', () => {
      this.database.exec('pragma wal_checkpoint(passive)');
      this.moving = false;
    });
  }

  consider(written: number): void {
    if (this.moving || written - this.moved < WRITES_BETWEEN) return;
    this.moving = true;
    this.moved = written;
    this.worker.postMessage('move');
  }

  close(): void {
    void this.worker.terminate();
  }
}
