import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, openConsole } from '../support/console-pages.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** What people type, scan and leave half done. */
inBrowser(`entries in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  const sent = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await pages.call(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const newProduct = async (description: string): Promise<{ readonly id: string; readonly gtin: string }> => {
    const product = { description, priceCash: 4, priceCredit: 4, saleUnit: 'KG' };
    const { variants } = await sent<{ variants: readonly [{ id: string; gtin: string }] }>(
      'POST',
      '/products',
      product,
    );
    await sent('POST', '/stock/receipts', { items: [{ variantId: variants[0].id, quantity: 10, unitCost: 2 }] });
    return variants[0];
  };
  const newRecipe = async (name: string): Promise<{ readonly id: string; readonly input: string }> => {
    const [made, input] = [await newProduct(name), await newProduct(`Farinha de ${name}`)];
    const items = [{ componentVariantId: input.id, quantity: 2 }];
    const recipe = { name, finishedVariantId: made.id, yieldQty: 10, items };
    return { id: (await sent<{ id: string }>('POST', '/bakery-production/recipes', recipe)).id, input: input.id };
  };

  test('an open order shows what it takes by the version that it keeps, where it takes it', async () => {
    const recipe = await newRecipe('Pão de Ordem');
    const plan = { recipeId: recipe.id, batches: 1, expectedAt: '2030-01-31' };
    const order = await sent<{ id: string }>('POST', '/bakery-production/orders/plan', plan);
    const elsewhere = await sent<{ id: string }>('POST', '/locations', { name: 'Depósito de Ordem' });
    const there = await sent<{ id: string }>('POST', '/bakery-production/orders/plan', {
      ...plan,
      locationId: elsewhere.id,
    });
    await sent('PUT', `/bakery-production/recipes/${recipe.id}`, {
      items: [{ componentVariantId: recipe.input, quantity: 7 }],
    });
    const { page, close } = await pages.open(`/console/producao/${order.id}`);
    const needed = page.getByRole('row').filter({ hasText: 'Farinha de Pão de Ordem' });
    await needed.getByText('2 KG', { exact: true }).waitFor();
    await page.goto(page.url().replace(order.id, there.id));
    await needed.getByText('0 KG', { exact: true }).waitFor();
    expect(await needed.getByText('2 KG', { exact: true }).count()).toBe(2);
    await close();
  });
});
