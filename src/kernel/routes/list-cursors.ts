import { InvalidCursor } from '../../ports/read-models.js';

/** Cursors of lists that a feature pages by itself: the place where a page ended, as a text that clients give back as it is. */
export const cursorAt = (place: string): string => Buffer.from(place).toString('base64url');

/** What the groups of the pattern found in the place; refuses what no page of the list has given. */
export function placeAt(cursor: string, pattern: RegExp): readonly string[] {
  const place = Buffer.from(cursor, 'base64url').toString();
  const [, ...groups] = pattern.exec(place) ?? [];
  if (groups.length === 0 || cursorAt(place) !== cursor) {
    throw new InvalidCursor('the cursor belongs to no page of this list');
  }
  return groups;
}

/** Where a page of a list begins that is paged by counting. */
export const offsetAt = (cursor: string | undefined): number =>
  cursor === undefined ? 0 : Number(placeAt(cursor, /^(\d{1,9})$/)[0]);
