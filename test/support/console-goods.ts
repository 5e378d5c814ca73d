import type { ConsolePages } from './console-pages.js';

export interface MadeProduct {
  readonly id: string;
  readonly variants: readonly [{ readonly id: string; readonly gtin: string }];
}

/** What the service answers to somebody beside the pages; throws where it refuses. */
export async function sent<T>({ call }: ConsolePages, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await call(method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

export const newProduct = (pages: ConsolePages, description: string): Promise<MadeProduct> =>
  sent(pages, 'POST', '/products', { description, priceCash: 4, priceCredit: 4, saleUnit: 'KG' });
