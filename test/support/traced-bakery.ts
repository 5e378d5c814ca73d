import { recallAnswer, traceAnswer } from '../../src/features/traceability/answers.js';
import { granted, insist, newProduct, newRecipe } from './bakery.js';
import type { Answer, StoreClient } from './world.js';

/** Flour that becomes premix, and premix that becomes bread: a store to trace and recall lots in. */

export interface TracedBakery {
  readonly flour: string;
  readonly premix: string;
  readonly bread: string;
  readonly breadRecipe: string;
  readonly premixRecipe: string;
}

export const ORDERS = '/bakery-production/orders';

/** Lots F-1 (100 kg), M-1 (50 kg, of 40 kg of flour) and P-1 (100 breads, of 10 kg of premix). */
export async function newTracedBakery(store: StoreClient): Promise<TracedBakery> {
  const fields = { saleUnit: 'KG', ncm: '19059090' };
  const flour = (await newProduct(store, 'Farinha', fields)).variantId;
  const premix = (await newProduct(store, 'Pré-mistura', fields)).variantId;
  const bread = (await newProduct(store, 'Pão', { ncm: '19059090' })).variantId;
  const recipe = async (name: string, finishedVariantId: string, yieldQty: number, item: object) =>
    (await newRecipe(store, { name, finishedVariantId, yieldQty, items: [item] })).id;
  const premixRecipe = await recipe('Pré-mistura', premix, 50, { componentVariantId: flour, quantity: 40 });
  const breadRecipe = await recipe('Pão', bread, 100, { componentVariantId: premix, quantity: 10 });
  await receive(store, flour, 100, 'F-1');
  await make(store, premixRecipe, 'M-1');
  await make(store, breadRecipe, 'P-1');
  return { flour, premix, bread, premixRecipe, breadRecipe };
}

export const receive = (store: StoreClient, variantId: string, quantity: number, lotCode: string): Promise<Answer> =>
  granted(insist(store, 'POST', '/stock/receipts', { items: [{ variantId, quantity, unitCost: 2, lotCode }] }));

export async function make(store: StoreClient, recipeId: string, outputLotCode: string, more = {}): Promise<string> {
  const { body } = await granted(insist(store, 'POST', ORDERS, { recipeId, batches: 1, outputLotCode, ...more }));
  return (body as { id: string }).id;
}

export async function sell(store: StoreClient, variantId: string, quantity: number, more = {}): Promise<string> {
  const payments = [{ method: 'PIX', amount: quantity * 2 }];
  const items = [{ variantId, quantity, unitPrice: 2 }];
  const { body } = await granted(insist(store, 'POST', '/sales', { items, payments, ...more }));
  return (body as { id: string }).id;
}

type Query = Readonly<Record<string, string | number>>;

export const ask = (store: StoreClient, path: string, query: Query): Promise<Answer> =>
  store.call('GET', `/bakery-production/${path}?${String(new URLSearchParams(query as Record<string, string>))}`);

/** Recalls and traces as their routes say that they look. */
export const recallOf = async (store: StoreClient, query: Query) =>
  recallAnswer.parse((await granted(ask(store, 'recall', query))).body);
export const traceOf = async (store: StoreClient, query: Query) =>
  traceAnswer.parse((await granted(ask(store, 'traceability', query))).body);

/** The answer as text, whatever its type. */
export async function download(url: string, store: StoreClient, query: Readonly<Record<string, string>>) {
  const response = await fetch(`${url}/bakery-production/recall?${String(new URLSearchParams(query))}`, {
    headers: { authorization: `Bearer ${store.key}`, 'x-store-slug': store.slug },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, text: bytes.toString('utf8') };
}
