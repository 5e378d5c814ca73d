import type { Position } from '../../ports/event-store.js';
import type { EventWindow } from './event-window.js';
import type { ProjectionHealth } from './projections.js';
import type { PoisonEvent } from './engine.js';

/** Where one collection stands in this process. */
export interface Track {
  readonly name: string;
  readonly version: number;
  /** `live` takes part in the pump; `behind` catches up beside it; `stopped` met a poison event. */
  stage: 'live' | 'behind' | 'stopped';
  /** Up to where its live build shows everything. */
  position: Position;
  /** The last event that has come and concerns it. */
  wants: Position;
  /** Where the checkpoint of its live build stands: what does not concern a collection is passed without a write. */
  saved: Position;
  /** When that was, by the process's own time. */
  savedAt: number;
  poison?: PoisonEvent;
  /** While another build is made beside the live one. */
  rebuilding?: Promise<void>;
  /** How far that other build is. */
  rebuiltTo?: Position;
  /** Its own catching up, until it is live or stopped. */
  catchingUp?: Promise<void>;
  /** When it left the pump, and how many events had come by then. */
  left?: { readonly at: number; readonly received: number };
}

/** The position of whoever is furthest back; `end` where none is. */
export const leastOf = (tracks: readonly Track[], end: Position): Position =>
  tracks.reduce((least, { position }) => (position < least ? position : least), end);

/** What has come to be projected. */
interface Coming {
  readonly window: EventWindow;
  /** For how many milliseconds something in the log has been waiting for the pump, as far as it looked. */
  readonly waiting: number;
  /** When the start was, while not everything is applied that stood in the log then: all of that waits since. Undefined afterwards. */
  readonly catchingUpSince: number | undefined;
}

export function healthOf(track: Track, coming: Coming, now: number): ProjectionHealth {
  const { name, version, position, poison, rebuiltTo } = track;
  return {
    name,
    version,
    state: stateOf(track, coming),
    position,
    ...lagOf(track, coming, now),
    ...(rebuiltTo === undefined ? {} : { rebuiltTo }),
    ...(poison ? { poison } : {}),
  };
}

function stateOf({ stage, rebuilding }: Track, { catchingUpSince }: Coming): ProjectionHealth['state'] {
  if (rebuilding) return 'rebuilding';
  if (stage === 'stopped') return 'stopped';
  return stage === 'live' && catchingUpSince === undefined ? 'live' : 'catching-up';
}

function lagOf(
  { left, position }: Track,
  { window, waiting, catchingUpSince }: Coming,
  now: number,
): Pick<ProjectionHealth, 'lagEvents' | 'lagMilliseconds'> {
  if (left) return { lagEvents: window.received - left.received, lagMilliseconds: Math.max(0, now - left.at) };
  const first = window.firstAfter(position);
  const sinceItCame = first ? Math.max(waiting, now - first.clock) : 0;
  const sinceStart = catchingUpSince === undefined ? 0 : now - catchingUpSince;
  return { lagEvents: window.countAfter(position), lagMilliseconds: Math.max(sinceItCame, sinceStart, 0) };
}
