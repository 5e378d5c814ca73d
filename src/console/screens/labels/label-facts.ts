import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { readOnce, useRead } from '../../client/queries.js';
import type { LabelFacts } from './label.js';

const lotOf = (lotId: string) =>
  readOnce({
    key: ['labels', 'lot', lotId],
    kinds: ['lot'],
    read: (signal) => body(api.GET('/stock/lots/{lotId}', { params: { path: { lotId } }, signal })),
  });

const productOf = (id: string) =>
  readOnce({
    key: ['labels', 'product', id],
    kinds: ['product'],
    read: (signal) => body(api.GET('/products/{id}', { params: { path: { id } }, signal })),
  });

/** What labels say of these lots, from each lot, its product's name and its price; of those of which all is known so far. */
export function useLabelFacts(lotIds: readonly string[]) {
  const lots = useRead({
    key: ['labels', lotIds],
    kinds: ['lot'],
    keep: true,
    when: lotIds.length > 0,
    read: () => Promise.all(lotIds.map(lotOf)),
  });
  const chosen = lotIds.length === 0 ? [] : (lots.data ?? []);
  const names = useNames(chosen.map(({ variantId }) => variantId));
  const productIds = [...new Set(chosen.flatMap(({ variantId }) => names(variantId)?.productId || []))];
  const products = useRead({
    key: ['labels', 'products', productIds],
    kinds: ['product'],
    keep: true,
    when: productIds.length > 0,
    read: () => Promise.all(productIds.map(productOf)),
  });
  const facts = chosen.flatMap((lot): LabelFacts[] => {
    const named = names(lot.variantId);
    const product = products.data?.find(({ id }) => id === named?.productId);
    if (!named || (named.productId !== '' && !product)) return [];
    const variant = product?.variants.find(({ id }) => id === lot.variantId);
    return [
      {
        lotId: lot.lotId,
        description: named.description,
        lotCode: lot.lotCode,
        at: lot.receivedAt,
        isMade: lot.origin === 'PRODUCTION',
        expiresOn: lot.expiresOn,
        gtin: named.gtin,
        price: product?.priceCash,
        weightKg: variant?.netWeightKg ?? product?.netWeightKg ?? null,
      },
    ];
  });
  return { facts, error: lots.error ?? products.error };
}
