import type { StoreClient, World } from '../world.js';
import { TAX_ID } from './notes.js';

const ADDRESS = {
  street: 'Rua das Flores',
  number: '100',
  district: 'Centro',
  cityCode: '3550308',
  city: 'São Paulo',
  state: 'SP',
  postalCode: '01001-000',
  phone: '(11) 3333-4444',
};

export const FISCAL = { taxRegime: 'SIMPLES', stateRegistration: '111222333444', address: ADDRESS };

/** A store that has all that a document needs. */
export async function fiscalStore(world: World): Promise<StoreClient> {
  const store = await world.newStore();
  await setFiscal(store);
  return store;
}

export async function setFiscal(store: StoreClient): Promise<void> {
  const set = await store.call('PATCH', '/store', { taxId: TAX_ID, legalName: 'Padaria Aurora Ltda', fiscal: FISCAL });
  if (set.status !== 200) throw new Error(set.text);
}

interface Sold {
  readonly saleId: string;
  readonly productId: string;
  readonly variantId: string;
}

/** A sale of two of a fresh product, paid in cash. */
export async function soldSale(store: StoreClient, product: object = {}): Promise<Sold> {
  const made = await store.call('POST', '/products', {
    description: 'Pão francês',
    priceCash: 9.99,
    priceCredit: 9.99,
    stockQty: 100,
    ncm: '19059090',
    ...product,
  });
  const variantId = made.body.variants[0].id as string;
  const items = [{ variantId, quantity: 2, unitPrice: 9.99, discount: 0.58 }];
  const sold = await store.call('POST', '/sales', { items, payments: [{ method: 'CASH', amount: 19.4 }] });
  if (sold.status !== 201) throw new Error(sold.text);
  return { saleId: sold.body.id as string, productId: made.body.id as string, variantId };
}
