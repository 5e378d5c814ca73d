import { namedFirst } from '../values/named-first.js';
import { api, body } from './api.js';

/** So many are asked for, in the order of their names, to show those that are called so. */
const LOOKED_THROUGH = 30;

/** The goods that somebody means who types this, at most so many: those in use, or all of them. */
export async function productsMeant(q: string, most: number, signal: AbortSignal, isInUse = true) {
  const query = { q, take: LOOKED_THROUGH, ...(isInUse ? { active: true } : {}) };
  const { items } = await body(api.GET('/products', { params: { query }, signal }));
  return namedFirst(q, items).slice(0, most);
}
