import type { Example, MakeExample } from '../route-examples.js';
import type { StoreClient } from '../world.js';
import { soldSale, FISCAL } from './store.js';
import { TAX_ID } from './notes.js';

const REASON = 'Cliente desistiu da compra';

/** The store of the examples learns what documents need, whatever it was before. */
async function ready(store: StoreClient, changes: object = {}): Promise<void> {
  const fiscal = { ...FISCAL, simulatorOutage: false, ...changes };
  const { status, text } = await store.call('PATCH', '/store', { taxId: TAX_ID, fiscal });
  if (status !== 200) throw new Error(`the store was answered ${String(status)}: ${text}`);
}

async function issued(
  store: StoreClient,
  product: object = {},
): Promise<{ readonly id: string; readonly saleId: string }> {
  await ready(store);
  const { saleId } = await soldSale(store, product);
  const made = await store.call('POST', '/fiscal/documents', { saleId, model: 65 });
  if (made.status !== 201) throw new Error(`the document was answered ${String(made.status)}: ${made.text}`);
  return { id: made.body.id as string, saleId };
}

const rejected = (store: StoreClient) => issued(store, { ncm: null });
const ofDocument: MakeExample = async (_unique, store) => ({ params: { id: (await issued(store)).id } });

const rule = (unique: string): Example => ({
  body: {
    name: unique,
    match: { ncmPrefix: '1905', ownProduction: true },
    cfopInState: '5101',
    cfopOutOfState: '6101',
    cfopOutOfStateConsumer: '6107',
    icms: { code: '102' },
    pis: { cst: '49' },
    cofins: { cst: '49' },
  },
});

/** Examples for the routes of fiscal documents. */
export const FISCAL_EXAMPLES: Readonly<Record<string, MakeExample>> = {
  'POST /fiscal/tax-rules': rule,
  'PATCH /fiscal/tax-rules/{id}': (unique) => ({ body: { name: `${unique} nova` } }),
  'GET /fiscal/status': async (_unique, store) => {
    await ready(store);
    return {};
  },
  'GET /fiscal/documents': async (_unique, store) => ({ query: { saleId: (await issued(store)).saleId } }),
  'GET /fiscal/documents/export': () => ({ query: { month: '2026-11' } }),
  'GET /fiscal/documents/by-sale/{saleId}': async (_unique, store) => ({
    params: { saleId: (await issued(store)).saleId },
  }),
  'GET /fiscal/documents/{id}': ofDocument,
  'GET /fiscal/documents/{id}/xml': ofDocument,
  'GET /fiscal/documents/{id}/pdf': ofDocument,
  'POST /fiscal/documents': async (_unique, store) => {
    await ready(store);
    return { body: { saleId: (await soldSale(store)).saleId, model: 65 } };
  },
  'POST /fiscal/documents/{id}/transmit': async (_unique, store) => ({ params: { id: (await rejected(store)).id } }),
  'POST /fiscal/documents/{id}/cancel': async (_unique, store) => ({
    params: { id: (await issued(store)).id },
    body: { reason: REASON },
  }),
  'POST /fiscal/documents/{id}/void': async (_unique, store) => ({
    params: { id: (await rejected(store)).id },
    body: { reason: REASON },
  }),
};
