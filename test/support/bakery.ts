import { randomUUID } from 'node:crypto';
import { until } from './until.js';
import type { Answer, StoreClient } from './world.js';

/** Products and recipes of a store under test. */

export const RECIPES = '/bakery-production/recipes';
const PATIENCE = 150_000;

/** The answer, which must not be a refusal. */
export async function granted(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`);
  return answer;
}

/** Asks again until there is an answer that is none of a service that is too busy. */
async function decided(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  await until(
    'a request is decided',
    async () => {
      const busy = answer.status === 503 || answer.body?.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (busy) answer = await ask();
      return !busy;
    },
    PATIENCE,
  );
  return answer;
}

/** As a client does it: what was not decided is sent again with its key. */
export const insist = (
  client: StoreClient,
  method: string,
  path: string,
  body?: unknown,
  key: string = randomUUID(),
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => decided(() => client.call(method, path, body, { ...headers, 'idempotency-key': key }));

/**
 * A query that sees what these answers, of whichever process, have told: it names each of their positions, which only the service can compare.
 * Where projections take longer than a query waits, as on a busy machine, it is refused and asked again.
 */
export async function readPast(answers: readonly Answer[], client: StoreClient, path: string): Promise<Answer> {
  const ask = (headers: Readonly<Record<string, string>>) =>
    granted(decided(() => client.call('GET', path, undefined, headers)));
  for (const { headers } of answers) {
    const position = headers.get('x-position');
    if (position !== null) await ask({ 'x-min-position': position });
  }
  return ask({});
}

interface Made {
  readonly id: string;
  readonly variantId: string;
}

export async function newProduct(store: StoreClient, description: string, more: object = {}): Promise<Made> {
  const { body } = await granted(
    insist(store, 'POST', '/products', { description, priceCash: 1, priceCredit: 1, ...more }),
  );
  const { id, variants } = body as { id: string; variants: readonly { id: string }[] };
  return { id, variantId: variants[0]?.id ?? '' };
}

/** Flour, water and salt, and the bread that is made of them. */
export async function newIngredients(store: StoreClient) {
  const [flour, water, salt, bread] = await Promise.all([
    newProduct(store, 'Farinha de trigo', { saleUnit: 'KG' }),
    newProduct(store, 'Água', { saleUnit: 'L' }),
    newProduct(store, 'Sal', { saleUnit: 'G' }),
    newProduct(store, 'Pão francês', { saleUnit: 'KG' }),
  ]);
  return { flour, water, salt, bread };
}

type Ingredients = Awaited<ReturnType<typeof newIngredients>>;

/** 10 kg of flour and 6 L of water. */
export const breadOf = ({ flour, water, bread }: Ingredients) => ({
  name: 'Pão francês',
  finishedVariantId: bread.variantId,
  yieldQty: 15,
  items: [
    { componentVariantId: flour.variantId, quantity: 10 },
    { componentVariantId: water.variantId, quantity: 6 },
  ],
});

export async function newRecipe(
  store: StoreClient,
  body: object,
): Promise<{ readonly id: string; readonly etag: string }> {
  const answer = await granted(insist(store, 'POST', RECIPES, body));
  return { id: (answer.body as { id: string }).id, etag: answer.headers.get('etag') ?? '' };
}
