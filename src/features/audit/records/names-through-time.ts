import type { AuditedRecord } from '../../contracts/audited-record.js';
import { StampedCache } from '../../../kernel/values/stamped-cache.js';

/** From which moment on a record was called so. */
export interface Named {
  readonly from: string;
  readonly name: string | undefined;
  /** Labels of a product's variants by their ids. */
  readonly labels: Readonly<Record<string, string>>;
}

/** All names of a record, the first at the front. */
export type NamesOfRecord = readonly Named[];

const CACHE_BYTES = 4 * 1024 * 1024;
const CHARACTERS = 2;

const lengthOf = ({ from, name = '', labels }: Named): number =>
  Object.entries(labels).reduce((sum, [id, label]) => sum + id.length + label.length, from.length + name.length);

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
  a.name === b.name && JSON.stringify(a.labels) === JSON.stringify(b.labels);

/** Without the moments at which the names stayed as they were. What is no more keeps its last one. */
export function lastingNames(names: NamesOfRecord): NamesOfRecord {
  const known = names.filter(({ name }) => name !== undefined);
  return known.filter((named, index) => {
    const before = known[index - 1];
    return before === undefined || !isSame(before, named);
  });
}

interface Labelled {
  readonly variants?: readonly { readonly id: string; readonly label: string | null }[];
}

/** What a record is called that is shown so from a moment on; undefined where it is not shown. */
export function namedSince(from: string, record: AuditedRecord, shown: object | undefined): Named {
  if (shown === undefined) return { from, name: undefined, labels: {} };
  const { variants = [] }: Labelled = record.kind === 'product' ? shown : {};
  const labels = Object.fromEntries(variants.flatMap(({ id, label }) => (label ? [[id, label]] : [])));
  return { from, name: record.nameOf(shown), labels };
}

/** What counts at the end of a moment; before it was first called something, as it was called then. */
export const namedAt = (names: NamesOfRecord, at: string): Named | undefined =>
  names.findLast(({ from }) => from <= at) ?? names[0];
