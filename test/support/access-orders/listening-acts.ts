import { Listener } from './listening.js';
import type { People } from './people.js';

/** Somebody begins to follow what changes, comes back after a break, or takes nothing for a while. */
export function listen(people: People): void {
  const { draws, listeners } = people;
  const known = listeners.length > 0 ? draws.of(listeners.slice(-4)) : undefined;
  if (known && draws.chance(0.7)) {
    if (draws.chance(0.3)) known.pause();
    else if (draws.chance(0.3)) known.leave();
    else known.connect();
    return;
  }
  const session = people.anySession();
  if (!session) return;
  const listener = new Listener(people, session);
  listeners.push(listener);
  listener.connect();
}
