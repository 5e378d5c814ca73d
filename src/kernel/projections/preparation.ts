import type { StoredEvent } from '../../ports/event-store.js';
import type { Applier } from './applier.js';

/** Puts beside the data of events, on their way into projections, what projectors need and the log must not hold. */
export type Preparation = (events: readonly StoredEvent[]) => Promise<readonly StoredEvent[]>;

export const preparedApplier = (applier: Applier, prepare: Preparation): Applier => ({
  ...applier,
  apply: async (batch) => applier.apply({ ...batch, events: await prepare(batch.events) }),
});
