import { invalidInput } from './problem.js';

/** The parameters of a query string, flat: brackets are letters like any other, and nothing comes twice. */
export function parseQuery(url: string): Record<string, string> {
  const query = Object.create(null) as Record<string, string>;
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (name in query) throw invalidInput([{ path: name, message: 'must be given only once' }]);
    query[name] = value;
  }
  return query;
}
