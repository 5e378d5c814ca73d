import { product } from '../../../src/features/products/decider.js';
import { category } from '../../../src/features/categories/decider.js';
import { brand } from '../../../src/features/brands/decider.js';
import { tag } from '../../../src/features/tags/decider.js';
import { locations } from '../../../src/features/inventory/locations/decider.js';
import type { Shop } from './shop.js';

/** What is done to the catalogue: products with their codes and parts, what they are sorted by, and where goods lie. */

export const SKUS = ['pao', 'bolo', 'torta'];
export const GTINS = ['7891000100103', '7894900011517'];
export const NAMES = ['Pão', 'pao', 'Bolo', 'Torta'];

const SETS = { '/categories': category, '/brands': brand, '/product-tags': tag } as const;
type SetPath = keyof typeof SETS;
export const SET_PATHS = Object.keys(SETS) as SetPath[];

export const itemsOf = ({ world, storeId }: Shop, path: SetPath) => {
  const { items } = world.state(SETS[path] as typeof category, `${SETS[path].category}-${storeId}`);
  return [...items.values()];
};

export const locationIds = ({ world, storeId }: Shop): readonly string[] => [
  ...world.state(locations, `${locations.category}-${storeId}`).byId.keys(),
];

function codes({ draws }: Shop): object {
  const sku = draws.of([undefined, null, ...SKUS]);
  const gtin = draws.of([undefined, undefined, '', ...GTINS]);
  return { ...(sku === undefined ? {} : { sku }), ...(gtin === undefined ? {} : { gtin }) };
}

function parts(shop: Shop): object {
  const { draws } = shop;
  if (draws.chance(0.7)) return {};
  if (draws.chance(0.2)) return { isComposite: false };
  const componentVariantId = shop.anyVariantId();
  return componentVariantId === '' ? {} : { components: [{ componentVariantId, quantity: 1 }] };
}

function sorting(shop: Shop): object {
  const { draws } = shop;
  const idOf = (path: SetPath) => {
    const items = itemsOf(shop, path);
    return items.length === 0 || draws.chance(0.4) ? undefined : draws.of(items).id;
  };
  const [categoryId, brandId] = [idOf('/categories'), idOf('/brands')];
  return { ...(categoryId ? { categoryId } : {}), ...(brandId ? { brandId } : {}) };
}

export const creation = (shop: Shop, more: object) => ({
  method: 'post',
  path: '/products',
  body: { description: shop.newName('Produto'), priceCash: 4, priceCredit: 4, ...more },
});

export function createProduct(shop: Shop): void {
  shop.send(creation(shop, { ...codes(shop), ...parts(shop), ...sorting(shop) }));
}

export function changeProduct(shop: Shop): void {
  const one = shop.anyProduct();
  if (!one) return;
  const productType = shop.draws.of([undefined, undefined, 'MERCHANDISE', 'SERVICE']);
  const kind = productType ? { productType } : parts(shop);
  const body = { ...codes(shop), ...kind, ...sorting(shop) };
  shop.send({ method: 'patch', path: '/products/{id}', params: { id: one.productId }, body });
}

export function deleteProduct(shop: Shop): void {
  const one = shop.anyProduct();
  if (!one) return;
  const id = one.productId;
  shop.send({ method: 'delete', path: '/products/{id}', params: { id } }, ({ status }) => {
    const state = shop.world.state(product, `product-${shop.storeId}-${id}`);
    if (status === 204 && typeof state === 'object') shop.faults.push('a deleted product lives');
  });
}

export function changeVariants(shop: Shop): void {
  const { draws } = shop;
  const one = shop.anyProduct();
  if (!one) return;
  const id = one.productId;
  const params = { id, variantId: draws.of(one.variants).id };
  const label = shop.newName('V');
  const stockQty = draws.chance(0.4) ? { stockQty: 3 } : {};
  const path = '/products/{id}/variants/{variantId}';
  const asked = draws.of([
    { method: 'post', path: '/products/{id}/variants', params: { id }, body: { label, ...codes(shop), ...stockQty } },
    { method: 'patch', path, params, body: codes(shop) },
    { method: 'delete', path, params },
  ]);
  shop.send(asked);
}

export function sort(shop: Shop): void {
  const { draws } = shop;
  const path = draws.of(SET_PATHS);
  const ids = itemsOf(shop, path).map((item) => item.id);
  const id = ids.length === 0 || draws.chance(0.4) ? undefined : draws.of(ids);
  const body = { name: draws.of(NAMES) };
  if (id === undefined) shop.send({ method: 'post', path, body });
  else if (draws.chance(0.4)) shop.send({ method: 'patch', path: `${path}/{id}`, params: { id }, body });
  else if (path !== '/brands' && draws.chance(0.3))
    shop.send({ method: 'post', path: `${path}/bulk-delete`, body: { ids } });
  else
    shop.send({ method: 'delete', path: `${path}/{id}`, params: { id } }, ({ status }) => {
      const lives = itemsOf(shop, path).some((item) => item.id === id);
      if (status === 204 && lives) shop.faults.push(`what was deleted of ${path} lives`);
    });
}

export function tagProduct(shop: Shop): void {
  const one = shop.anyProduct();
  if (!one) return;
  const tagIds = itemsOf(shop, '/product-tags').map(({ id }) => id);
  shop.send({ method: 'put', path: '/products/{id}/tags', params: { id: one.productId }, body: { tagIds } });
}

export function keepPlaces(shop: Shop): void {
  const { draws } = shop;
  const ids = locationIds(shop);
  const id = ids.length === 0 ? undefined : draws.of(ids);
  const body = { name: draws.of(['Fundos', 'Depósito', 'deposito']) };
  if (id === undefined || draws.chance(0.4)) shop.send({ method: 'post', path: '/locations', body });
  else if (draws.chance(0.4)) shop.send({ method: 'patch', path: '/locations/{id}', params: { id }, body });
  else shop.send({ method: 'delete', path: '/locations/{id}', params: { id } });
}

export function moveGoods(shop: Shop): void {
  const { draws } = shop;
  const variantId = shop.anyVariantId();
  const places = locationIds(shop);
  if (variantId === '') return;
  const locationId = places.length > 0 && draws.chance(0.6) ? { locationId: draws.of(places) } : {};
  const moved = draws.chance(0.6)
    ? { path: '/stock/receipts', document: shop.newName('Nota'), items: [{ variantId, quantity: 2, unitCost: 1 }] }
    : {
        path: '/stock/adjustments',
        reason: shop.newName('Motivo'),
        items: [{ variantId, quantity: draws.of([-1, 1]) }],
      };
  const { path, ...body } = moved;
  shop.send({ method: 'post', path, body: { ...body, ...locationId } });
}
