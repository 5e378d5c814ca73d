import { z } from 'zod';

/** What the large store sells, buys and knows. */

export interface Registers {
  readonly locationId: string;
  readonly salt: string;
  readonly flour: string;
  readonly premix: string;
  /** Inputs of every bread beside premix and salt. */
  readonly others: readonly string[];
  readonly breads: readonly string[];
  readonly customerIds: readonly string[];
  /** The products of everything above. */
  readonly productIds: readonly string[];
}

type Post = (path: string, body: object) => Promise<unknown>;

const BREADS = [
  'Pão francês',
  'Broa',
  'Baguete',
  'Ciabatta',
  'Brioche',
  'Rosca',
  'Sonho',
  'Bisnaga',
  'Foccacia',
  'Filão',
];
const OTHERS = ['Fermento', 'Açúcar', 'Gordura'];
const CUSTOMERS = 500;

const product = z.object({ id: z.string(), variants: z.tuple([z.object({ id: z.string() })]) });
const withId = z.object({ id: z.string() });

export async function makeRegisters(post: Post): Promise<Registers> {
  const productIds: string[] = [];
  const variantOf = async (description: string): Promise<string> => {
    const body = { description, priceCash: 10, priceCredit: 11, ncm: '19059090', saleUnit: 'KG', controlsLots: true };
    const made = product.parse(await post('/products', body));
    productIds.push(made.id);
    return made.variants[0].id;
  };
  const variantsOf = async (names: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const name of names) ids.push(await variantOf(name));
    return ids;
  };
  const customerIds: string[] = [];
  for (let number = 1; number <= CUSTOMERS; number++) {
    const phone = `+55119${String(number).padStart(8, '0')}`;
    customerIds.push(withId.parse(await post('/customers', { name: `Cliente ${number}`, phone })).id);
  }
  return {
    locationId: withId.parse(await post('/locations', { name: 'Loja', isDefault: true, isProductionDefault: true })).id,
    salt: await variantOf('Sal'),
    flour: await variantOf('Farinha de trigo'),
    premix: await variantOf('Pré-mistura'),
    others: await variantsOf(OTHERS),
    breads: await variantsOf(BREADS),
    customerIds,
    productIds,
  };
}
