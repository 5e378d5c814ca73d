import type { ServerResponse } from 'node:http';

interface UntakenLimits {
  /** What slow clients may leave in memory together. */
  readonly bytes: number;
  /** Who has not taken an answer after so long is slow. */
  readonly slowMilliseconds: number;
}

interface Untaken {
  readonly response: ServerResponse;
  /** For whom it was made: a store, or an address where no credential is needed. */
  readonly holder: string;
  /** What lies in memory for it as long as its client does not take what is there, beside that. */
  readonly beside: number;
}

/** Nothing while its client waits for what is still to be made. */
function bytesOf({ response, beside }: Untaken): number {
  const { writableLength } = response;
  return writableLength === 0 ? 0 : writableLength + beside;
}

/**
 * Whoever takes a byte now and then is never cut for standing still, and what they have not taken lies in memory: where it comes to more than
 * allowed, the newest answer of whoever has most is cut off: what others have nearly taken is not begun anew.
 */
export class UntakenAnswers {
  /** The oldest first. */
  private readonly slow = new Set<Untaken>();

  constructor(private readonly limits: UntakenLimits) {}

  /** Minds an answer that was not taken at once. */
  mind(untaken: Untaken): void {
    const late = setTimeout(() => {
      this.slow.add(untaken);
      this.bound();
    }, this.limits.slowMilliseconds).unref();
    untaken.response.once('close', () => {
      clearTimeout(late);
      this.slow.delete(untaken);
    });
  }

  private bound(): void {
    const held = new Map<string, number>();
    let total = 0;
    for (const one of this.slow) {
      const bytes = bytesOf(one);
      total += bytes;
      held.set(one.holder, (held.get(one.holder) ?? 0) + bytes);
    }
    while (total > this.limits.bytes) {
      const [most] = [...held].reduce((one, other) => (other[1] > one[1] ? other : one));
      const newest = [...this.slow].findLast((one) => one.holder === most && bytesOf(one) > 0);
      if (!newest) return;
      const bytes = bytesOf(newest);
      total -= bytes;
      held.set(most, (held.get(most) ?? 0) - bytes);
      this.slow.delete(newest);
      newest.response.destroy();
    }
  }
}
