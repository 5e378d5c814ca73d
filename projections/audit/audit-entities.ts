import type { DomainEvent, Recorded } from '../../src/kernel/events/event.js';
import type { Entity } from '../../src/kernel/events/history.js';
import { distinctEntities } from '../../src/kernel/events/history.js';
import type { RowToAdd } from '../../src/kernel/projections/projector.js';
import { rowCollection, rowProjector } from '../../src/kernel/projections/projector.js';
import { shortKey } from '../../src/kernel/values/short-key.js';
import { TOLD, toldType } from './parts/histories.js';

/**
 * Which events each record occurs in: a narrow row for each of them, and one for each kind of record, beside the log. Records that many
 * events leave as they were have a row apart for each event that changes them.
 */
export const auditEntities = rowCollection({
  name: 'audit-entities',
  version: 3,
  columns: { entity: 'integer', at: 'text', position: 'text' },
  indexes: [['entity', 'at']],
  repeated: ['at', 'position'],
});

export const entityKey = ({ kind, id }: Entity): number => shortKey(`${kind}:${id}`);
export const kindKey = (kind: string): number => shortKey(`${kind}:`);

const OFTEN_LEFT: ReadonlySet<string> = new Set(['lot', 'customer']);

/** Under which the events stand that change a record. */
export const changeKey = (record: Entity): number =>
  OFTEN_LEFT.has(record.kind) ? shortKey(`changed ${record.kind}:${record.id}`) : entityKey(record);

function rowsOf({ type, data, meta, position }: Recorded<DomainEvent>): readonly RowToAdd[] {
  const history = toldType(type)?.history;
  if (!history) return [];
  const about = distinctEntities(history.about(data));
  const changed = distinctEntities(history.changes?.(data) ?? about).filter(({ kind }) => OFTEN_LEFT.has(kind));
  const kinds = new Set(about.map(({ kind }) => kind));
  const keys = [...[...kinds].map(kindKey), ...about.map(entityKey), ...changed.map(changeKey)];
  return keys.map((entity, index) => ({ key: String(index), values: { entity, at: meta.at, position } }));
}

const handlers = Object.fromEntries(
  TOLD.flatMap(({ histories }) => [...histories.keys()].map((type) => [type, rowsOf])),
);

export const auditEntitiesProjector = rowProjector(
  auditEntities,
  TOLD.map(({ codec }) => codec),
  handlers,
);
