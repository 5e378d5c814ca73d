import { isSameJson } from './difference.js';

export interface JsonChange {
  /** Members by points, items of lists by their place or their id: `variants[0].label`. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What differs between two values, leaf by leaf; null stands for what is not there. */
export function jsonChanges(before: unknown, after: unknown, path = ''): readonly JsonChange[] {
  if (isSameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((member) =>
      jsonChanges(before[member], after[member], path === '' ? member : `${path}.${member}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      jsonChanges(before[index], after[index], `${path}[${String(index)}]`),
    );
  }
  return [{ path, from: before ?? null, to: after ?? null }];
}
