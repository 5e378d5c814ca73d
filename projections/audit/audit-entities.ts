import type { DomainEvent, Recorded } from '../../src/kernel/events/event.js';
import type { Entity } from '../../src/kernel/events/history.js';
import { distinctEntities } from '../../src/kernel/events/history.js';
import type { RowToAdd } from '../../src/kernel/projections/projector.js';
import { rowCollection, rowProjector } from '../../src/kernel/projections/projector.js';
import { shortKey } from '../../src/kernel/values/short-key.js';
import { TOLD, toldType } from './parts/histories.js';

/** Which events each record occurs in: a narrow row for each of them, and one for each kind of record, beside the log. */
export const auditEntities = rowCollection({
  name: 'audit-entities',
  version: 2,
  columns: { entity: 'integer', at: 'text', position: 'text' },
  indexes: [['entity', 'at']],
});

export const entityKey = ({ kind, id }: Entity): number => shortKey(`${kind}:${id}`);
export const kindKey = (kind: string): number => shortKey(`${kind}:`);

function rowsOf({ type, data, meta, position }: Recorded<DomainEvent>): readonly RowToAdd[] {
  const entities = distinctEntities(toldType(type)?.history.about(data) ?? []);
  const keys = [...new Set(entities.map(({ kind }) => kind))].map(kindKey).concat(entities.map(entityKey));
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
