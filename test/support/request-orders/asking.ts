import { ANONYMOUS } from '../../../src/kernel/routes/request-context.js';
import type { Exchange } from '../../../src/http/exchange/exchange.js';
import { handlerRunner } from '../../../src/http/exchange/handler.js';
import { asRejection } from '../../../src/http/exchange/problem.js';
import type { Credentials } from '../../../src/kernel/routes/credentials.js';
import { PERMISSION_DENIED, SESSION_ONLY } from '../../../src/http/exchange/rejections.js';
import { Rejection } from '../../../src/kernel/events/rejection.js';
import type { Input, Route } from '../../../src/kernel/routes/route.js';
import { Dead } from '../fiscal-orders/schedule.js';
import type { ServiceProcess } from './service-process.js';

/** With what somebody shows who they are. */
export interface Caller {
  readonly accessToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly bearer?: string | undefined;
  readonly storeSlug?: string | undefined;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: object | undefined;
  /** The idempotency key. */
  readonly key?: string | undefined;
  readonly ifMatch?: string | undefined;
}

export interface Told {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: ReturnType<typeof JSON.parse>;
  readonly session: { readonly access: string; readonly refresh: string } | 'ended' | undefined;
  readonly etag: string | undefined;
  readonly isReplayed: boolean;
  readonly requestId: string;
}

let requests = 0;

function routeOf({ routes }: ServiceProcess, { method, path }: Asked): Route {
  const found = routes.find((route) => route.method === method && route.path === path);
  if (!found) throw new Error(`there is no ${method} ${path}`);
  return found;
}

async function principalOf({ authentication }: ServiceProcess, { permission }: Route, caller: Caller) {
  if (permission === 'public') return ANONYMOUS;
  const found = await authentication.authenticate(caller as unknown as Credentials);
  if (permission === 'authenticated') return found;
  if (permission === 'session') {
    if (!found.session) throw new Rejection(SESSION_ONLY);
    return found;
  }
  if (!found.permissions.has(permission)) throw new Rejection(PERMISSION_DENIED);
  return found;
}

/** Asks a process as the shell does it, without its transport. */
export async function ask(process: ServiceProcess, asked: Asked, caller: Caller): Promise<Told> {
  const route = routeOf(process, asked);
  let session: Told['session'];
  const sessionCookies = {
    set: (access: string, refresh: string) => {
      session = { access, refresh };
      return [];
    },
    clear: () => {
      session = 'ended';
      return [];
    },
  };
  const client = {
    address: '10.0.0.1',
    baseUrl: '',
    pagesUrl: undefined,
    userAgent: undefined,
    ...caller,
    sessionCookies,
  };
  const problem = (error: unknown) => {
    if (error instanceof Dead) throw error;
    const { kind } = asRejection(error);
    if (kind.status === 500) process.ground.logged(error);
    return { status: kind.status, headers: [] as string[], body: JSON.stringify({ code: kind.code }) };
  };
  const { method, path, params = {}, query = {}, body, key, ifMatch } = asked;
  const headers = { ...(key ? { 'idempotency-key': key } : {}), ...(ifMatch ? { 'if-match': ifMatch } : {}) };
  requests += 1;
  const requestId = `request ${String(requests)}`;
  const request = { headers, method, originalUrl: `${path} ${JSON.stringify(params)}` };
  const exchange = { request, requestId, traceparent: undefined, client, problem } as unknown as Exchange;
  const answer = await (async () => {
    const principal = await principalOf(process, route, caller);
    const { request: expected } = route;
    const input = {
      params: expected.params?.parse(params),
      query: expected.query?.parse(query),
      body: expected.body?.parse(body),
    } as Input;
    return handlerRunner(route, process.shell)(exchange, principal, input);
  })().catch(problem);
  if (process.isDead) throw new Dead();
  const text = answer.body?.toString();
  const parsed = text === undefined ? undefined : JSON.parse(text);
  const etagAt = answer.headers.indexOf('ETag');
  return {
    status: answer.status,
    code: answer.status >= 400 ? parsed?.code : undefined,
    body: parsed,
    session,
    etag: etagAt < 0 ? undefined : answer.headers[etagAt + 1],
    isReplayed: answer.headers.includes('Idempotency-Replayed'),
    requestId,
  };
}
