import { Decimal } from '../../kernel/values/decimal.js';
import { grouped } from '../../kernel/values/grouped.js';
import type { KnownLot, ProductSum, Sum } from './found-lots.js';

const TOGETHER = 256;

interface Part {
  /** Tell by lot whether it is still known as it was when it was added. */
  readonly versions: readonly number[];
  readonly sums: readonly ProductSum[];
}

/** Adds up thousands of lots part by part: a part of which no lot is known otherwise than the last time is not added up again. */
export class SummedLots {
  private parts: readonly Part[] = [];

  of(lots: readonly KnownLot[]): readonly ProductSum[] {
    const { parts } = this;
    this.parts = Array.from({ length: Math.ceil(lots.length / TOGETHER) }, (_, index) => {
      const begin = index * TOGETHER;
      const part = parts[index];
      return part && isSame(part.versions, lots, begin) ? part : partOf(lots.slice(begin, begin + TOGETHER));
    });
    return this.parts.flatMap(({ sums }) => sums);
  }
}

function isSame(versions: readonly number[], lots: readonly KnownLot[], begin: number): boolean {
  if (versions.length !== Math.min(TOGETHER, lots.length - begin)) return false;
  return versions.every((version, index) => version === lots[begin + index]?.version);
}

const partOf = (lots: readonly KnownLot[]): Part => ({
  versions: lots.map(({ version }) => version),
  sums: summedByProduct(lots),
});

/** Adds up lots, or sums of lots. */
export const summedByProduct = (some: readonly ProductSum[]): readonly ProductSum[] =>
  [...grouped(some, ({ variantId }) => variantId)].map(([variantId, of]) => ({ variantId, ...summed(of) }));

export function summed(some: readonly Sum[]): Sum {
  const all = (of: (one: Sum) => Decimal): Decimal => Decimal.sumOf(some, of);
  return {
    sold: all(({ sold }) => sold),
    returned: all(({ returned }) => returned),
    life: {
      entered: all(({ life }) => life.entered),
      sold: all(({ life }) => life.sold),
      consumed: all(({ life }) => life.consumed),
      adjustedAway: all(({ life }) => life.adjustedAway),
      reversed: all(({ life }) => life.reversed),
    },
    inStock: all(({ inStock }) => inStock),
    held: some.flatMap(({ held }) => held),
  };
}
