import { pino } from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { createApp } from '../../src/http/app.js';
import type { HttpOptions, ShellContext } from '../../src/http/options.js';
import type { Listening, ListenOptions } from '../../src/http/server.js';
import { listen } from '../../src/http/server.js';
import { decimal, freeText, name, pathId, queryInteger } from '../../src/kernel/values/fields.js';
import { systemClock, toIso } from '../../src/kernel/values/clock.js';
import { idsOf, namedId } from '../../src/kernel/values/ids.js';
import type { Permission } from '../../src/kernel/values/permissions.js';
import { matches } from '../../src/kernel/events/if-match.js';
import { NOT_FOUND, Rejection, STALE, rejection } from '../../src/kernel/events/rejection.js';
import type { Principal, RequestFacts } from '../../src/kernel/routes/request-context.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { route } from '../../src/kernel/routes/route.js';
import { START } from '../../src/ports/event-store.js';
import { MemoryVault } from './memory-vault.js';

export const KEY = 'smk_test';
export const TOKEN_SECRET = Buffer.alloc(32, 1);
export const REFUSED = rejection(409, 'TEST_REFUSED', 'The test refuses it');

export const CREDENTIAL_UNKNOWN = rejection(401, 'TEST_CREDENTIAL_INVALID', 'The credential is absent or invalid');
const SLUG_REQUIRED = rejection(400, 'TEST_SLUG_REQUIRED', 'The store must be named');

const thing = z
  .object({ id: z.uuid(), name: z.string(), priceCash: z.number().optional() })
  .meta({ id: 'Thing', description: 'Something to try the shell with' });
const newThing = z
  .strictObject({
    name: name(200),
    notes: freeText(2000).optional(),
    priceCash: decimal({ decimals: 2, minimum: 0 }).optional(),
    stockQty: decimal({ decimals: 0 }).optional(),
    ids: z.array(z.string()).max(200).optional(),
  })
  .meta({ id: 'ThingBody' });

/** What the handlers of the small routes saw and did. */
interface Seen {
  readonly created: { readonly id: string; readonly at: string; readonly body: z.output<typeof newThing> }[];
  readonly contexts: RequestFacts[];
}

const thingRoutes = (seen: Seen): readonly Route[] => [
  route({
    method: 'get',
    path: '/things',
    tag: 'Things',
    summary: 'List things',
    permission: 'products.view',
    request: { query: z.strictObject({ take: queryInteger(1, 100).optional(), q: z.string().optional() }) },
    response: { status: 200, schema: z.array(thing) },
    handle: ({ query }) => ({ body: [{ query }] }),
  }),
  route({
    method: 'post',
    path: '/things',
    tag: 'Things',
    summary: 'Create a thing',
    permission: 'products.manage',
    request: { body: newThing },
    response: { status: 201, schema: thing, etag: true },
    rejections: [REFUSED],
    handle: ({ body }, context) => {
      if (body.name === 'refuse') throw new Rejection(REFUSED, 'refused as asked', { shortages: [1] });
      if (body.name === 'crash') throw new Error('a secret of the inside');
      const record = { id: context.newId(), at: context.at, body };
      seen.created.push(record);
      return { body: { id: record.id, name: body.name, priceCash: body.priceCash?.toNumber() }, etag: 0 };
    },
  }),
  route({
    method: 'get',
    path: '/things/{id}',
    tag: 'Things',
    summary: 'Get a thing',
    permission: 'authenticated',
    request: { params: z.strictObject({ id: pathId }) },
    response: { status: 200, schema: thing, etag: true },
    handle: ({ params }) => {
      if (params.id !== 'known') throw new Rejection(NOT_FOUND);
      return { body: { id: params.id, name: 'a' }, etag: 7 };
    },
  }),
  route({
    method: 'delete',
    path: '/things/{id}',
    tag: 'Things',
    summary: 'Delete a thing',
    permission: 'products.manage',
    request: { params: z.strictObject({ id: pathId }) },
    response: { status: 204 },
    handle: (_input, { ifMatch }) => {
      if (!matches(ifMatch, 7)) throw new Rejection(STALE);
      return {};
    },
  }),
  route({
    method: 'get',
    path: '/things/by-colour/{colour}',
    tag: 'Things',
    summary: 'Find things by colour',
    permission: 'audit.view',
    request: { params: z.strictObject({ colour: z.string() }) },
    response: { status: 200, schema: z.array(thing) },
    handle: () => ({ body: [] }),
  }),
];

