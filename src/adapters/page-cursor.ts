import { InvalidCursor } from '../ports/read-models.js';
import type { PagedQuery, Scalar } from '../ports/read-models.js';

/** Where the page before ended. */
export interface PageEnd {
  readonly value: Scalar;
  readonly key: string;
}

type Sort = PagedQuery['sort'];

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number';

export const encodeCursor = ({ column, direction }: Sort, { value, key }: PageEnd): string =>
  Buffer.from(JSON.stringify([column, direction, value, key])).toString('base64url');

/** Only what `encodeCursor` gave for the same sort is a cursor. */
export function decodeCursor(sort: Sort, cursor: string): PageEnd {
  const [, , value, key] = parts(cursor);
  if (!isScalar(value) || typeof key !== 'string' || encodeCursor(sort, { value, key }) !== cursor) {
    throw new InvalidCursor('the cursor belongs to no page of this list');
  }
  return { value, key };
}

function parts(cursor: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
