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

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.last.get(key) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => undefined);
    this.last.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key);
    }
  }
}
