/**
 * What a stock should do, said once more in another way: parcels in plain arrays that are changed in place, amounts as whole numbers of
 * ten-thousand-millionths.
 */

const ONE = 10n ** 10n;

export const units = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const magnitude = BigInt(whole) * ONE + BigInt(fraction.padEnd(10, '0'));
  return text.startsWith('-') ? -magnitude : magnitude;
};

const halfUp = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const share = (value: bigint, part: bigint, whole: bigint): bigint =>
  part === whole ? value : halfUp(value * part, whole);

interface Lot {
  readonly id: string;
  readonly variant: string;
  readonly code: string | null;
  readonly expires: string | null;
  blocked: boolean;
}
interface Parcel {
  readonly lot: Lot;
  readonly place: string;
  quantity: bigint;
  value: bigint;
}
interface Owed {
  readonly id: string;
  readonly good: SoldGood;
  quantity: bigint;
  value: bigint;
}
interface Piece {
  readonly lot: Lot;
  quantity: bigint;
  value: bigint;
}
interface SoldGood {
  readonly variant: string;
  readonly place: string;
  readonly quantity: bigint;
  readonly pieces: Piece[];
}
interface SoldLine {
  readonly variant: string;
  readonly quantity: bigint;
  returned: bigint;
  readonly goods: SoldGood[];
}

export interface NewLot {
  readonly id: string;
  readonly variant: string;
  readonly code: string | null;
  readonly expires: string | null;
}

export class Refused extends Error {}

const LATEST = Date.parse('9999-12-31T00:00:00.000Z');
const expiryOf = ({ expires }: NewLot): number => (expires === null ? LATEST : Date.parse(expires));

export class StockModel {
  /** `expiryFirst`: of which the lot that expires first leaves first. */
  constructor(private readonly expiryFirst: ReadonlySet<string> = new Set()) {}

  readonly lots: Lot[] = [];
  private parcels: Parcel[] = [];
  private owed: Owed[] = [];
  private readonly averages = new Map<string, { quantity: bigint; value: bigint; last: bigint }>();
  private readonly places = new Map<string, Set<string>>();
  private readonly sales = new Map<string, { lines: SoldLine[]; cancelled: boolean }>();

  averageOf(variant: string) {
    const average = this.averages.get(variant) ?? { quantity: 0n, value: 0n, last: 0n };
    this.averages.set(variant, average);
    return average;
  }

  knowsCode(variant: string, code: string): boolean {
    return this.lots.some((lot) => lot.variant === variant && lot.code === code);
  }

  enter(lot: NewLot, place: string, quantity: bigint, unitCost: bigint | null, now: string): void {
    let known = this.lots.find(({ id }) => id === lot.id);
    if (!known) this.lots.push((known = { ...lot, blocked: false }));
    const cost = unitCost ?? this.averageOf(lot.variant).last;
    this.put(known, place, quantity, halfUp(quantity * cost, ONE), now);
  }

  takeAway(variant: string, place: string, quantity: bigint, now: string, lotId?: string): void {
    const may = (lot: Lot) => (lotId === undefined ? this.usable(lot, now) : lot.id === lotId);
    this.expectThere(variant, place, quantity, may);
    this.take(variant, place, quantity, may);
    this.issueAverage(variant, quantity);
  }

  transfer(variant: string, from: string, to: string, quantity: bigint, code: string | null, now: string): void {
    const may = (lot: Lot) => (code === null ? this.usable(lot, now) : lot.code === code);
    this.expectThere(variant, from, quantity, may);
    for (const { lot, quantity: moved, value } of this.take(variant, from, quantity, may)) {
      this.put(lot, to, moved, value, now, 'transfer');
    }
  }

