import type { AuditedRecord } from '../../contracts/audited-record.js';
import { StampedCache } from '../../../kernel/values/stamped-cache.js';

/** From which moment on a record was called so. */
export interface Named {
  readonly from: string;
  readonly name: string | undefined;
  /** What its parts are called, by their ids; empty texts for those that have no name of their own. */
  readonly parts: Readonly<Record<string, string>>;
  /** What it is counted in, where it is goods. */
  readonly unit?: string | undefined;
}

/** All names of a record, the first at the front. */
export type NamesOfRecord = readonly Named[];

const CACHE_BYTES = 4 * 1024 * 1024;
const CHARACTERS = 2;

const lengthOf = ({ from, name = '', parts }: Named): number =>
  Object.entries(parts).reduce((sum, [id, part]) => sum + id.length + part.length, from.length + name.length);

/** The names of records through time. Those of a record are worked out again when it has changed. */
export class NamesThroughTime {
  private readonly names = new StampedCache<NamesOfRecord, string>(
    CACHE_BYTES,
    (names) => CHARACTERS * names.reduce((sum, named) => sum + lengthOf(named), 0),
  );

  /** The stamp says which state of the record it is. */
  of(key: string, stamp: string, work: () => Promise<NamesOfRecord>): Promise<NamesOfRecord> {
    return this.names.getOrMake(key, stamp, work);
  }
}

const isSame = (a: Named, b: Named): boolean =>
  a.name === b.name && a.unit === b.unit && JSON.stringify(a.parts) === JSON.stringify(b.parts);

/** Leaves out the moments at which the names stayed as they were. A record that is no more keeps its last name, and so does a part. */
export function lastingNames(names: NamesOfRecord): NamesOfRecord {
  let parts: Named['parts'] = {};
  const known = names
    .filter(({ name }) => name !== undefined)
    .map((named) => ({ ...named, parts: (parts = { ...parts, ...named.parts }) }));
  return known.filter((named, index) => {
    const before = known[index - 1];
    return before === undefined || !isSame(before, named);
  });
}

/** What a record is called that is shown so from a moment on; undefined where it is not shown. */
export function namedSince(from: string, record: AuditedRecord, shown: object | undefined): Named {
  if (shown === undefined) return { from, name: undefined, parts: {} };
  const parts = Object.fromEntries((record.partsOf?.(shown) ?? []).map(({ id, name }) => [id, name ?? '']));
  return { from, name: record.nameOf(shown), parts, unit: record.unitOf?.(shown) };
}

/** What counts at the end of a moment; before it was first called something, as it was called then. */
export const namedAt = (names: NamesOfRecord, at: string): Named | undefined =>
  names.findLast(({ from }) => from <= at) ?? names[0];
