import type { ConsolePages } from './console-pages.js';

export interface MadeProduct {
  readonly id: string;
  readonly priceCash: number;
  readonly variants: readonly [{ readonly id: string; readonly gtin: string }];
}

/** What the service answers to somebody beside the pages; throws where it refuses. */
export async function sent<T>({ call }: ConsolePages, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await call(method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

export const newProduct = (
  pages: ConsolePages,
  description: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<MadeProduct> =>
  sent(pages, 'POST', '/products', { description, priceCash: 4, priceCredit: 4, saleUnit: 'KG', ...more });

/**
 * Sold by the piece unless more says otherwise, and there in plenty: of what the demo store has, little may be left,
 * or nothing, which depends on the day and the hour.
 */
export async function newGoodsInPlenty(
  pages: ConsolePages,
  description: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<MadeProduct> {
  const product = await newProduct(pages, description, { saleUnit: 'UN', ncm: '19059090', ...more });
  const items = [{ variantId: product.variants[0].id, quantity: 1000, unitCost: 1 }];
  await sent(pages, 'POST', '/stock/receipts', { items });
  return product;
}
