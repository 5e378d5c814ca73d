import { InvalidCursor } from '../../ports/read-models.js';

/** Cursors of lists that a feature pages by itself: list and place where a page ended, as a text that clients give back as it is. */
export const cursorAt = (list: string, place: string): string => Buffer.from(`${list} ${place}`).toString('base64url');

/** What the groups of the pattern found in the place; refuses what no page of the list has given. */
export function placeAt(list: string, cursor: string, pattern: RegExp): readonly string[] {
  const place = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(list.length + 1);
  const [, ...groups] = pattern.exec(place) ?? [];
  if (groups.length === 0 || cursorAt(list, place) !== cursor) {
    throw new InvalidCursor('the cursor belongs to no page of this list');
  }
  return groups;
}

/** Where a page of a list begins that is paged by counting. */
export const offsetAt = (list: string, cursor: string | undefined): number =>
  cursor === undefined ? 0 : Number(placeAt(list, cursor, /^(\d{1,9})$/)[0]);
