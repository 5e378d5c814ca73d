import type { Entity } from '../../src/kernel/events/history.js';
import type { LogEvent } from '../../src/kernel/projections/log-event.js';
import { logRowProjector, rowCollection } from '../../src/kernel/projections/projector.js';
import { shortKey, shortKeyOf } from '../../src/kernel/values/short-key.js';
import { moved, movementsOf, movesStock } from '../inventory/parts/stock-facts.js';
import { toldType } from './parts/histories.js';

/**
 * One narrow row for each event of the log, so that events are found by the records that they are about, by who caused them, when, of which kind
 * and by which request: an index beside the log, no copy of it.
 */
export const auditEvents = rowCollection({
  name: 'audit-events',
  version: 2,
  columns: {
    at: 'text',
    position: 'text',
    /** The number of an event that moves stock in its stream, which is the store's stock. */
    moved: 'integer',
    actor: 'integer',
    type: 'integer',
    request: 'integer',
    event: 'integer',
  },
  keys: { entity: 'integer' },
  indexes: [['at'], ['actor', 'at'], ['type', 'at'], ['request', 'at'], ['event'], ['entity', 'at']],
});

export const entityKey = ({ kind, id }: Entity): number => shortKeyOf(kind, id);
export const kindKey = (kind: string): number => shortKey(`${kind}:`);

/** Records of these kinds are left as they were by many events. */
const OFTEN_LEFT: ReadonlySet<string> = new Set(['lot', 'customer']);

/** Under which the events stand that change a record. */
export const changeKey = ({ kind, id }: Entity): number =>
  OFTEN_LEFT.has(kind) ? shortKeyOf(`changed ${kind}`, id) : entityKey({ kind, id });

/** Under these stand the events that move stock: all of them, those at a location, and those of a variant there. */
export const movedKey = (locationId = '', variantId = ''): number => shortKey(`moved ${locationId} ${variantId}`);

interface Told {
  /** The kinds and records that it is about, those that it changes where that is said apart, and what it moves. */
  readonly keys: readonly number[];
  readonly movesStock: boolean;
}

const NOTHING: Told = { keys: [], movesStock: false };

function toldOf({ stored: { type }, read }: LogEvent): Told {
  const told = toldType(type);
  if (!told) return NOTHING;
  const { history, codec } = told;
  const event = read(codec);
  const about = history.about(event.data);
  const keys = new Set<number>();
  for (const record of about) keys.add(kindKey(record.kind)).add(entityKey(record));
  for (const record of history.changes?.(event.data) ?? about) {
    if (OFTEN_LEFT.has(record.kind)) keys.add(changeKey(record));
  }
  const places = movesStock(event) ? movementsOf(event).map(moved) : [];
  for (const { locationId, variantId } of places) {
    keys.add(movedKey()).add(movedKey(locationId)).add(movedKey(locationId, variantId));
  }
  return { keys: [...keys], movesStock: places.length > 0 };
}

export const auditEventsProjector = logRowProjector(auditEvents, (event) => {
  const { stored, meta } = event;
  const told = toldOf(event);
  const values = {
    at: meta.at,
    position: stored.position,
    moved: told.movesStock ? stored.revision : null,
    actor: shortKey(meta.actor.id),
    type: shortKey(stored.type),
    request: shortKeyOf('request', meta.requestId),
    event: shortKey(stored.id),
  };
  return [{ key: '', values, keys: { entity: told.keys } }];
});
