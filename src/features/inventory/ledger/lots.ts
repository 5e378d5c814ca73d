import type { Decimal } from '../../../kernel/values/decimal.js';
import type { Batch } from '../events.js';
import { comparableCode } from '../events.js';

/** What a location holds of a lot. */
export interface Holding {
  readonly locationId: string;
  readonly quantity: Decimal;
  readonly value: Decimal;
}

/** A batch of which something is left, or that is blocked. */
export interface Lot extends Batch {
  readonly blocked: boolean;
  readonly holdings: readonly Holding[];
}

/** The lot with other members, made in one place for the reason that states are. */
export const changedLot = (lot: Lot, changes: Partial<Pick<Lot, 'blocked' | 'holdings'>>): Lot => ({
  lotId: lot.lotId,
  lotCode: lot.lotCode,
  entered: lot.entered,
  expiresAt: lot.expiresAt,
  blocked: changes.blocked ?? lot.blocked,
  holdings: changes.holdings ?? lot.holdings,
});

/** Whether a lot has a code, however it is spelt. */
export function hasCode(lotCode: string): (lot: Pick<Lot, 'lotCode'>) => boolean {
  const wanted = comparableCode(lotCode);
  return (lot) => lot.lotCode !== null && (lot.lotCode === lotCode || comparableCode(lot.lotCode) === wanted);
}

/** At most so many lots stand in one piece. */
const PIECE = 32;

type Piece = readonly Lot[];

/** The lots of a variant in the order of their entry. Changing one copies a piece, however many there are. */
export class Lots implements Iterable<Lot> {
  static readonly none = new Lots([], 0);

  private constructor(
    private readonly pieces: readonly Piece[],
    readonly size: number,
  ) {}

  static of(lots: readonly Lot[]): Lots {
    const pieces: Piece[] = [];
    for (let start = 0; start < lots.length; start += PIECE) pieces.push(lots.slice(start, start + PIECE));
    return pieces.length === 0 ? Lots.none : new Lots(pieces, lots.length);
  }

  [Symbol.iterator](): Iterator<Lot> {
    let [piece, index] = [0, 0];
    const next = (): IteratorResult<Lot, undefined> => {
      const lots = this.pieces[piece];
      const value = lots?.[index++];
      if (value) return { done: false, value };
      if (!lots) return { done: true, value: undefined };
      piece += 1;
      index = 0;
      return next();
    };
    return { next };
  }

  /** As a snapshot keeps it. */
  toJSON(): readonly Lot[] {
    return this.pieces.flat();
  }

  /** The lot that entered as the n-th of the store. */
  get(entered: number): Lot | undefined {
    const piece = this.pieces[this.pieceOf(entered)];
    const lot = piece?.[lastUpTo(piece, (one) => one.entered, entered)];
    return lot?.entered === entered ? lot : undefined;
  }

  /** In its place, or in that of the one that entered as it did. */
  with(lot: Lot): Lots {
    const at = Math.max(this.pieceOf(lot.entered), 0);
    const piece = this.pieces[at];
    if (!piece) return new Lots([[lot]], 1);
    const index = lastUpTo(piece, (one) => one.entered, lot.entered);
    if (piece[index]?.entered === lot.entered) {
      return new Lots(this.pieces.with(at, piece.with(index, lot)), this.size);
    }
    const size = this.size + 1;
    if (piece.length < PIECE) return new Lots(this.pieces.with(at, piece.toSpliced(index + 1, 0, lot)), size);
    const isLast = index === piece.length - 1;
    if (isLast) return new Lots(this.pieces.toSpliced(at + 1, 0, [lot]), size);
    const whole = piece.toSpliced(index + 1, 0, lot);
    return new Lots(this.pieces.toSpliced(at, 1, whole.slice(0, PIECE / 2), whole.slice(PIECE / 2)), size);
  }

  without(entered: number): Lots {
    const at = this.pieceOf(entered);
    const piece = this.pieces[at];
    if (!piece || !this.get(entered)) return this;
    const left = piece.filter((lot) => lot.entered !== entered);
    const pieces = left.length === 0 ? this.pieces.toSpliced(at, 1) : this.pieces.with(at, left);
    return new Lots(pieces, this.size - 1);
  }

  /** The last piece that begins no later. */
  private pieceOf(entered: number): number {
    return lastUpTo(this.pieces, (piece) => piece[0]?.entered ?? 0, entered);
  }
}

/** The index of the last of ascending items that is not above a limit; −1 when all are. */
function lastUpTo<T>(items: readonly T[], orderOf: (item: T) => number, limit: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && orderOf(item) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
