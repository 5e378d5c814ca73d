import type { EventStore, Position } from '../../ports/event-store.js';
import type { Clock } from '../values/clock.js';
import type { LogFollower } from './log-follower.js';

/** The follower is usually there already; a lane reads for itself rather than wait for one whose subscription broke. */
const PATIENCE = 1_000;

/** Says whether everything that stood in the log when it was asked has been heard of; false: unknown, so read. */
export type Freshness = () => Promise<boolean>;

/** Where no other process can append, what this one knows is all there is. */
export const alwaysFresh: Freshness = () => Promise.resolve(true);

/** Where nobody follows the log nothing is known without reading. */
export const neverFresh: Freshness = () => Promise.resolve(false);

/** How long ago a process may have proved that it hears of everything, to be believed without a question. */
const TRUST = 1_000;

/** Asks nothing while the follower proves to be live. */
export const recentFreshness =
  (follower: LogFollower, clock: Clock, otherwise: Freshness): Freshness =>
  () =>
    clock.now() - follower.provedLiveAt < TRUST ? Promise.resolve(true) : otherwise();

/**
 * One question to the log for all who wait: it is asked after the last of them came, whatever they want to know. Where the one before it was not
 * answered they hear so at once, rather than after as long a wait again.
 */
export function sharedFreshness(store: Pick<EventStore, 'head'>, follower: LogFollower): Freshness {
  let asked: Promise<Position> | undefined;
  let next: Promise<Position> | undefined;
  const ask = (): Promise<Position> =>
    (asked = store.head().finally(() => {
      asked = undefined;
    }));
  const question = (): Promise<Position> => {
    if (!asked) return next ?? ask();
    next ??= asked.then(
      () => {
        next = undefined;
        return ask();
      },
      (error: unknown) => {
        next = undefined;
        throw error;
      },
    );
    return next;
  };
  return async () => follower.reached(await question(), PATIENCE);
}
