import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { withCheckDigit } from '../../src/brazil/gtin.js';
import { CHAIN_START } from '../../src/kernel/events/chain.js';
import { streamName } from '../../src/kernel/events/decider.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { EventStore, NewEvent } from '../../src/ports/event-store.js';
import { NO_STREAM } from '../../src/ports/event-store.js';
import type { Benchmark, Case } from './benchmark.js';
import type { LoadGenerator } from './load.js';
import { startLoadGenerator } from './load.js';
import type { Service } from './servers.js';
import { startBareExpress, startService } from './servers.js';

const CLIENTS = 16;
const PRODUCTS = 100_000;
const TAKE = 100;
const AT_ONCE = 256;
const CATCH_UP_SECONDS = 300;

/** Half of all products begin with the first of these letters. */
const KINDS = ['pão', 'pastel', 'pudim', 'pizza', 'bolo', 'torta', 'coxinha', 'quiche'];
const ADDED = [
  'queijo',
  'presunto',
  'goiabada',
  'coco',
  'chocolate',
  'frango',
  'palmito',
  'calabresa',
  'doce de leite',
];
const MADE = ['caseiro', 'integral', 'artesanal', 'recheado', 'tradicional', 'sem glúten', 'especial', 'rústico'];

const of = (words: readonly string[], number: number): string => words[number % words.length] ?? '';

const gtin = (number: number): string => withCheckDigit(String(789_000_000_000 + number));

/** As many different ones as there are products. */
const description = (number: number): string => {
  const [kind, added, made] = [of(KINDS, number), of(ADDED, number >> 3), of(MADE, number >> 6)];
  return `${kind} ${made} com ${added} lote${(number % 2_999).toString(36)} ${number % 997} g`;
};

const NOTHING = Object.fromEntries(
  [
    'expectedComponentCount',
    'costPrice',
    'managerialCost',
    'categoryId',
    'brandId',
    'unitVolumeLiters',
    'cest',
    'issServiceCode',
    'nbsCode',
    'issRate',
    'netWeightKg',
    'packagingTareKg',
    'volumeSpecies',
    'tribUnit',
    'tribUnitFactor',
    'ipiUnitValue',
    'ipiBaseMode',
    'ipiInStBase',
    'pisUnitValue',
    'cofinsUnitValue',
  ].map((name) => [name, null]),
);

const NO_CODES = { label: null, division: null, subdivision: null, sku: null };
const NO_WEIGHTS = { netWeightKg: null, packagingTareKg: null, tribUnitFactor: null };

function productCreated(storeId: string, number: number): { readonly id: string; readonly event: NewEvent } {
  const now = Date.now();
  const id = newId(now);
  const product = {
    ...NOTHING,
    description: description(number),
    catalogDescription: '',
    productType: 'MERCHANDISE',
    isComposite: false,
    priceCash: '18.9',
    priceCredit: number % 50 === 0 ? '0' : '19.9',
    profitMargin: '100',
    tagIds: [],
    active: number % 10 > 0,
    availableForDelivery: false,
    isFavorite: false,
    controlsLots: false,
    sku: `SKU-${number}`,
    saleUnit: 'UN',
    ncm: '19059090',
    issRetained: false,
  };
  const variant = { id: newId(now), gtin: gtin(number), ...NO_CODES, ...NO_WEIGHTS };
  const meta = {
    schemaVersion: 1,
    storeId,
    actor: { kind: 'system', id: newId(now), name: 'bench' },
    requestId: newId(now),
    causationId: newId(now),
    at: new Date(now).toISOString(),
    hash: CHAIN_START,
  };
  const data = JSON.stringify({ productId: id, product, variants: [variant] });
  return { id, event: { id: newId(now), type: 'ProductCreated', data, meta: JSON.stringify(meta) } };
}

/** Puts so many products into the log of a store. */
export const fillWith =
  (count: number) =>
  async (log: EventStore, storeId: string): Promise<void> => {
    let next = 0;
    const append = async (): Promise<void> => {
      while (next < count) {
        const { id, event } = productCreated(storeId, next++);
        await log.append(streamName('product', storeId, id), NO_STREAM, [event]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, append));
  };

const pageAnswer = z.object({ total: z.number() });

/** The first page, once all products are there. */
export async function firstPage({ port, headers }: Service, wanted = PRODUCTS): Promise<string> {
  const deadline = performance.now() + CATCH_UP_SECONDS * 1000;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/products?take=${TAKE}`, { headers });
    const text = await answer.text();
    if (answer.ok && pageAnswer.parse(JSON.parse(text)).total >= wanted) return text;
    if (performance.now() > deadline) throw new Error(`the products were not there within ${CATCH_UP_SECONDS} s`);
    await pause(500);
  }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const searched = (q: string): string => `/products?take=${TAKE}&q=${encodeURIComponent(q)}`;

/** Every beginning of every word, alone and with the beginning of another. */
function searches(): readonly string[] {
  const words = [...KINDS, ...ADDED, ...MADE].flatMap((word) => word.split(' '));
  const beginnings = words.flatMap((word) => numbers(word.length).map((length) => word.slice(0, length + 1)));
  const one = [...new Set(beginnings)];
  const two = one.map((beginning, index) => `${beginning} ${of(one, index * 7 + 3)}`);
  return [...one, ...two, ...numbers(200).map((number) => `lote${number.toString(36)}`)];
}

const PAGES: Readonly<Record<string, string | readonly string[]>> = {
  'the first page': `/products?take=${TAKE}`,
  'any page': numbers(PRODUCTS / TAKE).map((page) => `/products?take=${TAKE}&page=${page + 1}`),
  'one letter that half of them have': searched('p'),
  'any beginnings of words': searches().map(searched),
  'any page of any of these': searches().flatMap((q) => [1, 2, 9].map((page) => `${searched(q)}&page=${page}`)),
};

const LOOKUPS: typeof PAGES = {
  'any barcode': numbers(PRODUCTS).map((number) => `/products/by-gtin/${gtin(number)}`),
  'any description': numbers(PRODUCTS).map(
    (number) => `/products/description-match?description=${encodeURIComponent(description(number))}`,
  ),
};

function casesOf(load: LoadGenerator, service: Service, bare: number): Case[] {
  const asked = { method: 'GET', clients: CLIENTS, status: 200 } as const;
  const comparedWith = 'bare Express, the body of a page';
  const caseOf = ([name, path]: [string, string | readonly string[]]): Case => ({
    name,
    measure: (milliseconds) => load.run({ ...asked, port: service.port, path, headers: service.headers, milliseconds }),
  });
  return [
    {
      name: comparedWith,
      measure: (milliseconds) => load.run({ ...asked, port: bare, path: '/', headers: {}, milliseconds }),
    },
    ...Object.entries(PAGES).map((entry) => ({ ...caseOf(entry), comparedWith })),
    ...Object.entries(LOOKUPS).map(caseOf),
  ];
}

export const products: Benchmark = {
  name: 'products',
  unit: `requests of ${CLIENTS} clients over ${PRODUCTS} products, pages of ${TAKE}`,
  async prepare() {
    const service = await startService(fillWith(PRODUCTS));
    const bare = await startBareExpress({ list: await firstPage(service), record: {} });
    const load = startLoadGenerator();
    return {
      engine: 'embedded',
      cases: casesOf(load, service, bare.port),
      async tearDown() {
        load.stop();
        await bare.stop();
        await service.stop();
      },
    };
  },
};
