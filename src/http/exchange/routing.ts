import type { Request, RequestHandler, Response, Router } from 'express';
import express from 'express';
import { grouped } from '../../kernel/values/grouped.js';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Method } from '../../kernel/routes/route.js';
import { isOwnProbe } from '../operations/probes.js';
import { Exchange } from './exchange.js';
import { MALFORMED_REQUEST, METHOD_NOT_ALLOWED, UNKNOWN_PATH } from './rejections.js';
import type { Shell } from './shell.js';

export interface Mounted {
  readonly method: Method;
  /** With parameters in braces. */
  readonly path: string;
  readonly handler: RequestHandler;
}

/** The absolute form, which a proxy may send. */
const ORIGIN = /^https?:\/\/[^/?]*\/?/i;

const firstSegment = (path: string): string => /^\/([^/?]*)/.exec(path)?.[1] ?? '';

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Fixed words before parameters, so that `/categories/seed` is no id, and what takes any rest last. */
const byPrecedence = (a: string, b: string): number => {
  const rank = (path: string) => path.replaceAll('{', '\ufffe').replaceAll('*', '\uffff');
  return rank(a) < rank(b) ? -1 : 1;
};

const allowed = (methods: readonly Method[]): string =>
  [...methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])), 'OPTIONS'].join(', ');

function refuseOtherMethods(path: string, methods: readonly Method[], shell: Shell): RequestHandler {
  const allow = allowed(methods);
  return (request, response) => {
    const exchange = new Exchange(request, response, path, shell);
    if (request.method === 'OPTIONS') exchange.send({ status: 204, headers: ['Allow', allow], body: undefined });
    else exchange.fail(new Rejection(METHOD_NOT_ALLOWED, `${path} takes ${allow}`), ['Allow', allow]);
  };
}

function segmentRouter(mounted: readonly Mounted[], shell: Shell): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const paths = [...grouped(mounted, ({ path }) => path)].sort(([a], [b]) => byPrecedence(a, b));
  for (const [path, endpoints] of paths) {
    const route = router.route(path.replace(/\{(\w+)\}/g, ':$1'));
    for (const { method, handler } of endpoints) route[method](handler);
    route.all(
      refuseOtherMethods(
        path,
        endpoints.map(({ method }) => method),
        shell,
      ),
    );
  }
  return router;
}

const SINGLE = new Set(['host', 'authorization', 'x-store-slug', 'x-signed-in-as']);
const SINGLE_LENGTHS = new Set([...SINGLE].map(({ length }) => length));

/** Node keeps the first of two Host or Authorization headers and joins two slugs: another server on the way may take the other one. */
function refuseRepeats(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!SINGLE_LENGTHS.has(name.length)) continue;
    const folded = name.toLowerCase();
    if (!SINGLE.has(folded)) continue;
    if (seen.has(folded)) throw new Rejection(MALFORMED_REQUEST, `the header ${folded} was sent twice`);
    seen.add(folded);
  }
}

/** Refuses what no route could mean: a broken encoding, a NUL, no host. */
function refuseMalformed(request: Request): void {
  refuseRepeats(request.rawHeaders);
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new Rejection(MALFORMED_REQUEST, 'the header Host is missing');
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new Rejection(MALFORMED_REQUEST, 'chunked is the only transfer encoding');
  }
  if (request.url.includes('%') && decodeURIComponent(request.url).includes('\0')) {
    throw new Rejection(MALFORMED_REQUEST, 'the address holds a NUL');
  }
}

const ANY_METHOD = allowed(['get', 'post', 'put', 'patch', 'delete']);

function refuseUnknown(request: Request, response: Response, shell: Shell): void {
  const exchange = new Exchange(request, response, 'unknown', shell);
  if (request.method === 'OPTIONS' && request.url === '*') {
    exchange.send({ status: 204, headers: ['Allow', ANY_METHOD], body: undefined });
  } else if (!ANY_METHOD.includes(request.method))
    exchange.fail(new Rejection(METHOD_NOT_ALLOWED), ['Allow', ANY_METHOD]);
  else exchange.fail(new Rejection(UNKNOWN_PATH));
}

/** Paths without parameters are found at once; for the others there is a router for each first segment, so that a request passes few patterns. */
export function routing(mounted: readonly Mounted[], shell: Shell): RequestHandler {
  const fixed = new Map(
    mounted
      .filter(({ path }) => !path.includes('{'))
      .map(({ method, path, handler }) => [`${method.toUpperCase()} ${path}`, handler]),
  );
  const routers = new Map(
    [...grouped(mounted, ({ path }) => firstSegment(path))].map(([segment, group]) => [
      segment,
      segmentRouter(group, shell),
    ]),
  );
  return (request, response, next) => {
    refuseMalformed(request);
    if (!isOwnProbe(request, shell)) shell.ownAddresses.refuseOthers(request);
    if (!request.url.startsWith('/')) request.url = request.url.replace(ORIGIN, '/');
    const handler = fixed.get(`${request.method} ${pathOf(request.url)}`);
    if (handler) return handler(request, response, next);
    const router = routers.get(firstSegment(request.url));
    if (!router) {
      refuseUnknown(request, response, shell);
      return undefined;
    }
    return router(request, response, (error?: unknown) => {
      if (error === undefined || error === null) refuseUnknown(request, response, shell);
      else next(error);
    });
  };
}
