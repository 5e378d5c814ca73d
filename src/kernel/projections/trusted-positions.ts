import type { EventStore, Position } from '../../ports/event-store.js';
import { START } from '../../ports/event-store.js';
import type { Checkpoint } from '../../ports/read-models.js';
import type { Applier } from './applier.js';

/**
 * The checkpoints that speak of this log and this program. A collection with any other (made by another log, or by this one before
 * it was restored from a backup) is emptied at once: what it says is not true.
 */
export async function trustedPositions(
  eventStore: EventStore,
  applier: Applier,
): Promise<{ readonly positions: ReadonlyMap<string, Position>; readonly head: Position }> {
  // In this order: another process may be projecting at the same time.
  const checkpoints = await applier.checkpoints();
  const head = await eventStore.head();
  const trusted = ({ logId, position }: Checkpoint): boolean =>
    logId === eventStore.logId && (position === START || (eventStore.isPosition(position) && position <= head));
  const positions = new Map<string, Position>();
  for (const { name, version } of applier.collections) {
    const kept = checkpoints.find(({ collection, generation }) => collection === name && generation === 'live');
    if (!kept) continue;
    if (kept.version === version && trusted(kept)) positions.set(name, kept.position);
    else {
      await applier.beginRebuild(name);
      await applier.switchRebuild(name);
    }
  }
  return { positions, head };
}
