import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Route } from '../../src/kernel/routes/route.js';
import { isPermission } from '../../src/kernel/values/permissions.js';
import { expectDocumented } from '../support/documented-answers.js';
import type { Schema } from '../support/mutations/requests.js';
import { mutatedJson, oddHeader, oddQuery } from '../support/mutations/requests.js';
import { Chance } from '../../src/demo/chance.js';
import { ODD_TEXTS } from '../support/mutations/odd-values.js';
import type { Example } from '../support/route-examples.js';
import { exampleOf } from '../support/route-examples.js';
import { nameOf, pathOf } from '../support/route-requests.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Every operation of the document with requests that are nearly right. `MUTATIONS=500 SEED=7 ONLY=/sales` for a thorough run. */
const MUTATIONS = Number(process.env['MUTATIONS'] ?? 4);
const SEED = Number(process.env['SEED'] ?? 1);
const ONLY = new RegExp(process.env['ONLY'] ?? '');

/** More than any of these requests may take, also on a busy machine. */
const SLOW_MILLISECONDS = 30_000;

interface Operation {
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly schema?: Schema }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } };
  };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const document = JSON.parse(readFileSync(process.env['SERVICE_DOCUMENT'] ?? '', 'utf8')) as Document;
const lookup = (reference: string): Schema =>
  reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as Schema;

let world: World;
let store: StoreClient;
beforeAll(async () => {
  world = await openWorld({ env: { ROLES: 'api,projections,webhooks' } });
  store = await world.newStore();
});
afterAll(() => world.close());

interface Request {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function mutate(route: Route, example: Example, choices: Chance): Request {
  const operation = document.paths[route.path]?.[route.method];
  const { params = {}, query = {}, body } = example;
  const schema = operation?.requestBody?.content['application/json'].schema;
  const names = (operation?.parameters ?? []).flatMap((one) =>
    one.in === 'query' ? [[one.name ?? '', one.schema ?? {}] as const] : [],
  );
  const right = new URLSearchParams(query).toString();
  const kind = choices.next();
  const ids = Object.keys(params);
  const isPath = ids.length > 0 && kind < 0.1;
  const isQuery = !isPath && (schema ? kind < 0.15 : kind < 0.8);
  const changed = isPath
    ? { ...params, [choices.of(ids)]: encodeURIComponent(choices.of(ODD_TEXTS).slice(0, 3_000)) }
    : params;
  const search = isQuery ? oddQuery(query, names, choices) : right;
  const isBody = !isPath && !isQuery && choices.happens(schema ? 0.9 : 0.3);
  return {
    method: route.method.toUpperCase(),
    address: `${pathOf(route, changed)}${search === '' ? '' : `?${search}`}`,
    headers: (!isPath && !isQuery && !isBody) || choices.happens(0.1) ? oddHeader(choices) : {},
    body:
      route.method === 'get' || (!schema && !isBody)
        ? undefined
        : isBody
          ? mutatedJson(body, schema, choices, lookup)
          : JSON.stringify(body),
  };
}

async function send(
  { method, address, headers, body }: Request,
  requestId: string,
  prefer: Readonly<Record<string, string>> = {},
) {
  const url = world.url + address;
  const started = performance.now();
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${store.key}`,
      'x-store-slug': store.slug,
      'x-request-id': requestId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
      ...prefer,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(60_000),
  });
  const { status } = response;
  const text = await response.text();
  const took = performance.now() - started;
  let mistake: string | undefined;
  try {
    expectDocumented(url, method, { status, headers: response.headers, text });
  } catch (error) {
    mistake = String(error);
  }
  return { status, text, took, mistake };
}

let requests = 0;

async function faultsOf(request: Request): Promise<string | undefined> {
  const { eventStore } = world.service.core.engines;
  const requestId = `mutated-${String(++requests)}`;
  // On a busy machine an answer that would be older than the last write is refused.
  await world.service.projections.caughtUp();
  const before = await eventStore.head();
  const dry =
    request.method === 'GET' || 'prefer' in request.headers
      ? undefined
      : await send(request, requestId, { prefer: 'dry-run' });
  const { status, text, took, mistake } = await send(request, requestId);
  if (status >= 500) return `was answered ${String(status)} ${text}`;
  if (mistake !== undefined) return mistake;
  if (dry?.mistake !== undefined) return `dry: ${dry.mistake}`;
  if (took > SLOW_MILLISECONDS) return `took ${String(Math.round(took))} ms`;
  if (dry && !text.includes('IDEMPOTENCY') && !NOT_ALONE.test(request.address)) {
    const expected = dry.status === 200 ? (JSON.parse(dry.text) as { status?: number }).status : dry.status;
    if (expected !== status && !dry.text.includes('DRY_RUN_NOT_POSSIBLE')) {
      return `was answered ${String(status)} ${text.slice(0, 300)}, but dry ${dry.text.slice(0, 300)}`;
    }
  }
  if (status < 400) return undefined;
  const written = await eventStore.readAll(before, 1_000);
  const own = written.filter(({ meta }) => meta.includes(requestId));
  return own.length > 0
    ? `was refused with ${text.slice(0, 200)} and wrote ${own.map(({ type }) => type).join()}`
    : undefined;
}

/** An example as the document shows it, where no records have to be made for it. */
function shownIn({ path, method }: Route): Example {
  const media = document.paths[path]?.[method]?.requestBody?.content['application/json'];
  return media ? { body: media.example } : {};
}

/** What others do beside them changes the answer of the second run. */
const NOT_ALONE = /deliveries\/[^/]+\/retry|\/fiscal\/documents|^\/auth\//;

const showing = ({ method, address, headers, body }: Request): string =>
  `${method} ${address.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${(body ?? '').slice(0, 600)}`;

/** It never ends. */
const STREAM = '/live';

const tried = () => world.service.routes.filter((route) => route.path !== STREAM && ONLY.test(nameOf(route)));

test(`no operation stumbles over requests that are nearly right (SEED=${String(SEED)})`, async () => {
  const choices = new Chance(SEED);
  const faults: string[] = [];
  let made = 0;
  for (const route of tried()) {
    const fresh = async (): Promise<Example> => {
      const wanted = { ...route, takesBody: route.request.body !== undefined };
      if (!isPermission(route.permission)) return shownIn(route);
      try {
        return await exampleOf(wanted, `mutado-${String(++made)}`, store);
      } catch {
        // The store is full, or what was changed in it stands in the way.
        store = await world.newStore();
        return exampleOf(wanted, `mutado-${String(++made)}`, store);
      }
    };
    let example = await fresh();
    for (let round = 0; round < MUTATIONS; round++) {
      const request = mutate(route, example, choices);
      const fault = await faultsOf(request);
      if (fault !== undefined) {
        faults.push(`${showing(request)}\n    ${fault}`);
        if (process.env['SHOW']) process.stderr.write(`${faults.at(-1) ?? ''}\n`);
      }
      if (route.method !== 'get' && choices.happens(0.1)) example = await fresh();
    }
  }
  expect(faults).toEqual([]);
}, 3_600_000);
