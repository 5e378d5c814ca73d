import type { Draws } from '../fiscal-orders/draws.js';
import type { Told } from './process.js';
import type { Things } from './drawn.js';
import type { Wish } from './wishes.js';

/** Places, products, recipes and first goods, before anything goes wrong. */
export async function opened(draws: Draws, answered: (wish: Wish) => Promise<Told>): Promise<Things> {
  const made = async (
    path: string,
    body: object,
  ): Promise<{ readonly id: string; readonly variants?: readonly { readonly id: string }[] }> => {
    const told = await answered({ what: 'prepare', method: 'post', path, body });
    if (told.status !== 201) throw new Error(`${path}: ${JSON.stringify(told)}`);
    return told.body as never;
  };
  await made('/locations', { name: 'Deposito' });
  await made('/locations', { name: 'Feira' });
  const listed = (await answered({ what: 'prepare', method: 'get', path: '/locations' })).body as {
    readonly items: readonly { readonly id: string }[];
  };
  const places = [listed.items[0]?.id ?? '', ...listed.items.map(({ id }) => id).slice(1)];
  const products: Record<string, string> = {};
  const variants: Record<string, string> = {};
  const product = async (name: string, more: object = {}) => {
    const { id, variants: [variant, other] = [] } = await made('/products', {
      description: name,
      priceCash: 1,
      priceCredit: 1,
      ...more,
    });
    products[name] = id;
    variants[name] = variant?.id ?? '';
    if (other) variants[`other ${name}`] = other.id;
  };
  await product('sugar', { variants: [{ label: 'P' }, { label: 'G' }] });
  for (const name of ['flour', 'crumbs', 'dough', 'bread', 'spare'])
    await product(name, name === 'flour' && draws.chance(0.5) ? { stockQty: 10, managerialCost: 1.5 } : {});
  await product('kit', {
    components: [
      { componentVariantId: variants['bread'], quantity: 1 },
      { componentVariantId: variants['sugar'], quantity: 0.333333 },
    ],
  });
  const item = (name: string, quantity: number) => ({ componentVariantId: variants[name], quantity });
  const crumbs = [{ variantId: variants['crumbs'], quantityPerBatch: 0.5, costSharePercent: 5 }];
  await made('/bakery-production/recipes', {
    name: 'Massa',
    finishedVariantId: variants['dough'],
    yieldQty: 2,
    items: [item('flour', 1), ...(draws.chance(0.5) ? [item('crumbs', 0.25)] : [])],
  });
  await made('/bakery-production/recipes', {
    name: 'Pao',
    finishedVariantId: variants['bread'],
    yieldQty: 3,
    expectedLossPercent: draws.of([0, 10]),
    items: [item('dough', 1), item('flour', 0.333333)],
    stages: draws.of([
      [],
      [{ name: 'Forno', required: true, standardMinutes: 12.5, laborRatePerHour: 33.33 }],
      [{ name: 'Forno', standardMinutes: 12.5, laborRatePerHour: 33.33 }],
    ]),
    ...(draws.chance(0.5) ? { byproducts: crumbs } : {}),
  });
  if (draws.chance(0.8)) {
    const items = ['flour', 'flour', 'sugar', 'dough', 'bread', 'bread'].map((name, index) => ({
      variantId: variants[name],
      quantity: 5 + draws.under(20),
      unitCost: 1 + draws.next(),
      lotCode: 'ABC'[index % 3],
    }));
    await made('/stock/receipts', {
      items: items.map((item) => ({ ...item, unitCost: Number(item.unitCost.toFixed(10)) })),
    });
  }
  const customers: string[] = [];
  for (const name of ['Bia', 'Caio']) customers.push((await made('/customers', { name })).id);
  return { products, variants, places, customers };
}
