import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { FISCAL, fiscalStore, soldSale } from '../support/fiscal/store.js';
import type { Answer, StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Documents that are asked for together; `FISCAL_DOCUMENTS=1000` for a thorough run. */
const AT_ONCE = Number(process.env['FISCAL_DOCUMENTS'] ?? 100);
const CONNECTIONS = 250;
const world = await openWorld();
afterAll(() => world.close());
const store = await fiscalStore(world);

const issue = (saleId: string, more: object = {}) =>
  store.call('POST', '/fiscal/documents', { saleId, model: 65, ...more });

/** As many calls at a time as there may be connections. */
async function together(count: number, call: (index: number) => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) answers[index] = await call(index);
  };
  await Promise.all(Array.from({ length: Math.min(count, CONNECTIONS) }, client));
  return answers;
}

describe('fiscal documents', () => {
  test('the document of a sale is authorized at once, and has all that a notification says', async () => {
    const { saleId } = await soldSale(store);
    const { status, body } = await issue(saleId);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { saleId, model: 65, series: 1, number: 1, status: 'AUTHORIZED', environment: 'HOMOLOGATION' },
    });
    expect(body.accessKey).toMatch(/^[0-9]{44}$/);
    expect(body.protocol).toMatch(/^[0-9]{15}$/);
    expect(body.qrCodeUrl).toContain(`?p=${body.accessKey}|3|2`);
    expect(body.links).toEqual({
      document: `/fiscal/documents/${body.id}`,
      xml: `/fiscal/documents/${body.id}/xml`,
      pdf: `/fiscal/documents/${body.id}/pdf`,
    });
    const xml = await store.call('GET', body.links.xml as string);
    expect(xml.text).toContain('<nfeProc');
    expect(xml.text).toContain(`<nProt>${body.protocol}</nProt>`);
    expect((await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body).toMatchObject([{ id: body.id }]);
    expect(await issue(saleId)).toMatchObject({ status: 409, body: { code: 'DOCUMENT_EXISTS' } });
    expect(await issue(saleId, { model: 55 })).toMatchObject({ status: 409, body: { code: 'DOCUMENT_EXISTS' } });
    expect(await store.call('POST', `/sales/${saleId}/cancel`, { reason: 'Engano' })).toMatchObject({
      status: 409,
      body: { code: 'DOCUMENT_AUTHORIZED' },
    });
  });

  test('what issuing answers is what is read of the document from then on', async () => {
    const expectRead = async (seller: StoreClient, saleId: string, status: string, more: object = {}) => {
      const answer = await seller.call('POST', '/fiscal/documents', { saleId, model: 65, ...more });
      const read = await seller.call('GET', `/fiscal/documents/${answer.body.id}`);
      expect(answer).toMatchObject({ status: 201, body: { ...read.body, status } });
      expect(Object.keys(answer.body as object).sort()).toEqual(Object.keys(read.body as object).sort());
      expect(answer.headers.get('etag')).toBe(read.headers.get('etag'));
    };
    await expectRead(store, (await soldSale(store)).saleId, 'AUTHORIZED');
    await expectRead(store, (await soldSale(store)).saleId, 'CONTINGENCY', { contingency: true });
    const { saleId } = await soldSale(store, { ncm: null });
    await expectRead(store, saleId, 'REJECTED');
    await expectRead(store, saleId, 'REJECTED'); // in place of the one before
    const bare = await world.newStore();
    await expectRead(bare, (await soldSale(bare)).saleId, 'FAILED');
  });

  test('a hundred requests for one sale make one document', async () => {
    const { saleId } = await soldSale(store);
    const answers = await Promise.all(Array.from({ length: 100 }, () => issue(saleId)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'DOCUMENT_EXISTS')).toHaveLength(99);
    expect((await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body).toHaveLength(1);
  });

  test('a cancelled document frees its sale, which may be taxed again or cancelled', async () => {
    const { saleId } = await soldSale(store);
    const { body } = await issue(saleId);
    const reason = 'Cliente desistiu da compra';
    const cancelled = await store.call('POST', `/fiscal/documents/${body.id}/cancel`, { reason });
    expect(cancelled).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', cancellation: { status: 'DONE', reason } },
    });
    const event = await store.call('GET', `/fiscal/documents/${body.id}/xml?part=cancellation`);
    expect(event.text).toContain('<procEventoNFe');
    expect(await store.call('POST', `/fiscal/documents/${body.id}/cancel`, { reason })).toMatchObject({ status: 409 });
    expect((await issue(saleId)).body).toMatchObject({ status: 'AUTHORIZED' });
  });

  test('what the authority rejects keeps its number for the corrected document', async () => {
    const { saleId, productId } = await soldSale(store, { ncm: null });
    const rejected = (await issue(saleId)).body;
    expect(rejected).toMatchObject({ status: 'REJECTED', rejection: { code: '778' } });
    expect(await store.call('PATCH', `/products/${productId}`, { ncm: '19059090' })).toMatchObject({ status: 200 });
    const again = await store.call('POST', `/fiscal/documents/${rejected.id}/transmit`);
    expect(again).toMatchObject({
      status: 200,
      body: { status: 'AUTHORIZED', number: rejected.number, rejection: null },
    });
  });

  test('a new document takes the place and the number of a rejected one', async () => {
    const { saleId, productId } = await soldSale(store, { ncm: null });
    const rejected = (await issue(saleId)).body;
    await store.call('PATCH', `/products/${productId}`, { ncm: '19059090' });
    const { body } = await issue(saleId);
    expect(body).toMatchObject({ status: 'AUTHORIZED', number: rejected.number, replaces: rejected.id });
    const replaced = (await store.call('GET', `/fiscal/documents/${rejected.id}`)).body;
    expect(replaced).toMatchObject({ status: 'REJECTED', replacedBy: body.id });
    expect(await store.call('POST', `/fiscal/documents/${rejected.id}/transmit`)).toMatchObject({
      status: 409,
      body: { code: 'DOCUMENT_REPLACED' },
    });
  });

  test('a rejected document is not taken up beside another of its sale, whatever is missing', async () => {
    const own = await fiscalStore(world);
    const made = await own.call('POST', '/products', { description: 'Pão', priceCash: 5, priceCredit: 5, stockQty: 9 });
    const about = { name: 'Ana Souza', document: '11144477735', address: FISCAL.address };
    const customer = await own.call('POST', '/customers', about);
    const sale = await own.call('POST', '/sales', {
      customerId: customer.body.id,
      items: [{ variantId: made.body.variants[0].id, quantity: 1, unitPrice: 5 }],
      payments: [{ method: 'CASH', amount: 5 }],
    });
    const documentOf = (model: number) => own.call('POST', '/fiscal/documents', { saleId: sale.body.id, model });
    const rejected = await documentOf(65);
    expect(rejected).toMatchObject({ status: 201, body: { status: 'REJECTED' } });
    await own.call('PATCH', `/products/${made.body.id}`, { ncm: '19059090' });
    const other = await documentOf(55);
    expect(other).toMatchObject({ status: 201, body: { status: 'AUTHORIZED' } });
    for (const stateRegistration of [FISCAL.stateRegistration, null]) {
      await own.call('PATCH', '/store', { fiscal: { stateRegistration } });
      const again = await own.call('POST', `/fiscal/documents/${rejected.body.id}/transmit`);
      expect(again).toMatchObject({ status: 409, body: { code: 'DOCUMENT_EXISTS', documentId: other.body.id } });
    }
  });

  test('the number of a rejected document is given up', async () => {
    const { saleId } = await soldSale(store, { ncm: null });
    const { id } = (await issue(saleId)).body;
    const reason = 'Numero sem uso por desistencia';
    const voided = await store.call('POST', `/fiscal/documents/${id}/void`, { reason });
    expect(voided).toMatchObject({ status: 200, body: { status: 'VOIDED', voided: { reason } } });
    expect(await store.call('POST', `/sales/${saleId}/cancel`, { reason: 'Engano' })).toMatchObject({ status: 200 });
  });

  test('a model that there is none of is refused with those that there are', async () => {
    const refused = await store.call('POST', '/fiscal/documents', { saleId: randomUUID(), model: 57 });
    const errors = [{ path: 'model', message: 'must be one of 55, 65' }];
    expect(refused).toMatchObject({ status: 400, body: { errors } });
  });

  test('a reason counts as the layout counts it', async () => {
    const { saleId } = await soldSale(store);
    const { id } = (await issue(saleId)).body;
    const refused = await store.call('POST', `/fiscal/documents/${id}/cancel`, { reason: '🥖'.repeat(15) });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'reason' }] } });
  });

  test('after the last number of a series another one is needed, and the sale waits for it', async () => {
    await store.call('PATCH', '/store', { fiscal: { series: { '65': 7 }, nextNumbers: { '65': 999_999_999 } } });
    const [last, next] = [await soldSale(store), await soldSale(store)];
    expect((await issue(last.saleId)).body).toMatchObject({ status: 'AUTHORIZED', number: 999_999_999 });
    expect(await issue(next.saleId)).toMatchObject({ status: 409, body: { code: 'SERIES_FULL', series: 7 } });
    await store.call('PATCH', '/store', { fiscal: { series: { '65': 8 } } });
    expect((await issue(next.saleId)).body).toMatchObject({ status: 'AUTHORIZED', series: 8, number: 1 });
  });

  test('everything that is missing is named at once, and no number is taken', async () => {
    const bare = await world.newStore();
    const { saleId } = await soldSale(bare);
    const failed = await bare.call('POST', '/fiscal/documents', { saleId, model: 55 });
    expect(failed).toMatchObject({ status: 201, body: { status: 'FAILED', number: null, accessKey: null } });
    expect(failed.body.failure.missing).toEqual(
      expect.arrayContaining([
        'store.taxId',
        'store.fiscal.stateRegistration',
        'store.fiscal.address',
        'sale.customerId',
      ]),
    );
    const portuguese = { 'Accept-Language': 'pt-BR' };
    const [path, bySale] = [`/fiscal/documents/${failed.body.id}`, `/fiscal/documents/by-sale/${saleId}`];
    const said = { code: 'DATA_MISSING', message: expect.stringMatching(/^Faltam dados .*store\.taxId/) };
    expect((await bare.call('GET', path, undefined, portuguese)).body.failure).toMatchObject(said);
    expect((await bare.call('GET', bySale, undefined, portuguese)).body[0].failure).toMatchObject(said);
    const history = await bare.call('GET', `/audit/entities/document/${failed.body.id}`, undefined, portuguese);
    expect(history.text).toMatch(/não pôde ser emitida: Faltam dados para o documento/);
    expect((await bare.call('GET', path)).body.failure.message).toMatch(/^The document needs/);
    expect(await bare.call('GET', `/fiscal/documents/${failed.body.id}/xml`)).toMatchObject({
      status: 404,
      body: { code: 'NO_XML' },
    });
  });

  test('a next number that is taken changes no other setting, and what was read may be sent back', async () => {
    const before = (await store.call('GET', '/store')).body.fiscal as object;
    const fiscal = { offline65: false, nextNumbers: { '55': 90, '65': 1 } };
    expect(await store.call('PATCH', '/store', { fiscal })).toMatchObject({
      status: 409,
      body: { code: 'NUMBER_NOT_HIGHER' },
    });
    expect((await store.call('GET', '/store')).body.fiscal).toEqual(before);
    const again = await store.call('PATCH', '/store', { fiscal: before });
    expect([again.status, again.body.fiscal]).toEqual([200, before]);
  });

  test('what is there and does not fit the document is told apart from what is missing', async () => {
    const address = { ...FISCAL.address, district: 'B', state: 'RJ' };
    const customer = await store.call('POST', '/customers', { name: 'Ana', address });
    const { variantId } = await soldSale(store);
    const items = [{ variantId, quantity: 1, unitPrice: 9.99 }];
    const payments = [{ method: 'CASH', amount: 9.99 }];
    const sale = await store.call('POST', '/sales', { customerId: customer.body.id, items, payments });
    const { body } = await issue(sale.body.id as string, { model: 55 });
    expect(body.failure).toEqual({
      code: 'DATA_MISSING',
      message:
        'The document needs what is not there: customer.document. The document does not take what is there: ' +
        'customer.address.district (has fewer than 2 characters that it can hold), customer.address.cityCode (is of another state)',
      missing: ['customer.document', 'customer.address.district', 'customer.address.cityCode'],
    });
    const told = await store.call('GET', `/fiscal/documents/${body.id}`, undefined, { 'Accept-Language': 'pt-BR' });
    expect(told.body.failure.message).toBe(
      'Faltam dados para o documento: customer.document. O documento não aceita o que foi informado: ' +
        'customer.address.district (tem menos de 2 caracteres que ele comporta), customer.address.cityCode (é de outro estado)',
    );
  });

  test('while the authority is away a note goes offline, and is handed in afterwards', async () => {
    const { saleId } = await soldSale(store);
    await store.call('PATCH', '/store', { fiscal: { simulatorOutage: true } });
    const { body } = await issue(saleId);
    expect(body).toMatchObject({ status: 'CONTINGENCY', contingency: { type: 'OFFLINE' } });
    expect(await store.call('POST', `/sales/${saleId}/cancel`, { reason: 'Engano' })).toMatchObject({
      status: 409,
      body: { code: 'DOCUMENT_LIVE' },
    });
    await store.call('PATCH', '/store', { fiscal: { simulatorOutage: false } });
    const sent = await store.call('POST', `/fiscal/documents/${body.id}/transmit`);
    expect(sent.body).toMatchObject({ status: 'AUTHORIZED', number: body.number, contingency: { type: 'OFFLINE' } });
  });

  test('what was issued offline stays so under its number when a new document corrects it', async () => {
    const { saleId, productId } = await soldSale(store, { ncm: null });
    const offline = (await store.call('POST', '/fiscal/documents', { saleId, model: 65, contingency: true })).body;
    const refused = await store.call('POST', `/fiscal/documents/${offline.id}/transmit`);
    expect(refused.body).toMatchObject({ status: 'REJECTED', rejection: { code: '778' } });
    await store.call('PATCH', `/products/${productId}`, { ncm: '19059090' });
    const corrected = (await issue(saleId)).body;
    expect(corrected).toMatchObject({ status: 'AUTHORIZED', number: offline.number, replaces: offline.id });
    expect((corrected.accessKey as string)[34]).toBe('9');
  });

  test('what was issued offline stays so after a failure as well: its customer has its key', async () => {
    const { saleId, productId } = await soldSale(store, { ncm: null });
    const offline = (await store.call('POST', '/fiscal/documents', { saleId, model: 65, contingency: true })).body;
    const transmit = () => store.call('POST', `/fiscal/documents/${offline.id}/transmit`);
    expect((await transmit()).body).toMatchObject({ status: 'REJECTED', rejection: { code: '778' } });
    await store.call('PATCH', '/store', { fiscal: { stateRegistration: null } });
    expect((await transmit()).body).toMatchObject({ status: 'FAILED', number: offline.number });
    await store.call('PATCH', '/store', { fiscal: { stateRegistration: '111222333444' } });
    await store.call('PATCH', `/products/${productId}`, { ncm: '19059090' });
    const { number, contingency } = offline;
    expect((await transmit()).body).toMatchObject({ status: 'AUTHORIZED', number, contingency });
    const { text } = await store.call('GET', `/fiscal/documents/${offline.id}/xml`);
    expect(text).toContain('<tpEmis>9</tpEmis>');
  });

  test('numbers have no gaps, however many ask at once', async () => {
    const fresh = await fiscalStore(world);
    const { variantId } = await soldSale(fresh, { stockQty: 10 * AT_ONCE });
    const sale = { items: [{ variantId, quantity: 1, unitPrice: 5 }], payments: [{ method: 'PIX', amount: 5 }] };
    const sales = await together(AT_ONCE, () => fresh.call('POST', '/sales', sale));
    const issued = await together(AT_ONCE, (index) =>
      fresh.call('POST', '/fiscal/documents', { saleId: sales[index]?.body.id as string, model: 65 }),
    );
    const numbers = issued.map(({ body }) => body.number as number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: AT_ONCE }, (_, index) => index + 1));
    expect(new Set(issued.map(({ body }) => body.accessKey as string)).size).toBe(AT_ONCE);
    const { fiscal } = (await fresh.call('GET', '/store')).body;
    expect(fiscal.nextNumbers).toEqual({ '55': 1, '65': AT_ONCE + 1 });
  }, 300_000);
});

