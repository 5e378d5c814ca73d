import { setTimeout as pause } from 'node:timers/promises';

/** As long as a piece takes, and longer: everything else comes first. */
const BETWEEN_PIECES = 20;
const AFTER_FAILURE = 1_000;

/** Removes what is left over, a piece at a time, between whatever else the thread does. */
export class Sweeping {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  /** The piece says whether something may be left. */
  constructor(private readonly piece: () => Promise<boolean>) {}

  begin(): void {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // What fails while the disk is full, say, may succeed later.
      const outcome = await this.piece().catch(() => 'failed' as const);
      if (outcome === false) return;
      const milliseconds = outcome === 'failed' ? AFTER_FAILURE : BETWEEN_PIECES;
      await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    }
  }
}
