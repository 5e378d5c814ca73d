import { z } from 'zod';
import { InvalidCursor } from '../ports/read-models.js';
import { cursorText, queryInteger } from './fields.js';
import { isUuid } from './ids.js';

/** Lists that are paged by a cursor: `{ items, nextCursor }`. */

export const LIST_LIMIT = 50;

export const listQuery = z.strictObject({
  cursor: cursorText.optional(),
  limit: queryInteger(1, 200).default(LIST_LIMIT),
});

export const listAnswer = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** A page of a small set that is held in memory, in the order of the ids. */
export function pageById<T>(
  all: Iterable<T>,
  idOf: (item: T) => string,
  { cursor, limit }: z.output<typeof listQuery>,
): { readonly items: readonly T[]; readonly nextCursor: string | null } {
  const after = cursor === undefined ? '' : idOfCursor(cursor);
  const rest = [...all].filter((item) => idOf(item) > after).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last && rest.length > limit ? cursorOf(idOf(last)) : null };
}

const cursorOf = (id: string): string => Buffer.from(id).toString('base64url');

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isUuid(id) || cursorOf(id) !== cursor) throw new InvalidCursor('the cursor belongs to no page of this list');
  return id;
}
