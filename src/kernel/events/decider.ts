import type { Actor, DomainEvent, EventCodec } from './event.js';

/** Where and when an event stands and who caused it, for a fold that needs it (entity tags, times, makers). */
export interface Moment {
  readonly revision: number;
  readonly at: string;
  readonly actor: Actor;
}

/** The pure heart of a feature: no input or output, no clock, no randomness, and states are never changed in place. */
export interface Decider<S, C, E extends DomainEvent> {
  readonly initial: S;
  evolve(state: S, event: E, moment: Moment): S;
  /** Gives the facts that follow, `[]` when there is nothing to do, or throws a Rejection. */
  decide(state: S, command: C, at: string): readonly E[];
}

/** Takes the parts of a state in their order. Others may have their turn between two of many. */
interface StateParts<S> {
  add(part: unknown): void;
  /** To be called after the last part. */
  state(): S;
}

/** Takes each part into the state that those before it made. */
export const folding =
  <S>(initial: S, withPart: (state: S, part: unknown) => S) =>
  (): StateParts<S> => {
    let state = initial;
    return {
      add(part) {
        state = withPart(state, part);
      },
      state: () => state,
    };
  };

/** How a state is kept beside the log so that a long stream need not be folded from its start. Disposable. */
export interface SnapshotCodec<S> {
  /** Raise it whenever the state's shape or meaning changes: older snapshots are then ignored. */
  readonly version: number;
  /** A snapshot is worth keeping after so many events, where they are larger than most. */
  readonly everyEvents?: number;
  save(state: S): Iterable<unknown>;
  load(): StateParts<S>;
}

/** One kind of stream: `categories-{store}`, `product-{store}-{id}` … */
export interface StreamType<S, C, E extends DomainEvent> {
  readonly category: string;
  readonly decider: Decider<S, C, E>;
  readonly events: EventCodec<E>;
  readonly snapshot?: SnapshotCodec<S>;
  /** Roughly how many things the state holds; idle lanes leave memory by it. */
  weigh?(state: S): number;
}

export const streamName = (category: string, ...ids: readonly string[]): string => [category, ...ids].join('-');
