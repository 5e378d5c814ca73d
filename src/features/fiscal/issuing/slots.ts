/** At most so many at once for each store; the others wait in their order. */
export class SlotsByStore {
  private readonly stores = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(private readonly atOnce: number) {}

  async run<T>(storeId: string, work: () => Promise<T>): Promise<T> {
    const own = this.stores.get(storeId) ?? { running: 0, waiting: [] };
    this.stores.set(storeId, own);
    if (own.running >= this.atOnce) await new Promise<void>((resolve) => own.waiting.push(resolve));
    else own.running += 1;
    try {
      return await work();
    } finally {
      const next = own.waiting.shift();
      if (next) next();
      else own.running -= 1;
      if (own.running === 0) this.stores.delete(storeId);
    }
  }
}
