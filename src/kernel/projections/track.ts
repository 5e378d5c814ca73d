import type { Position } from '../../ports/event-store.js';
import type { ProjectionHealth } from './projections.js';
import type { PoisonEvent } from './engine.js';

/** Where one collection stands in this process. */
export interface Track {
  readonly name: string;
  readonly version: number;
  /** `live` takes part in the pump; `behind` catches up beside it; `stopped` met a poison event. */
  stage: 'live' | 'behind' | 'stopped';
  /** Where its live build is. */
  position: Position;
  poison?: PoisonEvent;
  /** While another build is made beside the live one. */
  rebuilding?: Promise<void>;
  /** How far that other build is. */
  rebuiltTo?: Position;
  /** Its own catching up, until it is live or stopped. */
  catchingUp?: Promise<void>;
  /** When it left the pump, and how many events the pump had applied by then. */
  left?: { readonly at: number; readonly applied: number };
}

/** What the pump is about to apply. */
interface Pumping {
  /** Events applied so far. */
  readonly applied: number;
  /** Events received and not applied yet, and when the first of them was received. */
  readonly pending: number;
  readonly since: number;
  /** For how many milliseconds something in the log has been waiting for the pump, as far as it looked. */
  readonly waiting: number;
  /** Everything that stood in the log at the start is applied. */
  readonly caughtUp: boolean;
}

export function healthOf(track: Track, pumping: Pumping, now: number): ProjectionHealth {
  const { name, version, position, poison, rebuiltTo } = track;
  return {
    name,
    version,
    state: stateOf(track, pumping),
    position,
    ...lagOf(track, pumping, now),
    ...(rebuiltTo === undefined ? {} : { rebuiltTo }),
    ...(poison ? { poison } : {}),
  };
}

function stateOf({ stage, rebuilding }: Track, { caughtUp }: Pumping): ProjectionHealth['state'] {
  if (rebuilding) return 'rebuilding';
  if (stage === 'stopped') return 'stopped';
  return stage === 'live' && caughtUp ? 'live' : 'catching-up';
}

function lagOf(
  { left }: Track,
  pumping: Pumping,
  now: number,
): Pick<ProjectionHealth, 'lagEvents' | 'lagMilliseconds'> {
  const missed = left ? pumping.applied - left.applied : 0;
  const lagEvents = missed + pumping.pending;
  if (left) return { lagEvents, lagMilliseconds: Math.max(0, now - left.at) };
  return { lagEvents, lagMilliseconds: Math.max(pumping.waiting, pumping.pending > 0 ? now - pumping.since : 0) };
}
