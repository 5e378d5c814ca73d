import { Decimal } from '../../../kernel/values/decimal.js';

/** What became of a lot since its beginning. */
export interface LotLife {
  readonly entered: Decimal;
  /** Net of what came back. */
  readonly sold: Decimal;
  readonly consumed: Decimal;
  readonly adjustedAway: Decimal;
  readonly reversed: Decimal;
}

export interface MassBalance {
  readonly produced: number;
  readonly soldNet: number;
  readonly inStock: number;
  readonly consumed: number;
  readonly lost: number;
  readonly reversed: number;
  readonly accountedPercent: number;
}

/** What entered, against everything that it can have become. */
export function massBalance(life: LotLife, inStock: Decimal): MassBalance {
  const { entered: produced, sold: soldNet, consumed, adjustedAway: lost, reversed } = life;
  const parts = { soldNet, inStock, consumed, lost, reversed };
  const accounted = Decimal.sum(Object.values(parts));
  const percent = produced.isZero
    ? accounted.isZero
      ? Decimal.hundred
      : Decimal.zero
    : accounted.timesRatio(Decimal.hundred, produced).round(4);
  return {
    produced: produced.toNumber(),
    soldNet: parts.soldNet.toNumber(),
    inStock: parts.inStock.toNumber(),
    consumed: parts.consumed.toNumber(),
    lost: parts.lost.toNumber(),
    reversed: parts.reversed.toNumber(),
    accountedPercent: percent.toNumber(),
  };
}
