import type { Route } from '../../kernel/routes/route.js';

/** Segments that only say in which part of the interface a path lies. */
const AREAS = new Set(['auth', 'bakery-production', 'stock']);
const PARAMETER = /^\{(\w+)\}$/;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const pascal = (segment: string): string => segment.split('-').map(capital).join('');
const uncapital = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);

const singular = (word: string): string => {
  if (/(?:status|ss)$/i.test(word)) return word;
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
};
const isPlural = (word: string): boolean => singular(word) !== word;

const VERBS = { get: 'get', post: 'create', put: 'replace', patch: 'update', delete: 'delete' } as const;

/** `{id}` stands for one of what the segment before it names; a parameter after a fixed word belongs to that: `by-gtin`. */
function nounsOf(path: string): { readonly nouns: readonly string[]; readonly isItem: boolean } {
  const nouns: string[] = [];
  let isItem = false;
  for (const segment of path.split('/').filter((one) => one !== '' && !AREAS.has(one))) {
    isItem = PARAMETER.test(segment);
    if (!isItem) nouns.push(pascal(segment));
    else nouns.push(singular(nouns.pop() ?? ''));
  }
  return { nouns, isItem };
}

/**
 * A name that makes a good method: `createCategory`, `listOrders`, `startOrder`. A route whose path does not say what it does
 * carries its own.
 */
export function operationIdOf(route: Pick<Route, 'method' | 'path' | 'operationId'>): string {
  if (route.operationId !== undefined) return route.operationId;
  const { nouns, isItem } = nounsOf(route.path);
  const last = nouns.at(-1) ?? '';
  const [near = '', ...far] = nouns.slice(0, -1).reverse();
  const above = far.reverse().map(singular).join('');
  const subject = above + singular(near);
  const verb = VERBS[route.method];
  if (isItem) return verb + subject + last;
  if (route.method === 'get') return (isPlural(last) ? 'list' : 'get') + subject + last;
  if (route.method !== 'post') return verb + subject + last;
  if (isPlural(last)) return verb + subject + singular(last);
  // What is posted to is an action: its first word is the verb, and what it acts on may be many.
  const [action = '', ...rest] = last.startsWith('Bulk') ? [last] : last.split(/(?=[A-Z])/);
  return uncapital(action) + above + near + rest.join('');
}
