import type { Position } from '../../ports/event-store.js';

/** Where the first of some events, in their order, stands that comes after a position; their number where none does. */
export function indexAfter(events: readonly { readonly position: Position }[], position: Position): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.position ?? '') > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