  sell(
    saleId: string,
    place: string,
    wanted: readonly {
      readonly variant: string;
      readonly quantity: bigint;
      readonly code: string | null;
      readonly goods: readonly (readonly [variant: string, quantity: bigint])[];
    }[],
    mayOwe: boolean,
    now: string,
  ): void {
    const before = structuredClone({ parcels: this.parcels.map(({ quantity, value }) => ({ quantity, value })) });
    const old = [...this.parcels];
    const lines = wanted.map(({ variant, quantity, goods }): SoldLine => ({
      variant,
      quantity,
      returned: 0n,
      goods: goods.map(([good, needed]) => ({ variant: good, place, quantity: needed, pieces: [] })),
    }));
    const opened: Owed[] = [];
    for (const [index, line] of lines.entries()) {
      const code = wanted[index]?.code ?? null;
      for (const [number, good] of line.goods.entries()) {
        const may = (lot: Lot) => this.usable(lot, now) && (code === null || lot.code === code);
        good.pieces.push(...this.take(good.variant, place, good.quantity, may));
        const missing = good.pieces.reduce((left, piece) => left - piece.quantity, good.quantity);
        if (missing === 0n) continue;
        const value = halfUp(missing * this.averageOf(good.variant).last, ONE);
        opened.push({ id: `${saleId}/${String(index)}/${String(number)}`, good, quantity: missing, value });
      }
    }
    if (opened.length > 0 && !mayOwe) {
      this.parcels = old;
      for (const [index, parcel] of old.entries()) Object.assign(parcel, before.parcels[index]);
      throw new Refused('short');
    }
    this.owed.push(...opened);
    for (const { goods } of lines) for (const good of goods) this.issueAverage(good.variant, good.quantity);
    for (const { goods } of lines) for (const good of goods) this.visited(good.variant, place);
    this.sales.set(saleId, { lines, cancelled: false });
  }

  returnable(saleId: string, variant: string): bigint {
    const sale = this.sales.get(saleId);
    if (!sale || sale.cancelled) return 0n;
    return sale.lines
      .filter((line) => line.variant === variant)
      .reduce((sum, line) => sum + line.quantity - line.returned, 0n);
  }

  bringBack(saleId: string, variant: string, quantity: bigint, now: string): void {
    const lines = (this.sales.get(saleId)?.lines ?? []).filter((line) => line.variant === variant);
    let left = quantity;
    const parts: [SoldLine, bigint][] = [];
    for (const line of lines.reverse()) {
      const part = smaller(left, line.quantity - line.returned);
      if (part > 0n) parts.push([line, part]);
      left -= part;
    }
    this.comeBack(parts, now);
  }

  /** False when there was nothing left to cancel. */
  cancel(saleId: string, now: string): boolean {
    const sale = this.sales.get(saleId);
    if (!sale || sale.cancelled) return false;
    const left = sale.lines.filter((line) => line.returned < line.quantity);
    if (left.length === 0) return false;
    this.comeBack(
      left.map((line) => [line, line.quantity - line.returned]),
      now,
    );
    return (sale.cancelled = true);
  }

  /** Everything that a stock is, as texts that compare. */
  shown(): Record<string, unknown> {
    const variants = [...this.places.keys()].sort();
    return Object.fromEntries(
      variants.map((variant) => {
        const { quantity, value, last } = this.averageOf(variant);
        const lots = this.lots
          .filter((lot) => lot.variant === variant)
          .map((lot) => [lot.id, lot.blocked, this.parcelsOf(lot)] as const)
          .filter(([, blocked, parcels]) => blocked || parcels.length > 0);
        const debts = this.owed
          .filter(({ good }) => good.variant === variant)
          .map((owed) => [owed.id, owed.good.place, owed.quantity, owed.value]);
        const balances = [...(this.places.get(variant) ?? [])]
          .sort()
          .map((place) => [place, this.balance(variant, place)]);
        return [variant, { lots, debts, balances, average: [quantity, value, last] }];
      }),
    );
  }