test('a sale that gets no document because the series has ended can be cancelled at once', async () => {
  const LAST = 999_999_999;
  const full = await fiscalStore(world);
  await full.call('PATCH', '/store', { fiscal: { nextNumbers: { '65': LAST } } });
  const saleIds = [];
  for (let count = 0; count < 3; count++) saleIds.push((await soldSale(full)).saleId);
  const issueIn = (saleId: string, headers = {}) =>
    full.call('POST', '/fiscal/documents', { saleId, model: 65 }, headers);
  const answers = await Promise.all(saleIds.map((saleId) => issueIn(saleId)));
  expect(answers.filter(({ status }) => status === 201).map(({ body }) => body.number as number)).toEqual([LAST]);
  expect(answers.filter(({ body }) => body.code === 'SERIES_FULL')).toHaveLength(2);
  const { eventStore } = world.service.core.engines;
  const before = await eventStore.head();
  const refused = saleIds.filter((_, index) => answers[index]?.status === 409);
  const asked = { 'x-request-id': 'in-a-full-series' };
  for (const saleId of refused) expect((await issueIn(saleId, asked)).body.code).toBe('SERIES_FULL');
  // Other documents may still be on their way, and are recorded meanwhile.
  const recorded = await eventStore.readAll(before, 1_000);
  expect(recorded.filter(({ meta }) => meta.includes(asked['x-request-id']))).toEqual([]);
  for (const saleId of refused) {
    expect((await full.call('POST', `/sales/${saleId}/cancel`, { reason: 'Engano' })).status).toBe(200);
  }
});
