import { isSameJson } from '../values/difference.js';
import { Decimal } from '../values/decimal.js';
import type { Voice } from './history.js';

/** How the members of what was changed are called, by their paths: `icms.rate`. What has no name of its own is told by what holds it. */
export type MemberWords = Readonly<Record<string, string>>;

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Decimal);

/** Undefined of what no sentence can hold. */
function written(value: unknown, say: Voice): string | undefined {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'string') return `«${value}»`;
  if (typeof value === 'boolean') return say.flag(value);
  return typeof value === 'number' || value instanceof Decimal ? say.number(value) : undefined;
}

/**
 * The end of a sentence that says that something was changed: every member that is another one than before, once, with what it
 * was where that can be written and is not to be left `untold`. Empty where nobody knows, as of events of earlier releases.
 */
export function changesWritten(
  was: object = {},
  now: object,
  words: MemberWords,
  say: Voice,
  untold: readonly string[] = [],
): string {
  const parts = new Set<string>();
  const tell = (before: unknown, after: unknown, path: string, above: string | undefined): void => {
    if (isSameJson(before, after)) return;
    const word = words[path];
    if (isGroup(before) && isGroup(after)) {
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        tell(before[key], after[key], path === '' ? key : `${path}.${key}`, word ?? above);
      }
      return;
    }
    const [from, to] = [written(before, say), written(after, say)];
    const called = word ?? above;
    if (called === undefined) return;
    const told = word !== undefined && !untold.includes(path) && from !== undefined && to !== undefined;
    parts.add(told ? `${called} ${from} → ${to}` : called);
  };
  for (const key of Object.keys(was)) tell(was[key as never], now[key as never], key, undefined);
  return parts.size === 0 ? '' : `: ${say.list([...parts])}`;
}
