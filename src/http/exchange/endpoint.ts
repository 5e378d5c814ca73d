import type { Request, RequestHandler, Response } from 'express';
import { Rejection } from '../../kernel/events/rejection.js';
import type { Credentials } from '../../kernel/routes/credentials.js';
import type { Principal } from '../../kernel/routes/request-context.js';
import { ANONYMOUS } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { mayBeTried } from '../../kernel/routes/route.js';
import { addressGroup } from '../../kernel/values/address-group.js';
import { credentialsOf } from './credentials.js';
import { APPLIED, wantsDryRun } from './dry-run.js';
import type { Answer } from './exchange.js';
import { Exchange } from './exchange.js';
import { handlerRunner } from './handler.js';
import { inputReader } from './input.js';
import { refuseCrossSite } from './origin.js';
import { DRY_RUN_NOT_POSSIBLE, PERMISSION_DENIED, SESSION_ONLY } from './rejections.js';
import type { Shell } from './shell.js';

function requirePermission(principal: Principal, permission: Route['permission']): void {
  if (permission === 'authenticated' || permission === 'public') return;
  if (permission === 'session') {
    if (!principal.session) throw new Rejection(SESSION_ONLY);
  } else if (!principal.permissions.has(permission)) {
    throw new Rejection(PERMISSION_DENIED, `this needs the permission ${permission}`, { permission });
  }
}

/** A browser sends its cookies along with what other sites make it send. */
function refuseOtherSites({ request, client }: Exchange): void {
  const hasCookie = client.accessToken !== undefined || client.refreshToken !== undefined;
  refuseCrossSite(request.headers, { addresses: client.ownOrigins, hasCookie });
}

/** What needs no credential is limited by address. */
export function limitOpen({ client }: Exchange, { openRateLimit, clock }: Shell): void {
  openRateLimit.take(addressGroup(client.address), clock.now());
}

/** Everything between the router and a route's handler: who asks, may they, what do they send, then the handler. */
export function endpoint(route: Route, shell: Shell): RequestHandler {
  const readInput = inputReader(route, shell);
  const run = handlerRunner(route, shell);
  const changes = route.method !== 'get';
  const authenticate = (credentials: Credentials) => shell.options.authenticate(credentials);

  const answer = async (exchange: Exchange): Promise<Answer> => {
    const { request, client } = exchange;
    const credentials = credentialsOf(request, client);
    if (changes && credentials.bearer === undefined) refuseOtherSites(exchange);
    if (route.permission === 'public') limitOpen(exchange, shell);
    const admit = (): Principal | Promise<Principal> =>
      route.permission === 'public' ? ANONYMOUS : authenticate(credentials);
    const found = admit();
    const principal = found instanceof Promise ? await found : found;
    exchange.principal = principal;
    if (principal !== ANONYMOUS) shell.rateLimit.take(principal.actor.id, shell.clock.now());
    requirePermission(principal, route.permission);
    if (wantsDryRun(route, request.headers) && !mayBeTried(route)) throw new Rejection(DRY_RUN_NOT_POSSIBLE);
    const read = readInput(request);
    if (!(read instanceof Promise)) return run(exchange, principal, read);
    const input = await read;
    // A body may take its time, in which the credential may have lost what it opened.
    const present = admit();
    exchange.principal = present instanceof Promise ? await present : present;
    requirePermission(exchange.principal, route.permission);
    return run(exchange, exchange.principal, input);
  };

  return async (request: Request, response: Response) => {
    const exchange = new Exchange(request, response, route.path, shell);
    try {
      exchange.send(await answer(exchange));
    } catch (error) {
      const tried = wantsDryRun(route, request.headers) && mayBeTried(route);
      exchange.fail(error, tried ? APPLIED : []);
    }
  };
}
