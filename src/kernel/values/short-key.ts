import { hash } from 'node:crypto';

/** Kinds, people and places come again and again. */
const MOST_KNOWN = 10_000;
const known = new Map<string, number>();

/** 48 bits of a text's hash: an index of them is small. Two texts may share one, so what is found by it must be looked at. */
export function shortKey(text: string): number {
  let key = known.get(text);
  if (key === undefined) {
    key = Number.parseInt(hash('sha256', text, 'hex').slice(0, 12), 16);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, key);
  }
  return key;
}