export const PRINCIPAL: Principal = {
  storeId: '01900000-0000-7000-8000-000000000001',
  actor: { kind: 'apiKey', id: '01900000-0000-7000-8000-000000000002', name: 'test' },
  permissions: new Set(['products.view', 'products.manage']),
};

export interface TestShell extends Listening {
  readonly seen: Seen;
  /** The log's lines, parsed. */
  readonly log: Record<string, unknown>[];
  readonly vault: MemoryVault;
  call(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<Response>;
}

/** A context whose commands do nothing but give a position when they are asked to. */
export function fakeContext(request: RequestFacts): ShellContext {
  const { principal, seed, ifMatch } = request;
  const rightsAsked = new Map<Permission, boolean>();
  return {
    storeId: principal.storeId,
    actor: principal.actor,
    session: principal.session,
    permissions: principal.permissions,
    client: request.client,
    isRepeat: request.repeatSince !== undefined,
    recordUntil: () => undefined,
    at: toIso(seed.at),
    ifMatch,
    didNothing: request.didNothing === true,
    newId: idsOf(seed),
    namedId: (name) => namedId(seed, name),
    rightsAsked,
    may(permission) {
      rightsAsked.set(permission, principal.permissions.has(permission));
      return principal.permissions.has(permission);
    },
    execute: () => Promise.reject(new Error('the shell is tried without a log')),
    executeOn: () => Promise.reject(new Error('the shell is tried without a log')),
    recent: () => Promise.reject(new Error('the shell is tried without a log')),
    currentOn: () => Promise.reject(new Error('the shell is tried without a log')),
    current: () => Promise.reject(new Error('the shell is tried without a log')),
    head: () => Promise.reject(new Error('the shell is tried without a log')),
    recordedBefore: () => Promise.reject(new Error('the shell is tried without a log')),
    earlierEvents: () => Promise.reject(new Error('the shell is tried without a log')),
    eventsAt: () => Promise.reject(new Error('the shell is tried without a log')),
    readsPast(): never {
      throw new Error('the shell is tried without read models');
    },
    get reads(): never {
      throw new Error('the shell is tried without read models');
    },
    lastPosition: () => undefined,
    answerPosition: () => START,
    recorded: () => false,
    visibleEverywhere: () => undefined,
  };
}

function testOptions(seen: Seen, log: Record<string, unknown>[]): HttpOptions & { readonly vault: MemoryVault } {
  return {
    routes: thingRoutes(seen),
    authenticate: ({ bearer, storeSlug }) => {
      if (bearer !== KEY) throw new Rejection(CREDENTIAL_UNKNOWN);
      if (storeSlug === undefined) throw new Rejection(SLUG_REQUIRED);
      return PRINCIPAL;
    },
    services: {
      contextFor: (request) => {
        seen.contexts.push(request);
        return fakeContext(request);
      },
    },
    vault: new MemoryVault(),
    eventStore: { exclusive: true, storesRows: false, isPosition: (token) => /^\d+$/.test(token) },
    tokenSecret: TOKEN_SECRET,
    projections: { health: () => [] },
    readiness: {},
    clock: systemClock(),
    logger: pino({}, { write: (line: string) => log.push(JSON.parse(line) as Record<string, unknown>) }),
    metrics: new Registry(),
    version: '0.0.0',
  };
}

/** The shell with small routes, listening on a free port. */
export async function startShell(
  change: Partial<HttpOptions> = {},
  server: Partial<ListenOptions> = {},
): Promise<TestShell> {
  const seen: Seen = { created: [], contexts: [] };
  const log: Record<string, unknown>[] = [];
  const options = testOptions(seen, log);
  const listening = await listen(createApp({ ...options, ...change }), { host: '127.0.0.1', port: 0, ...server });
  return {
    ...listening,
    seen,
    log,
    vault: options.vault,
    call: (path, { json, headers, ...init } = {}) =>
      fetch(listening.url + path, {
        ...init,
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        headers: {
          authorization: `Bearer ${KEY}`,
          'x-store-slug': 'demo',
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(headers as Record<string, string> | undefined),
        },
      }),
  };
}
