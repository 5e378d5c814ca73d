import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDbStandIn } from './eventstoredb-stand-in/server.js';
import { MongoProxy } from './mongodb-proxy.js';
import type { MongoServer } from './mongodb-server.js';
import { until } from './until.js';
import type { Answer, StoreClient, World } from './world.js';
import { openWorld } from './world.js';

/** What requests ask of EventStoreDB and of MongoDB, counted by what stands in for them. */

export const MANY = 64;

export interface RoundTrips {
  readonly what: string;
  readonly clients: number;
  /** What one request asks of EventStoreDB. */
  readonly log: { readonly appends: number; readonly streamReads: number; readonly questions: number };
  /** What one request alone asks of MongoDB: how many commands of each kind. Requests share none of them. */
  readonly models: Readonly<Record<string, number>>;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly keyed?: boolean;
  /** Asked one after the other of the record that was made; each path follows its id. */
  readonly then?: readonly string[];
}

type Kinds = Readonly<Record<string, Request>>;

const CODE = 'L-1';
const PRODUCTION = '/bakery-production';

async function created(store: StoreClient, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await store.call('POST', path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
  return answer.body as Record<string, unknown>;
}

/** A store with five products, a recipe of three of them, a sale and an order; gives what is asked of it. */
async function filled(store: StoreClient): Promise<Kinds> {
  const products: { readonly id: string; readonly variantId: string }[] = [];
  for (const number of [1, 2, 3, 4, 5]) {
    const shelf = { description: `Produto ${String(number)}`, priceCash: 2, priceCredit: 2, controlsLots: true };
    const { id, variants } = await created(store, '/products', shelf);
    products.push({ id: String(id), variantId: (variants as { id: string }[])[0]?.id ?? '' });
  }
  const items = products.map(({ variantId }) => ({ variantId, quantity: 100_000, unitCost: 1, lotCode: CODE }));
  await created(store, '/stock/receipts', { items });
  const received = items.slice(0, 3).map((item) => ({ ...item, quantity: 1, lotCode: 'R-1' }));
  const recipe = await created(store, `${PRODUCTION}/recipes`, {
    name: 'Massa',
    finishedVariantId: products[4]?.variantId,
    yieldQty: 10,
    items: products.slice(0, 3).map(({ variantId }) => ({ componentVariantId: variantId, quantity: 1 })),
    stages: [],
  });
  const sale = (quantity: number) => ({
    items: products.slice(0, 3).map(({ variantId }) => ({ variantId, quantity, unitPrice: 2 })),
    payments: [{ method: 'PIX', amount: 6 * quantity }],
  });
  const ordering = { method: 'POST', path: `${PRODUCTION}/orders`, body: { recipeId: recipe['id'], batches: 1 } };
  const order = await created(store, ordering.path, ordering.body);
  const sold = await created(store, '/sales', sale(1));
  const get = (path: string): Request => ({ method: 'GET', path, status: 200 });
  return {
    'an order registered': { ...ordering, status: 201 },
    'an order registered, with a key': { ...ordering, status: 201, keyed: true },
    'an order planned, started and completed': {
      method: 'POST',
      path: `${PRODUCTION}/orders/plan`,
      body: { ...ordering.body, expectedAt: '2030-01-01' },
      status: 201,
      then: ['start', 'complete'],
    },
    'a sale of three lines': { method: 'POST', path: '/sales', body: sale(1), status: 201 },
    'a sale of three lines, with a key': { method: 'POST', path: '/sales', body: sale(1), status: 201, keyed: true },
    'a receipt of three lines': { method: 'POST', path: '/stock/receipts', body: { items: received }, status: 201 },
    'a sale refused': { method: 'POST', path: '/sales', body: sale(900_000), status: 409 },
    'a category': { method: 'POST', path: '/categories', body: { name: '{unique}' }, status: 201 },
    'a page of products': get('/products'),
    'a product': get(`/products/${String(products[0]?.id)}`),
    'an order': get(`${PRODUCTION}/orders/${String(order['id'])}`),
    'a page of orders': get(`${PRODUCTION}/orders`),
    'a sale': get(`/sales/${String(sold['id'])}`),
    'the recall of a code in five products': get(`${PRODUCTION}/recall?lotCode=${CODE}`),
    'the trace of a code in five products': get(`${PRODUCTION}/traceability?lotCode=${CODE}&direction=forward`),
  };
}

/** A machine that is busy otherwise was too late for it: what it asked for tells nothing. */
class TooLate extends Error {}

const unexpected = (what: string, { status, text }: Answer): Error =>
  new (status === 503 ? TooLate : Error)(`${what}: ${String(status)} ${text.slice(0, 200)}`);

async function ask(store: StoreClient, { method, path, body, status, keyed, then = [] }: Request): Promise<void> {
  const text = body === undefined ? undefined : JSON.stringify(body).replaceAll('{unique}', randomUUID());
  const sent = text === undefined ? undefined : (JSON.parse(text) as unknown);
  const answer = await store.call(method, path, sent, keyed === true ? { 'idempotency-key': randomUUID() } : {});
  if (answer.status !== status) throw unexpected(`${method} ${path}`, answer);
  for (const next of then) {
    const followed = await store.call('POST', `${PRODUCTION}/orders/${String(answer.body['id'])}/${next}`, {});
    if (followed.status !== 200) throw unexpected(next, followed);
  }
}

const settled = async (world: World): Promise<void> => {
  await world.service.projections.caughtUp();
  await pause(50);
};

type Costs = Readonly<Record<string, number>>;

/** The process looks at the log by itself, so often (milliseconds); a request alone is tried until one has met no such look. */
const OWN_LOOKS = 250;
const TIMES_ALONE = 7;
/**
 * A command that has waited a second for what the process should hear reads for itself, as on a machine that is busy otherwise: many together
 * are tried twice, and then on until each of them has spared itself that, if they ever do.
 */
const TIMES_TOGETHER = 2;
const OWN_LOOK = 'log read';
const READS_ITSELF = 'stream read';

const isEnough = (times: readonly Costs[], clients: number): boolean =>
  times.length >= TIMES_ALONE || (clients > 1 && times.length >= TIMES_TOGETHER && !(READS_ITSELF in least(times)));

function difference(before: Costs, after: Costs, clients: number, milliseconds: number): Costs {
  const own = Math.floor(milliseconds / OWN_LOOKS);
  const each = ([name, total]: readonly [string, number]) =>
    [name, Math.max(0, total - (before[name] ?? 0) - (name === OWN_LOOK ? own : 0)) / clients] as const;
  return Object.fromEntries(Object.entries(after).map(each));
}

function least(times: readonly Costs[]): Costs {
  const names = Object.keys(times.at(-1) ?? {});
  const all = names.map((name) => [name, Math.min(...times.map((costs) => costs[name] ?? 0))] as const);
  return Object.fromEntries(all.filter(([, each]) => each > 0));
}

/** False where one of them came too late. */
async function together(store: StoreClient, request: Request, clients: number): Promise<boolean> {
  const all = await Promise.allSettled(Array.from({ length: clients }, () => ask(store, request)));
  const reasons = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  for (const reason of reasons) if (!(reason instanceof TooLate)) throw reason;
  return reasons.length === 0;
}

/** What each request of a kind costs, alone and with many at once. */
async function counted(
  world: World,
  count: () => Costs,
  crowds: readonly number[],
): Promise<readonly { readonly what: string; readonly clients: number; readonly costs: Costs }[]> {
  const store = await world.newStore();
  const kinds = await filled(store);
  const found = [];
  for (const [what, request] of Object.entries(kinds)) {
    for (const clients of crowds) {
      const times: Costs[] = [];
      await together(store, request, 1);
      while (!isEnough(times, clients)) {
        await settled(world);
        const before = count();
        const began = performance.now();
        if (await together(store, request, clients))
          times.push(difference(before, count(), clients, performance.now() - began));
      }
      found.push({ what, clients, costs: least(times) });
    }
  }
  return found;
}

/** Counts with one server behind the service at a time, so that nothing of the other is among the figures. */
export async function roundTrips(mongo: MongoServer): Promise<readonly RoundTrips[]> {
  const ofLog = await onLog();
  const ofModels = await onModels(mongo);
  const modelsOf = new Map(ofModels.map(({ what, costs }) => [what, costs]));
  return ofLog.map(({ what, clients, costs }) => ({
    what,
    clients,
    log: {
      appends: costs['append'] ?? 0,
      streamReads: costs[READS_ITSELF] ?? 0,
      questions: costs['log read'] ?? 0,
    },
    models: (clients === 1 && modelsOf.get(what)) || {},
  }));
}

async function onLog() {
  const server = await EventStoreDbStandIn.start();
  const world = await openWorld({ env: { EVENTSTORE_URL: server.url } });
  try {
    return await counted(world, () => ({ ...server.counts }), [1, MANY]);
  } finally {
    await world.close();
    await server.kill();
  }
}

async function onModels(mongo: MongoServer) {
  const url = mongo.freshUrl();
  const proxy = await MongoProxy.start(url, { replicaSet: false });
  const world = await openWorld({ env: { MONGODB_URL: proxy.through(url) } });
  try {
    await until('it projects', () => world.service.projections.health().every(({ state }) => state === 'live'));
    return await counted(world, () => Object.fromEntries(proxy.counts), [1]);
  } finally {
    await world.close();
    await proxy.close();
  }
}

const figure = (number: number): string => (number === 0 ? '–' : String(Math.round(number * 100) / 100));

/** For people. */
export function tableOf(all: readonly RoundTrips[]): string {
  const rows = all.map(({ what, clients, log, models }) => [
    what,
    String(clients),
    figure(log.appends),
    figure(log.questions),
    figure(log.streamReads),
    Object.entries(models)
      .map(([name, each]) => `${figure(each)} × ${name}`)
      .join(', '),
  ]);
  const head = ['for one request', 'clients', 'appends', 'questions', 'stream reads', 'commands of MongoDB'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
