import { randomUUID } from 'node:crypto';
import type { Route } from '../../src/kernel/routes/route.js';
import type { Example } from './route-examples.js';
import type { Answer, StoreClient } from './world.js';

/** Requests to routes as data. */

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`;

/** Ids that are not given are those of nothing. */
export const pathOf = ({ path }: Pick<Route, 'path'>, params: Example['params'] = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? randomUUID());

const queryOf = (query: Example['query']): string => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
};

export function askRoute(
  client: Pick<StoreClient, 'call'>,
  route: Pick<Route, 'method' | 'path'>,
  { params, query, body }: Example = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return client.call(route.method.toUpperCase(), pathOf(route, params) + queryOf(query), body, headers);
}