  private parcelsOf(lot: Lot) {
    return this.parcels
      .filter((parcel) => parcel.lot === lot)
      .map(({ place, quantity, value }) => [place, quantity, value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  private balance(variant: string, place: string): bigint {
    const held = this.parcels.filter((parcel) => parcel.lot.variant === variant && parcel.place === place);
    const owed = this.owed.filter(({ good }) => good.variant === variant && good.place === place);
    return (
      held.reduce((sum, { quantity }) => sum + quantity, 0n) - owed.reduce((sum, { quantity }) => sum + quantity, 0n)
    );
  }

  private usable(lot: Lot, now: string): boolean {
    return !lot.blocked && (lot.expires === null || lot.expires > now);
  }

  private visited(variant: string, place: string): void {
    this.places.set(variant, (this.places.get(variant) ?? new Set()).add(place));
  }

  private inOrder(variant: string, place: string, may: (lot: Lot) => boolean): Parcel[] {
    return this.parcels
      .filter((parcel) => parcel.lot.variant === variant && parcel.place === place && may(parcel.lot))
      .sort((a, b) => this.lots.indexOf(a.lot) - this.lots.indexOf(b.lot))
      .sort((a, b) => (this.expiryFirst.has(variant) ? expiryOf(a.lot) - expiryOf(b.lot) : 0));
  }

  private expectThere(variant: string, place: string, quantity: bigint, may: (lot: Lot) => boolean): void {
    const there = this.inOrder(variant, place, may).reduce((sum, parcel) => sum + parcel.quantity, 0n);
    if (there < quantity) throw new Refused('short');
  }

  /** As much as there is. */
  private take(variant: string, place: string, quantity: bigint, may: (lot: Lot) => boolean): Piece[] {
    let left = quantity;
    const pieces: Piece[] = [];
    for (const parcel of this.inOrder(variant, place, may)) {
      const part = smaller(left, parcel.quantity);
      if (part === 0n) break;
      const value = share(parcel.value, part, parcel.quantity);
      pieces.push({ lot: parcel.lot, quantity: part, value });
      parcel.quantity -= part;
      parcel.value -= value;
      left -= part;
    }
    this.parcels = this.parcels.filter((parcel) => parcel.quantity > 0n);
    return pieces;
  }

  private put(lot: Lot, place: string, quantity: bigint, value: bigint, now: string, why?: 'transfer'): void {
    this.visited(lot.variant, place);
    if (why !== 'transfer') this.enterAverage(lot.variant, quantity, value);
    let left = { quantity, value };
    for (const owed of this.usable(lot, now) ? this.owed : []) {
      if (owed.good.variant !== lot.variant || owed.good.place !== place || left.quantity === 0n) continue;
      const part = smaller(left.quantity, owed.quantity);
      const cost = share(left.value, part, left.quantity);
      owed.good.pieces.push({ lot, quantity: part, value: cost });
      this.lessOwed(owed, part);
      left = { quantity: left.quantity - part, value: left.value - cost };
    }
    this.owed = this.owed.filter((owed) => owed.quantity > 0n);
    if (left.quantity === 0n) return;
    const parcel = this.parcels.find((one) => one.lot === lot && one.place === place);
    if (!parcel) this.parcels.push({ lot, place, ...left });
    else {
      parcel.quantity += left.quantity;
      parcel.value += left.value;
    }
  }

  /** Gives what the part was owed at. */
  private lessOwed(owed: Owed, part: bigint): bigint {
    const value = share(owed.value, part, owed.quantity);
    owed.quantity -= part;
    owed.value -= value;
    return value;
  }

  private comeBack(parts: readonly [SoldLine, bigint][], now: string): void {
    const arriving: [SoldGood, Piece][] = [];
    for (const [line, quantity] of parts) {
      for (const good of line.goods) {
        const before = (good.quantity * line.returned) / line.quantity;
        let left = (good.quantity * (line.returned + quantity)) / line.quantity - before;
        for (const owed of this.owed.filter((one) => one.good === good)) {
          const part = smaller(left, owed.quantity);
          if (part === 0n) continue;
          this.enterAverage(good.variant, part, this.lessOwed(owed, part));
          left -= part;
        }
        while (left > 0n) {
          const piece = good.pieces.at(-1);
          if (!piece) throw new Error('more comes back than was taken');
          const part = smaller(left, piece.quantity);
          const value = share(piece.value, part, piece.quantity);
          arriving.push([good, { lot: piece.lot, quantity: part, value }]);
          piece.quantity -= part;
          piece.value -= value;
          if (piece.quantity === 0n) good.pieces.pop();
          left -= part;
        }
      }
      line.returned += quantity;
    }
    this.owed = this.owed.filter((owed) => owed.quantity > 0n);
    for (const [good, { lot, quantity, value }] of arriving) this.put(lot, good.place, quantity, value, now);
  }

  private enterAverage(variant: string, quantity: bigint, value: bigint): void {
    const average = this.averageOf(variant);
    const total = average.quantity + quantity;
    if (average.quantity > 0n) average.value += value;
    else average.value = total > 0n ? halfUp(value * total, quantity) : 0n;
    average.last = average.quantity > 0n ? halfUp(average.value * ONE, total) : halfUp(value * ONE, quantity);
    average.quantity = total;
  }

  private issueAverage(variant: string, quantity: bigint): void {
    const average = this.averageOf(variant);
    const rest = average.quantity - quantity;
    average.value = rest > 0n ? halfUp(average.value * rest, average.quantity) : 0n;
    average.quantity = rest;
  }
}
