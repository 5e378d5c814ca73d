import type { IfMatch } from '../../kernel/events/if-match.js';
import { Rejection } from '../../kernel/events/rejection.js';
import { MALFORMED_REQUEST } from './rejections.js';

/** A part of a list, which may be empty; a comma stands in a tag as well as behind one. */
const PART = /\s*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*)?(?:,|$)/gy;
const REVISION = /^"(0|[1-9]\d{0,14})"$/;

/** A revision that no record has: what a weak or foreign tag stands for. */
const NO_REVISION = -1;
const MOST_TAGS = 10;

export const entityTag = (revision: number): string => `"${revision}"`;

/** The revisions that If-Match allows, one of which must be the record's; undefined when any will do. */
export function revisionsOf(ifMatch: string | undefined): IfMatch {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const parts = [...ifMatch.matchAll(PART)];
  const tags = parts.flatMap(([, tag]) => tag ?? []);
  if (tags.length === 0 || parts.map(([part]) => part).join('') !== ifMatch) {
    throw new Rejection(MALFORMED_REQUEST, 'If-Match must be an entity tag, such as "12"');
  }
  if (tags.length > MOST_TAGS) throw new Rejection(MALFORMED_REQUEST, `If-Match takes at most ${MOST_TAGS} tags`);
  return tags.map((tag) => {
    const revision = REVISION.exec(tag)?.[1];
    return revision === undefined ? NO_REVISION : Number(revision);
  });
}
