import type { Document } from 'mongodb';
import { wordsOf } from '../../kernel/values/words.js';
import type { AnyCollection, PagedQuery, Query, Scalar } from '../../ports/read-models.js';
import type { PageEnd } from '../page-cursor.js';

/** Where a column lies in a stored document. */
export function pathOf(collection: AnyCollection, column: string): string {
  if (Object.hasOwn(collection.columns, column)) return `c.${column}`;
  if (Object.hasOwn(collection.keys ?? {}, column)) return `k.${column}`;
  throw new Error(`${collection.name} has no column ${column}`);
}

export const equalConditions = (collection: AnyCollection, equal: NonNullable<Query['equal']>): Document[] =>
  Object.entries(equal).map(([column, value]) => ({ [pathOf(collection, column)]: { $eq: value } }));

/** Conditions that all must hold. */
export function conditionsOf(collection: AnyCollection, query: Query): Document[] {
  const { store, equal = {}, oneOf, range, words = '' } = query;
  const conditions: Document[] = [{ store: { $eq: store } }, ...equalConditions(collection, equal)];
  if (oneOf) conditions.push({ [pathOf(collection, oneOf.column)]: { $in: oneOf.values } });
  if (range) {
    const { column, from, after, to, before } = range;
    const limits = Object.entries({ $gte: from, $gt: after, $lte: to, $lt: before });
    const given = limits.filter(([, limit]) => limit !== undefined);
    if (given.length > 0) conditions.push({ [pathOf(collection, column)]: Object.fromEntries(given) });
  }
  // A folded word holds letters and digits alone: nothing of it means anything in an expression, and the anchor keeps the search in its index.
  for (const word of wordsOf(words)) conditions.push({ words: { $regex: `^${word}` } });
  return conditions;
}

export const allOf = (conditions: readonly Document[]): Document => ({ $and: conditions });

/** What comes after the end of a page. Each branch repeats the conditions, so that each is one range of the sort's index. */
export function afterPage(
  conditions: readonly Document[],
  path: string,
  direction: PagedQuery['sort']['direction'],
  { value, key }: PageEnd,
): Document {
  const beyond = direction === 'asc' ? '$gt' : '$lt';
  const tie = { [path]: { $eq: value }, _id: { [beyond]: key } };
  return { $or: [tie, ...valuesBeyond(path, direction, value)].map((branch) => allOf([...conditions, branch])) };
}

// Null sorts below every value, and a comparison with a value never matches it.
function valuesBeyond(path: string, direction: PagedQuery['sort']['direction'], value: Scalar): Document[] {
  if (direction === 'asc') return [{ [path]: value === null ? { $ne: null } : { $gt: value } }];
  return value === null ? [] : [{ [path]: { $lt: value } }, { [path]: { $eq: null } }];
}
