import { Decimal } from '../kernel/values/decimal.js';

interface Held {
  readonly lotId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  quantity: Decimal;
}

export interface Taken {
  readonly sku: string;
  readonly lotId: string;
  readonly quantity: Decimal;
}

export interface Goods {
  readonly sku: string;
  readonly quantity: Decimal;
}

/**
 * What the store of the demonstration has, lot by lot, as its days go by: what is to happen next depends on it, before anything is recorded.
 * It issues as the stock does, the oldest first and nothing that has expired, so that it never counts on goods that are not there.
 */
export class Storeroom {
  private readonly lots = new Map<string, Held[]>();

  available(sku: string, at: number): Decimal {
    return Decimal.sum(this.usable(sku, at).map(({ quantity }) => quantity));
  }

  put(sku: string, lotId: string, quantity: Decimal, expiresAt: number): void {
    const held = this.lots.get(sku) ?? [];
    held.push({ lotId, expiresAt, quantity });
    this.lots.set(sku, held);
  }

  /** All of it; undefined where there is too little of something, and then nothing leaves. */
  take(wanted: readonly Goods[], at: number): readonly Taken[] | undefined {
    if (wanted.some(({ sku, quantity }) => this.available(sku, at).lessThan(quantity))) return undefined;
    return wanted.flatMap((goods) => this.takeOf(goods, at));
  }

  putBack(taken: readonly Taken[]): void {
    for (const { sku, lotId, quantity } of taken) {
      const held = this.lots.get(sku)?.find((lot) => lot.lotId === lotId);
      if (held) held.quantity = held.quantity.plus(quantity);
    }
  }

  /** Nobody takes of it any more. Gives what was left. */
  close(sku: string, lotId: string): Decimal {
    const held = this.lots.get(sku) ?? [];
    this.lots.set(
      sku,
      held.filter((lot) => lot.lotId !== lotId),
    );
    return held.find((lot) => lot.lotId === lotId)?.quantity ?? Decimal.zero;
  }

  /** The lot of which goods would leave next. */
  next(sku: string, at: number): string | undefined {
    return this.usable(sku, at).at(0)?.lotId;
  }

  /** Throws away what has expired by then. */
  clear(by: number): readonly Goods[] {
    return [...this.lots].flatMap(([sku, held]) => {
      const thrown = held.filter(({ expiresAt }) => expiresAt <= by).map(({ quantity }) => quantity);
      if (thrown.length > 0)
        this.lots.set(
          sku,
          held.filter(({ expiresAt }) => expiresAt > by),
        );
      const quantity = Decimal.sum(thrown);
      return quantity.isPositive ? [{ sku, quantity }] : [];
    });
  }

  private usable(sku: string, at: number): readonly Held[] {
    return (this.lots.get(sku) ?? []).filter(({ quantity, expiresAt }) => quantity.isPositive && expiresAt > at);
  }

  private takeOf({ sku, quantity }: Goods, at: number): readonly Taken[] {
    let missing = quantity;
    const taken: Taken[] = [];
    for (const lot of this.usable(sku, at)) {
      if (!missing.isPositive) break;
      const part = missing.min(lot.quantity);
      lot.quantity = lot.quantity.minus(part);
      missing = missing.minus(part);
      taken.push({ sku, lotId: lot.lotId, quantity: part });
    }
    return taken;
  }
}
