import { batchesOf } from '../../../kernel/values/batches.js';
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

/** Lots as they are looked for, each by the number of its entry. */
interface Orders {
  /** What expires first comes first, what never does last; among equals the order of entry stays. */
  readonly byExpiry?: readonly Pick<Lot, 'entered' | 'expiresAt'>[] | undefined;
  readonly byCode?: ReadonlyMap<string, readonly number[]> | undefined;
  readonly byId?: ReadonlyMap<string, number> | undefined;
}

/** At most so many lots stand in one piece. */
const PIECE = 32;

type Piece = readonly Lot[];

/** The lots of a variant in the order of their entry. Changing one copies a piece, however many there are. */
export class Lots implements Iterable<Lot> {
  static readonly none = new Lots([], 0);

  /** `orders` are those that somebody asked for: made of these lots, or of more, from when on none has entered. */
  private constructor(
    private readonly pieces: readonly Piece[],
    readonly size: number,
    private orders: Orders = {},
  ) {}

  static of(lots: readonly Lot[]): Lots {
    const pieces = [...batchesOf(lots, PIECE)];
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
      return new Lots(this.pieces.with(at, piece.with(index, lot)), this.size, this.orders);
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
    return new Lots(pieces, this.size - 1, this.orders);
  }

  /** What expires first comes first; what has expired by then is left out. */
  *byExpiry(expiredBy = ''): Generator<Lot> {
    const order = this.orders.byExpiry ?? expiryOrder(this);
    this.orders = { ...this.orders, byExpiry: order };
    const expired = lastUpTo(order, ({ expiresAt }) => (expiresAt !== null && expiresAt <= expiredBy ? 0 : 1), 0);
    for (let index = expired + 1; index < order.length; index++) {
      const lot = this.get(order[index]?.entered ?? 0);
      if (lot) yield lot;
    }
  }

  /** Those with a code, however it is spelt, in the order of their entry. */
  withCode(lotCode: string): readonly Lot[] {
    const order = this.orders.byCode ?? enteredByCode(this);
    this.orders = { ...this.orders, byCode: order };
    return (order.get(comparableCode(lotCode)) ?? []).flatMap((entered) => this.get(entered) ?? []);
  }

  named(lotId: string): Lot | undefined {
    const order = this.orders.byId ?? new Map(Array.from(this, (lot) => [lot.lotId, lot.entered]));
    this.orders = { ...this.orders, byId: order };
    return this.get(order.get(lotId) ?? 0);
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

const expiryOrder = (lots: Lots): NonNullable<Orders['byExpiry']> =>
  Array.from(lots, ({ entered, expiresAt }) => ({ entered, expiresAt })).sort((a, b) => {
    if (a.expiresAt === b.expiresAt) return 0;
    if (a.expiresAt === null) return 1;
    return b.expiresAt === null || a.expiresAt < b.expiresAt ? -1 : 1;
  });

function enteredByCode(lots: Lots): NonNullable<Orders['byCode']> {
  const byCode = new Map<string, number[]>();
  for (const { lotCode, entered } of lots) {
    if (lotCode === null) continue;
    const code = comparableCode(lotCode);
    const same = byCode.get(code);
    if (same) same.push(entered);
    else byCode.set(code, [entered]);
  }
  return byCode;
}
