import { until } from './until.js';
import type { Answer, StoreClient } from './world.js';

/** Products and recipes of a store under test. */

export const RECIPES = '/bakery-production/recipes';

/** The answer, which must not be a refusal. */
export async function granted(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`);
  return answer;
}

/**
 * A query that sees what these answers, of whichever process, have told: it names the last of their positions. Where projections take longer than a
 * query waits, as on a busy machine, it is refused and asked again.
 */
export async function readPast(answers: readonly Answer[], store: StoreClient, path: string): Promise<Answer> {
  const last = answers
    .map(({ headers }) => headers.get('x-position') ?? '')
    .sort()
    .at(-1);
  let answer: Answer | undefined;
  await until('the query sees what was answered', async () => {
    answer = await store.call('GET', path, undefined, last ? { 'x-min-position': last } : {});
    return answer.status !== 503;
  });
  return granted(Promise.resolve(answer as unknown as Answer));
}

interface Made {
  readonly id: string;
  readonly variantId: string;
}

export async function newProduct(store: StoreClient, description: string, more: object = {}): Promise<Made> {
  const { body } = await granted(
    store.call('POST', '/products', { description, priceCash: 1, priceCredit: 1, ...more }),
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

export type Ingredients = Awaited<ReturnType<typeof newIngredients>>;

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
  const answer = await granted(store.call('POST', RECIPES, body));
  return { id: (answer.body as { id: string }).id, etag: answer.headers.get('etag') ?? '' };
}
