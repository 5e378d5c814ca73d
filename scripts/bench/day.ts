import type { Benchmark, Case, Sample } from './benchmark.js';
import { largeStore } from './large-store.js';
import type { Kind } from './load.js';
import { startLoadGenerator } from './load.js';
import { registering, stockUp } from './orders.js';
import { pssMb } from './processes.js';
import { fillWith, firstPage } from './products.js';
import { baskets, stockedVariants } from './sales.js';
import type { Service } from './servers.js';
import { startServiceOn } from './servers.js';

/** A day of a store in which everything is done at once: of ten requests two make something, four sell, three look and one traces. */

const CLIENTS = 64;
const ORDERS = '/bakery-production/orders';
const PAGES = 1_000;
const TAKE = 50;
const LETTERS = Array.from('abcdefghijlmnopqrstuvz');

/** How many products the store has beside those that are made and sold. */
const PRODUCTS = Number(process.env['DAY_PRODUCTS'] ?? 100_000);

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const DAY = 86_400_000;

/** The codes of lots that the newest orders took and made, until yesterday: those of today may be an earlier run's. */
async function lotCodes({ port, headers }: Service): Promise<readonly string[]> {
  const to = new Date(Date.now() - DAY).toISOString().slice(0, 10);
  const list = await fetch(`http://127.0.0.1:${String(port)}${ORDERS}?limit=100&to=${to}`, { headers });
  const codes = [...(await list.text()).matchAll(/"lotCode":"([^"]+)"/g)].flatMap(([, code]) => code ?? []);
  if (codes.length === 0) throw new Error('the orders of the store name no lots');
  return [...new Set(codes)];
}

async function kindsOf(service: Service): Promise<readonly Kind[]> {
  const codes = await lotCodes(service);
  const sale = { path: '/sales', body: baskets(await stockedVariants(service)) };
  const looked = [
    ...numbers(PAGES).map((page) => `/products?take=${String(TAKE)}&page=${String(page + 1)}`),
    ...LETTERS.map((letter) => `/products?take=${String(TAKE)}&q=${letter}`),
    ...[`${ORDERS}?limit=50`, '/sales?limit=50', '/stock/balances?limit=50'].flatMap((path) =>
      numbers(100).map(() => path),
    ),
  ];
  const traced = codes.flatMap((code) => [
    `/bakery-production/recall?lotCode=${encodeURIComponent(code)}`,
    `/bakery-production/traceability?lotCode=${encodeURIComponent(code)}`,
  ]);
  return [
    { name: 'orders', share: 2, ...registering(await stockUp(service)) },
    { name: 'sales of three lines', share: 4, method: 'POST', status: 201, ...sale },
    { name: 'pages and searches', share: 3, method: 'GET', status: 200, path: looked },
    { name: 'recalls and traces', share: 1, method: 'GET', status: 200, path: traced },
  ];
}

const NOTHING: Sample = { n: 0, seconds: 1, latenciesMs: [] };

export const day: Benchmark = {
  name: 'day',
  unit: `requests of ${String(CLIENTS)} clients, mixed, in a large store with ${String(PRODUCTS)} products more`,
  async prepare() {
    const { dataDir, slug, apiKey, remove } = await largeStore();
    const service = await startServiceOn(dataDir, { storeSlug: slug, apiKey }, fillWith(PRODUCTS));
    await firstPage(service, PRODUCTS);
    const kinds = await kindsOf(service);
    const { port, headers, pid } = service;
    const load = startLoadGenerator();
    let seen: readonly Sample[] = [];
    const all: Case = {
      name: 'all of them',
      async measure(milliseconds) {
        const job = { port, headers, clients: CLIENTS, milliseconds, kinds };
        const { measured, strain } = await service.strainOf(() => load.runMixed(job));
        seen = measured;
        return {
          n: measured.reduce((sum, { n }) => sum + n, 0),
          seconds: measured[0]?.seconds ?? 1,
          latenciesMs: measured.flatMap(({ latenciesMs }) => latenciesMs),
          strain,
          more: { 'PSS MB': pssMb(pid) },
        };
      },
    };
    // What the same round saw of each kind.
    const each = kinds.map(({ name }, index) => ({ name, measure: () => Promise.resolve(seen[index] ?? NOTHING) }));
    return {
      engine: 'embedded',
      cases: [all, ...each],
      async tearDown() {
        load.stop();
        await service.stop();
        await remove();
      },
    };
  },
};
