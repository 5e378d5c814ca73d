import { hash, randomBytes } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** What makes a command repeatable: the same seed gives the same ids and the same time. */
export interface Seed {
  readonly at: number;
  readonly entropy: string;
}

let pool = Buffer.alloc(0);
let used = 0;

function freshEntropy(): string {
  if (used + 16 > pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  used += 16;
  return pool.toString('hex', used - 16, used);
}

export const newSeed = (at: number): Seed => ({ at, entropy: freshEntropy() });

function format(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const variant = (digit: string): string => ((parseInt(digit, 16) & 0x3) | 0x8).toString(16);

/** UUIDv7: 48 bits of time, then 74 bits taken from 32 hexadecimal digits of entropy. */
function uuidV7(at: number, entropy: string): string {
  const time = at.toString(16).padStart(12, '0');
  return format(`${time}7${entropy.slice(0, 3)}${variant(entropy[3] ?? '0')}${entropy.slice(4, 19)}`);
}

/** When a UUIDv7 was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number => parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** UUIDv5 (RFC 9562): the id that a name has within a namespace. */
export function uuidV5(namespace: string, name: string): string {
  const hex = hash('sha1', Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name)]));
  return format(`${hex.slice(0, 12)}5${hex.slice(13, 16)}${variant(hex[16] ?? '0')}${hex.slice(17, 32)}`);
}

/**
 * Ids for one purpose of one command: the first, the second … are always the same for the same seed. Those of records ascend, so that what one command
 * makes at one moment lies in the order in which it was made.
 */
export function idsOf(seed: Seed, purpose: 'record' | 'command' = 'record'): () => string {
  const { at, entropy } = seed;
  let count = 0;
  return () => {
    count += 1;
    if (count === 1 && purpose === 'record') return uuidV7(at, entropy);
    const own = hash('sha256', `${entropy}:${purpose}:${count}`);
    return uuidV7(at, purpose === 'record' ? entropyAfter(entropy, count - 1, own) : own);
  };
}

/** The leading digits count up from those of the first: they overflow in one of some millions of millions of commands. */
const COUNTED = 14;

function entropyAfter(first: string, steps: number, own: string): string {
  const counted = (parseInt(first.slice(4, COUNTED), 16) + steps).toString(16).padStart(COUNTED - 4, '0');
  return `${first.slice(0, 4)}${counted.slice(4 - COUNTED)}${own.slice(COUNTED)}`;
}

/** The id of one purpose of one command that has a name: how many ids were given before it makes no difference. */
export const namedId = (seed: Seed, name: string): string =>
  uuidV7(seed.at, hash('sha256', `${seed.entropy}:name:${name}`));

export const newId = (at: number): string => uuidV7(at, freshEntropy());
