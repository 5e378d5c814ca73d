/** One piece of work after the other. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** The same for each key by itself. */
export class TurnsByKey {
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly counts = new Map<string, number>();

  /** How many run or wait for their turn. */
  countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.last.get(key) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => undefined);
    this.last.set(key, settled);
    this.counts.set(key, this.countOf(key) + 1);
    try {
      return await result;
    } finally {
      this.counts.set(key, this.countOf(key) - 1);
      if (this.last.get(key) === settled) {
        this.last.delete(key);
        this.counts.delete(key);
      }
    }
  }
}
