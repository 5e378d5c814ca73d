import type { DomainEvent, Recorded } from '../../src/kernel/events/event.js';
import type { Entity } from '../../src/kernel/events/history.js';
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
  const about = history.about(data);
  const [kinds, records, changed] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const record of about) {
    kinds.add(kindKey(record.kind));
    records.add(entityKey(record));
  }
  for (const record of history.changes?.(data) ?? about) {
    if (OFTEN_LEFT.has(record.kind)) changed.add(changeKey(record));
  }
  const { at } = meta;
  return [...kinds, ...records, ...changed].map((entity, index) => ({
    key: String(index),
    values: { entity, at, position },
  }));
}

const handlers = Object.fromEntries(
  TOLD.flatMap(({ histories }) => [...histories.keys()].map((type) => [type, rowsOf])),
);

export const auditEntitiesProjector = rowProjector(
  auditEntities,
  TOLD.map(({ codec }) => codec),
  handlers,
);
