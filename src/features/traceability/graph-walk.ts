import { Decimal } from '../../kernel/values/decimal.js';

/** From a lot to an order that used it, or from an order to a lot that it made. */
export interface Ends {
  readonly source: string;
  readonly target: string;
}

/** An edge as it is stored. */
export interface StoredEdge extends Ends {
  readonly kind: 'USED' | 'MADE';
  readonly variantId: string;
  /** Negative where a reversal brought something back. */
  readonly quantity: number;
  readonly settledLater: boolean;
}

export const lotOf = ({ kind, source, target }: Pick<StoredEdge, 'kind' | keyof Ends>): string =>
  kind === 'USED' ? source : target;

export const orderOf = ({ kind, source, target }: Pick<StoredEdge, 'kind' | keyof Ends>): string =>
  kind === 'USED' ? target : source;

/** All edges between the same two. */
export interface Edge extends Omit<StoredEdge, 'quantity'> {
  readonly quantity: Decimal;
}

/** A lot or an order on the way. */
export interface Stop {
  readonly subject: string;
  /** Tells it from all others of a walk. */
  readonly ordinal: number;
}

/** Where each of these leads to, each end once, in their order. */
export type Leads<S extends Stop> = (stops: readonly S[]) => Promise<readonly (readonly S[])[]>;

export interface ReachedLot {
  readonly lotId: string;
  /** In orders from the lots where the walk began. */
  readonly depth: number;
  readonly viaOrderIds: readonly string[];
}

export type Direction = 'backward' | 'forward';

export const MAX_DEPTH = 20;

const NONE = -1;
const BYTES_IN_A_SET = 40;

/** What a walk came to. Most of it is asked of some lots alone, so it is put together for who asks. */
export interface Reached<S extends Stop> {
  /** Those where it began come first, then level by level. */
  readonly lots: readonly S[];
  readonly orders: readonly S[];
  /** All of both, in lists that walks share. */
  readonly parts: readonly (readonly S[])[];
  /** From one place of the list to another. */
  lotsFrom(from: number, to: number): readonly ReachedLot[];
  /** By lot. */
  depthsOfLots(): ReadonlyMap<string, number>;
  /** What it remembers to find them, which takes the more the more others there are. */
  readonly bytes: number;
}

export class Walk<S extends Stop> implements Reached<S> {
  readonly lots: S[];
  /** Whether it came to a lot again where it began. */
  leadsBack = false;
  readonly orders: S[] = [];
  private readonly depths: number[];
  private readonly depthsOfOrders: number[] = [];
  /** By the place of a lot: the place of the first order that leads to it, and of the others. */
  private readonly firstVia: number[];
  private readonly moreVia = new Map<number, number[]>();
  private byLot: ReadonlyMap<string, number> | undefined;
  /** By ordinals, where each stands in its list, counted from one. */
  private places: Int32Array;
  /** The ordinals of all, of a walk that has ended and is small among many others. */
  private passed: ReadonlySet<number> | undefined;

  constructor(start: readonly S[]) {
    this.lots = [...start];
    this.depths = start.map(() => 0);
    this.firstVia = start.map(() => NONE);
    this.places = new Int32Array(1024);
    for (const [place, stop] of start.entries()) this.setPlace(stop, place);
  }

  get parts(): readonly (readonly S[])[] {
    return [this.lots, this.orders];
  }

  get bytes(): number {
    return this.places.byteLength + (this.passed?.size ?? 0) * BYTES_IN_A_SET;
  }

  lotsFrom(from: number, to: number): readonly ReachedLot[] {
    return this.lots.slice(from, to).map(({ subject }, index) => {
      const place = from + index;
      const via = [this.firstVia[place] ?? NONE, ...(this.moreVia.get(place) ?? [])];
      const viaOrderIds = via.flatMap((order) => this.orders[order]?.subject ?? []);
      return { lotId: subject, depth: this.depths[place] ?? 0, viaOrderIds };
    });
  }

  depthsOfLots(): ReadonlyMap<string, number> {
    return (this.byLot ??= new Map(this.lots.map(({ subject }, place) => [subject, this.depths[place] ?? 0])));
  }

  depthOfOrder(place: number): number {
    return this.depthsOfOrders[place] ?? 0;
  }

  /** Whether it was not seen before. */
  addOrder(order: S, depth: number): boolean {
    if (this.placeOf(order) !== undefined) return false;
    this.setPlace(order, this.orders.length);
    this.orders.push(order);
    this.depthsOfOrders.push(depth);
    return true;
  }

  /** Whether it was not seen before. An order is entered once, so none leads to a lot twice. */
  addLot(lot: S, via: S, depth: number): boolean {
    const order = this.placeOf(via) ?? 0;
    const known = this.placeOf(lot);
    if (known === undefined) {
      this.setPlace(lot, this.lots.length);
      this.lots.push(lot);
      this.firstVia.push(order);
      this.depths.push(depth);
      return true;
    }
    const more = this.moreVia.get(known);
    if (more) more.push(order);
    else if (this.depths[known] === 0) this.leadsBack = true;
    else this.moreVia.set(known, [order]);
    return false;
  }

  /** Be it a lot or an order. */
  has(stop: S): boolean {
    return this.passed?.has(stop.ordinal) ?? this.placeOf(stop) !== undefined;
  }

  /** Nothing comes to it any more. */
  end(): this {
    if ((this.lots.length + this.orders.length) * BYTES_IN_A_SET < this.places.byteLength) {
      this.passed = new Set(this.parts.flat().map(({ ordinal }) => ordinal));
      this.places = new Int32Array(0);
    }
    return this;
  }

  private placeOf({ ordinal }: S): number | undefined {
    const place = this.places[ordinal] ?? 0;
    return place === 0 ? undefined : place - 1;
  }

  private setPlace({ ordinal }: S, place: number): void {
    if (ordinal >= this.places.length) {
      const wider = new Int32Array(2 * (ordinal + 1));
      wider.set(this.places);
      this.places = wider;
    }
    this.places[ordinal] = place + 1;
  }
}

/** Walks the graph level by level, asking once for the lots and once for the orders of a level; whatever was seen is not entered again. */
export async function walk<S extends Stop>(leads: Leads<S>, start: readonly S[], depth: number): Promise<Walk<S>> {
  const reached = new Walk(start);
  let frontier = start;
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const orders: S[] = [];
    for (const led of await leads(frontier)) {
      for (const order of led) if (reached.addOrder(order, level)) orders.push(order);
    }
    const lots: S[] = [];
    for (const [index, led] of (await leads(orders)).entries()) {
      const via = orders[index];
      if (via) for (const lot of led) if (reached.addLot(lot, via, level)) lots.push(lot);
    }
    frontier = lots;
  }
  return reached.end();
}

/** The edges between the same two as one, with what was brought back taken off. */
export function merged(edges: readonly StoredEdge[]): Edge[] {
  const byEnds = new Map<string, Edge>();
  for (const edge of edges) {
    const key = `${edge.source} ${edge.target}`;
    const known = byEnds.get(key);
    const quantity = Decimal.from(edge.quantity);
    byEnds.set(
      key,
      known
        ? { ...known, quantity: known.quantity.plus(quantity), settledLater: known.settledLater || edge.settledLater }
        : { ...edge, quantity },
    );
  }
  return [...byEnds.values()];
}
