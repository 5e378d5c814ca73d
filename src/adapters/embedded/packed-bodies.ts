import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { AnyCollection } from '../../ports/read-models.js';

/** By the names of collections whose bodies lie compressed: a text like theirs. What they have in common with it takes no room. */
export type TypicalBodies = Readonly<Record<string, string>>;

export const typicalBodies = (collections: readonly AnyCollection[]): TypicalBodies =>
  Object.fromEntries(
    collections.flatMap((collection) => {
      const typical = typicalOf(collection);
      return typical === undefined ? [] : [[collection.name, typical]];
    }),
  );

export const typicalOf = (collection: AnyCollection): string | undefined =>
  collection.kind === 'records' ? collection.typicalBody : undefined;

/** Little work and little memory: nearly all that can be saved is what repeats within a few kilobytes. */
const QUICKLY = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 4096 } as const;

/** How bodies of a collection are written: as they are, unless they lie compressed. */
export function bodyPackerOf(collection: AnyCollection): (body: string) => string | Uint8Array {
  const typical = typicalOf(collection);
  if (typical === undefined) return (body) => body;
  const options = { ...QUICKLY, dictionary: Buffer.from(typical) };
  return (body) => deflateRawSync(body, options);
}

const unpackBody = (body: Uint8Array, dictionary: Buffer): string =>
  inflateRawSync(body, { chunkSize: 4096, dictionary }).toString();

/** A body as it was written, in SQL. */
export const bodyOf = (collection: AnyCollection, body = 'body'): string =>
  typicalOf(collection) === undefined ? body : `unpacked(${body}, '${collection.name}')`;

/** Lets a connection read bodies that are compressed. */
export function readPackedBodies(database: DatabaseSyncInstance, typical: TypicalBodies): void {
  const dictionaries = new Map(Object.entries(typical).map(([name, text]) => [name, Buffer.from(text)]));
  database.function('unpacked', { deterministic: true }, (body: Uint8Array | string | null, name: string) => {
    const dictionary = dictionaries.get(name);
    return body instanceof Uint8Array && dictionary ? unpackBody(body, dictionary) : body;
  });
}
