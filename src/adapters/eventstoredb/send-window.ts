/**
 * The client queues appends beyond 16 unsent ones (the high-water mark of its stream) and, when the connection breaks, rejects the queue where
 * nobody can catch it, which ends the process. As many as this are never queued; on a local server it costs no throughput.
 */
const SIZE = 15;
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
