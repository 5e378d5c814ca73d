import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { FISCAL } from '../support/fiscal/store.js';
import { expectOk, refusal } from '../support/people.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Sales that take no document, or not this one, which is said before a number is taken. */

const COMPANY = { name: 'Mercado Silva', document: '12.ABC.345/01DE-35' };
const PERSON = { name: 'Maria Souza', document: '529.982.247-25' };
const IN_RIO = { ...FISCAL.address, state: 'RJ', cityCode: '3304557', city: 'Rio de Janeiro' };

let world: World;
let store: StoreClient;
let variantId: string;
beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  await setFiscal(FISCAL);
  const goods = { description: 'Bolo', priceCash: 1, priceCredit: 1, stockQty: 100_000, ncm: '19059090' };
  const product = (await expectOk(store.call('POST', '/products', goods))) as { variants: { id: string }[] };
  variantId = product.variants[0]?.id ?? '';
});
afterAll(() => world.close());

const setFiscal = (fiscal: object) =>
  expectOk(store.call('PATCH', '/store', { taxId: TAX_ID, legalName: 'Padaria Aurora Ltda', fiscal }));

const newCustomer = async (customer: object): Promise<string> =>
  ((await expectOk(store.call('POST', '/customers', customer))) as { id: string }).id;

async function issued(model: 55 | 65, quantity: number, customerId?: string): Promise<FiscalRecord> {
  const items = [{ variantId, quantity, unitPrice: 1 }];
  const sale = { items, payments: [{ method: 'CASH', amount: quantity }], ...(customerId && { customerId }) };
  const { id: saleId } = (await expectOk(store.call('POST', '/sales', sale))) as { id: string };
  return (await expectOk(store.call('POST', '/fiscal/documents', { saleId, model }))) as FiscalRecord;
}

const failed = (code: string, missing: readonly string[] = []) => ({
  status: 'FAILED',
  number: null,
  failure: { code, missing },
});

test('a company gets no consumer’s note, unless the store says that its state takes one', async () => {
  const refused = await issued(65, 1, await newCustomer(COMPANY));
  expect(refused).toMatchObject(failed('COMPANY_NEEDS_55'));
  await setFiscal({ allow65ToCompany: true });
  const again = await expectOk(store.call('POST', `/fiscal/documents/${refused.id}/transmit`));
  expect(again).toMatchObject({ status: 'AUTHORIZED', number: 1 });
});

test('who buys for 10,000 or more is known by a document', async () => {
  expect(await issued(65, 9_999.99)).toMatchObject({ status: 'AUTHORIZED' });
  expect(await issued(65, 10_000)).toMatchObject(failed('DATA_MISSING', ['sale.customerId']));
  expect(await issued(65, 10_000, await newCustomer({ name: 'Ana' }))).toMatchObject(
    failed('DATA_MISSING', ['customer.document']),
  );
  expect(await issued(65, 10_000, await newCustomer(PERSON))).toMatchObject({ status: 'AUTHORIZED' });
});

test('a consumer of another state gets a company’s note of a small company alone', async () => {
  const customerId = await newCustomer({ name: 'João Lima', document: '111.444.777-35', address: IN_RIO });
  for (const taxRegime of ['NORMAL', 'SIMPLES_EXCESS']) {
    await setFiscal({ taxRegime });
    expect(await issued(55, 1, customerId)).toMatchObject(failed('INTERSTATE_CONSUMER'));
  }
  await setFiscal({ taxRegime: 'SIMPLES' });
  expect(await issued(55, 1, customerId)).toMatchObject({ status: 'AUTHORIZED' });
});

test('only a consumer’s note is issued offline, where the store allows it', async () => {
  const { saleId } = await issued(65, 1);
  const offline = (model: 55 | 65) => store.call('POST', '/fiscal/documents', { saleId, model, contingency: true });
  expect(refusal(await offline(55))).toEqual([400, 'CONTINGENCY_NOT_POSSIBLE']);
  expect(refusal(await offline(65))).toEqual([409, 'DOCUMENT_EXISTS']);
  await setFiscal({ offline65: false });
  expect(refusal(await offline(65))).toEqual([400, 'CONTINGENCY_NOT_POSSIBLE']);
});
