import { logRowProjector, rowCollection } from '../../src/kernel/projections/projector.js';
import { shortKey } from '../../src/kernel/values/short-key.js';

/** One narrow row for each event of the log, so that events are found by who caused them, when, of which kind and by which request. */
export const auditEvents = rowCollection({
  name: 'audit-events',
  version: 1,
  columns: { at: 'text', position: 'text', actor: 'integer', type: 'integer', request: 'integer', event: 'integer' },
  indexes: [['at'], ['actor', 'at'], ['type', 'at'], ['request', 'at'], ['event']],
});

export const auditEventsProjector = logRowProjector(auditEvents, ({ stored, meta }) => [
  {
    key: '',
    values: {
      at: meta.at,
      position: stored.position,
      actor: shortKey(meta.actor.id),
      type: shortKey(stored.type),
      request: shortKey(meta.requestId),
      event: shortKey(stored.id),
    },
  },
]);
