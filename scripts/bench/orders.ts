import type { Benchmark } from './benchmark.js';
import type { LoadGenerator, Question } from './load.js';
import { startLoadGenerator } from './load.js';
import type { Service } from './servers.js';
import { logEngine, startService, strained } from './servers.js';

/** Production orders of one store: five inputs, taken by FIFO from 200 lots. */

const CLIENTS = 64;
const NEEDS = [2, 3, 5, 7, 11];
const LOTS_OF_EACH = 40;
/** Orders that each lot lasts for. */
const ORDERS_OF_LOT = 10_000;
const EARLIER = 100_000;
export const PRODUCTION = '/bakery-production';

export async function post<T>({ port, headers }: Service, path: string, body: object): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`POST ${path} was answered ${await answer.text()}`);
  return (await answer.json()) as T;
}

export async function newVariant(service: Service, description: string): Promise<string> {
  const product = { description, priceCash: 10, priceCredit: 10 };
  const { variants } = await post<{ variants: { id: string }[] }>(service, '/products', product);
  return variants[0]?.id ?? '';
}

/** A recipe of five inputs and three stages, and enough of each input; gives the recipe's id. */
export async function stockUp(service: Service): Promise<string> {
  const items: { readonly componentVariantId: string; readonly quantity: number }[] = [];
  for (const [index, quantity] of NEEDS.entries()) {
    items.push({ componentVariantId: await newVariant(service, `Bench input ${String(index)}`), quantity });
  }
  const finishedVariantId = await newVariant(service, 'Bench output');
  for (let lot = 0; lot < LOTS_OF_EACH; lot++) {
    const received = items.map(({ componentVariantId, quantity }, index) => ({
      variantId: componentVariantId,
      quantity: quantity * ORDERS_OF_LOT,
      unitCost: index + 1 + (lot % 8) / 8,
      lotCode: `IN-${String(index)}-${String(lot)}`,
    }));
    await post(service, '/stock/receipts', { items: received });
  }
  const stages = ['Mix', 'Rise', 'Bake'];
  const recipe = { name: 'Bench', finishedVariantId, yieldQty: 10, items, stages };
  return (await post<{ id: string }>(service, `${PRODUCTION}/recipes`, recipe)).id;
}

export const registering = (recipeId: string): Question & { readonly path: string } => ({
  method: 'POST',
  path: `${PRODUCTION}/orders`,
  body: JSON.stringify({ recipeId, batches: 1 }),
  status: 201,
});

const onOrder = (path: string, body?: object): Question & { readonly path: string } => ({
  method: 'POST',
  path: `${PRODUCTION}/orders/{id}/${path}`,
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  status: 200,
});

const planning = (recipeId: string): Question & { readonly path: string } => ({
  method: 'POST',
  path: `${PRODUCTION}/orders/plan`,
  body: JSON.stringify({ recipeId, batches: 1, expectedAt: '2030-01-01' }),
  status: 201,
});

const life = [
  onOrder('start'),
  ...[0, 1, 2].map((stage) => onOrder(`stages/{stages.${String(stage)}.stageId}`, { done: true })),
  onOrder('complete', {}),
];

const jobOf = ({ port, headers }: Service, request: Question, milliseconds: number, clients = CLIENTS) => ({
  ...request,
  port,
  headers,
  clients,
  milliseconds,
});

export const orders: Benchmark = {
  name: 'orders',
  unit: `orders of one store with ${String(CLIENTS)} clients, each request committed before its answer`,
  async prepare() {
    const service = await startService();
    const load = startLoadGenerator();
    const recipeId = await stockUp(service);
    const directly = (clients: number) => (milliseconds: number) =>
      strained(service, `${PRODUCTION}/orders`, () =>
        load.run(jobOf(service, registering(recipeId), milliseconds, clients)),
      );
    return {
      engine: logEngine,
      cases: [
        { name: 'registered directly', measure: directly(CLIENTS) },
        { name: 'the same, one client alone', measure: directly(1) },
        {
          name: 'a whole life: plan, start, three stages, complete',
          measure: (milliseconds) => load.run({ ...jobOf(service, planning(recipeId), milliseconds), next: life }),
        },
      ],
      async tearDown() {
        load.stop();
        await service.stop();
      },
    };
  },
};

/** Registers orders until there are as many. */
export async function produce(load: LoadGenerator, service: Service, recipeId: string, count: number): Promise<void> {
  for (let made = 0; made < count;) {
    const { n } = await load.run(jobOf(service, registering(recipeId), 1_000));
    made += n;
  }
}

export const agedOrders: Benchmark = {
  name: 'aged-orders',
  unit: `orders registered directly with ${String(CLIENTS)} clients, in a young store and in one with ${String(EARLIER)} earlier orders`,
  async prepare() {
    const [young, aged] = [await startService(), await startService()];
    const load = startLoadGenerator();
    const recipes = [await stockUp(young), await stockUp(aged)] as const;
    await produce(load, aged, recipes[1], EARLIER);
    const name = 'in a young store';
    return {
      engine: logEngine,
      cases: [
        { name, measure: (milliseconds) => load.run(jobOf(young, registering(recipes[0]), milliseconds)) },
        {
          name: 'in an aged store',
          comparedWith: name,
          measure: (milliseconds) => load.run(jobOf(aged, registering(recipes[1]), milliseconds)),
        },
      ],
      async tearDown() {
        load.stop();
        await young.stop();
        await aged.stop();
      },
    };
  },
};
