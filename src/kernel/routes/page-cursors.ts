import type { AnyCollection, Page } from '../../ports/read-models.js';
import { InvalidCursor } from '../../ports/read-models.js';
import { LONGEST_CURSOR } from '../values/fields.js';
import { SealedTexts } from './sealed-texts.js';

/**
 * Cursors of the read models as requests see them. They name the record or row where a page ended, and with it, here and there, its position,
 * which counts what all stores together wrote: as positions are, they are sealed.
 */
export class PageCursors {
  private readonly sealed: SealedTexts;

  constructor(secret: Uint8Array) {
    this.sealed = new SealedTexts(secret, 'cursors', LONGEST_CURSOR);
  }

  /** Reads a page of a collection that begins where a sealed cursor says; the one that it ends with is sealed as well. */
  async paged<Q extends { readonly cursor?: string }, T>(
    { name }: Pick<AnyCollection, 'name'>,
    query: Q,
    read: (query: Q) => Promise<Page<T>>,
  ): Promise<Page<T>> {
    const prefix = `${name} `;
    const opened = query.cursor === undefined ? query : { ...query, cursor: this.opened(query.cursor, prefix) };
    const page = await read(opened);
    return page.nextCursor === null ? page : { ...page, nextCursor: this.sealed.seal(prefix + page.nextCursor) };
  }

  private opened(token: string, prefix: string): string {
    const cursor = this.sealed.open(token);
    if (!cursor?.startsWith(prefix)) throw new InvalidCursor('the cursor belongs to no page of this list');
    return cursor.slice(prefix.length);
  }
}
