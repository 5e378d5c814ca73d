/**
 * The client writes all appends to one stream. When that is full (16 unsent ones and a megabyte behind them) it queues the rest, and rejects this
 * queue, when the connection breaks, where nobody can catch it: the process ends. So no more than the stream takes are ever on their way; on a local
 * server that costs no throughput.
 */
const SIZE = 16;
/** The client notices a dead connection earlier, so an append without an outcome by then is lost. */
const LOST_AFTER = 30_000;

/** Lets so many appends be on their way at once; the others wait their turn. */
export class SendWindow {
  private free = SIZE;
  private readonly waiting: (() => void)[] = [];

  /** Starts the sending when its turn comes, unless the signal has aborted by then. */
  async send<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((turn) => this.waiting.push(turn));
    const leave = this.leaveOnce();
    const lost = setTimeout(leave, LOST_AFTER).unref();
    try {
      signal.throwIfAborted();
      return await start();
    } finally {
      clearTimeout(lost);
      leave();
    }
  }

  private leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    };
  }
}
