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

const UUID_CHARACTERS = 36;
const VERSION_AT = 14;
const HASH_BITS = 16;
/** Milliseconds of about two years; what was made so much later lies among the older ones. */
const TIME_VALUES = 2 ** 36;

/**
 * The same for what has a kind and an id. An id of UUIDv7 begins with its time, and so does its key of 52 bits: what comes to be together lies together in
 * an index, which is told of many new ones in a few places.
 */
export function shortKeyOf(kind: string, id: string): number {
  if (id.length !== UUID_CHARACTERS || id[VERSION_AT] !== '7') return shortKey(`${kind}:${id}`);
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) % TIME_VALUES;
  const rest = Number.parseInt(id.slice(-4), 16) ^ (shortKey(kind) % 2 ** HASH_BITS);
  const key = time * 2 ** HASH_BITS + rest;
  return Number.isSafeInteger(key) ? key : shortKey(`${kind}:${id}`);
}
