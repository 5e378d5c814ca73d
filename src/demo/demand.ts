const DAYS_OF_A_WEEK = 7;

/** What is asked for on a day, as somebody comes to know it who bakes and orders by it. */
export class Demand {
  private readonly usual = new Map<string, number>();
  private readonly today = new Map<string, number>();

  /** Before anybody has asked. */
  expect(sku: string, aDay: number): void {
    this.usual.set(sku, this.of(sku) + aDay);
  }

  ask(sku: string, quantity: number): void {
    this.today.set(sku, (this.today.get(sku) ?? 0) + quantity);
  }

  /** On a usual day. */
  of(sku: string): number {
    return this.usual.get(sku) ?? 0;
  }

  endDay(): void {
    for (const sku of new Set([...this.usual.keys(), ...this.today.keys()])) {
      const usual = this.of(sku);
      this.usual.set(sku, usual + ((this.today.get(sku) ?? 0) - usual) / DAYS_OF_A_WEEK);
    }
    this.today.clear();
  }
}
