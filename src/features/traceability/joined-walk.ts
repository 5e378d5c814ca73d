import type { Reached, ReachedLot, Stop, Walk } from './graph-walk.js';

/** A walk of one step, and the walk that began where it ended and that others may have made before. */
class JoinedWalk<S extends Stop> implements Reached<S> {
  readonly lots: readonly S[];
  readonly orders: readonly S[];
  readonly parts: readonly (readonly S[])[];
  private byLot: ReadonlyMap<string, number> | undefined;

  constructor(
    private readonly first: Walk<S>,
    private readonly rest: Walk<S>,
    private readonly begun: number,
  ) {
    const own = first.lots.slice(0, begun);
    this.lots = [...own, ...rest.lots];
    this.orders = [...first.orders, ...rest.orders];
    this.parts = [own, first.orders, rest.lots, rest.orders];
  }

  get bytes(): number {
    return this.first.bytes + this.rest.bytes;
  }

  /** The second walk began at lots of the first, which alone knows through which orders it came to them. */
  lotsFrom(from: number, to: number): readonly ReachedLot[] {
    const { first, rest, begun } = this;
    const beyond = Math.max(from, first.lots.length);
    return [
      ...first.lotsFrom(from, Math.min(to, first.lots.length)),
      ...rest.lotsFrom(beyond - begun, Math.max(beyond, to) - begun).map(oneStepDeeper),
    ];
  }

  depthsOfLots(): ReadonlyMap<string, number> {
    return (this.byLot ??= new Map(this.lotsFrom(0, this.lots.length).map(({ lotId, depth }) => [lotId, depth])));
  }
}

const oneStepDeeper = (lot: ReachedLot): ReachedLot => ({ ...lot, depth: lot.depth + 1 });

/**
 * Both together: `first` is of one step from so many lots, `rest` goes on from all that it reached. Undefined where one of them comes to what the
 * other has passed: only who walks all the way knows then what was reached first. Undefined also where what was known was forgotten after `rest`:
 * the same lots are other stops now.
 */
export function joined<S extends Stop>(first: Walk<S>, rest: Walk<S>, begun: number): Reached<S> | undefined {
  if (rest.leadsBack || rest.lots[0] !== first.lots[begun]) return undefined;
  const isPassed = (stop: S): boolean => rest.has(stop);
  if (first.lots.slice(0, begun).some(isPassed) || first.orders.some(isPassed)) return undefined;
  return new JoinedWalk(first, rest, begun);
}
