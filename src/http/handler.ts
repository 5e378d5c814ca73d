import type { Request } from 'express';
import { newSeed } from '../kernel/ids.js';
import { Rejection, STALE } from '../kernel/rejection.js';
import type { Principal, RequestFacts } from '../kernel/request-context.js';
import { RawJson, type Input, type Reply, type Route } from '../kernel/route.js';
import type { Answer, Exchange } from './exchange.js';
import { entityTag, revisionsOf } from './preconditions.js';
import { MALFORMED_REQUEST } from './rejections.js';
import type { Shell } from './shell.js';

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];

/** What makes one run of a handler a new one or a repeat. */
export type Run = Pick<RequestFacts, 'seed' | 'keyed' | 'claim' | 'repeatSince'>;

function answerOf(route: Route, reply: Reply, position: string | undefined): Answer {
  const headers: string[] = [];
  if (reply.etag !== undefined) headers.push('ETag', entityTag(reply.etag));
  if (position !== undefined) headers.push('X-Position', position);
  if (reply.headers) for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value);
  const { status } = route.response;
  if (status === 204 || reply.body === undefined) return { status, headers, body: undefined };
  const body = reply.body instanceof RawJson ? reply.body.text : JSON.stringify(reply.body);
  return { status, headers: [...JSON_TYPE, ...headers], body };
}

function minPositionOf(request: Request, isPosition: (token: string) => boolean): string | undefined {
  const token = request.headers['x-min-position'];
  if (token === undefined) return undefined;
  if (typeof token === 'string' && isPosition(token)) return token;
  throw new Rejection(MALFORMED_REQUEST, 'X-Min-Position is no position of this service');
}

const isStale = (error: unknown): boolean => error instanceof Rejection && error.kind === STALE;

/** Calls a route's handler with the context that the request deserves. */
export function handlerRunner(route: Route, shell: Shell) {
  const { services, eventStore } = shell.options;
  const isPosition = (token: string) => eventStore.isPosition(token);

  return async (exchange: Exchange, principal: Principal, input: Input): Promise<Answer> => {
    const { request, requestId } = exchange;
    const minPosition = minPositionOf(request, isPosition);
    const revisions = revisionsOf(request.headers['if-match']) ?? [undefined];
    const run: Run = {
      seed: newSeed(shell.clock.now()),
      keyed: false,
      claim: undefined,
      repeatSince: undefined,
    };

    const attempt = async (ifMatch: number | undefined): Promise<Answer> => {
      const context = services.contextFor({ ...run, principal, requestId, ifMatch, minPosition });
      const reply = route.handle(input, context);
      return answerOf(route, reply instanceof Promise ? await reply : reply, context.lastPosition());
    };

    // A stale command records nothing, so that the next tag of a list may be tried.
    for (const revision of revisions.slice(0, -1)) {
      try {
        return await attempt(revision);
      } catch (error) {
        if (!isStale(error)) throw error;
      }
    }
    return attempt(revisions.at(-1));
  };
}
