import type { TreeState } from '../kernel/proof/growing-tree.js';
import type { Position } from './event-store.js';

/** How far a check of the log came. */
export interface CheckedPlace {
  /** The last event that was checked stands there. */
  readonly position: Position;
  /** Over all events up to there. */
  readonly tree: TreeState;
}

/** Where the log first differs from what was recorded. */
export interface LogBreak {
  readonly reason: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

/** A stretch of the log is what was recorded, or it is up to a break. */
export type CheckedStretch =
  | {
      readonly found?: undefined;
      readonly place: CheckedPlace;
      /** No event was left to be checked. */
      readonly atEnd: boolean;
    }
  | {
      readonly found: LogBreak;
      /** How many events of the log come before it. */
      readonly size: number;
    };

/** Checks that events are what was recorded, off the main thread where the engine can. */
export interface LogChecker {
  /** Checks up to so many more events. */
  next(from: CheckedPlace, limit: number): Promise<CheckedStretch>;
}
