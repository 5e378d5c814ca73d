import { afterAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { expectOk, wholeLog } from '../support/people.js';
import { until } from '../support/until.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** What waits for the authority while it is away, and how it goes on afterwards. */

let later = 0;
const clock = { now: () => Date.now() + later };
let store: StoreClient;
const world = await openWorld({ clock });
afterAll(() => world.close());
beforeEach(async () => {
  store = await fiscalStore(world);
});

const authorityIs = (what: 'away' | 'there') =>
  expectOk(store.call('PATCH', '/store', { fiscal: { simulatorOutage: what === 'away' } }));

async function issued(more: object = {}): Promise<FiscalRecord> {
  const { saleId } = await soldSale(store, more);
  return (await expectOk(store.call('POST', '/fiscal/documents', { saleId, model: 65 }))) as FiscalRecord;
}

const read = async ({ id }: FiscalRecord): Promise<FiscalRecord> =>
  (await expectOk(store.call('GET', `/fiscal/documents/${id}`))) as FiscalRecord;

async function triesOf({ id }: FiscalRecord): Promise<number> {
  const row = await world.service.core.engines.vault.get('fiscal-work', `${store.storeId}/${id}`);
  return (row?.value as { readonly tries?: number } | undefined)?.tries ?? 0;
}

test('notes that went offline are handed in as they were written, whichever is due first', async () => {
  await authorityIs('away');
  const old = await issued();
  for (let tries = 2; tries <= 4; tries++) {
    later += 61_000;
    await until('it was tried again', async () => (await triesOf(old)) >= tries);
  }
  const young = await issued();
  expect([old.status, young.status]).toEqual(['CONTINGENCY', 'CONTINGENCY']);
  await authorityIs('there');
  later += 11_000;
  const areIn = async () => [await read(old), await read(young)].every(({ status }) => status === 'AUTHORIZED');
  await until('both are authorized', areIn);
  const authorized = (await wholeLog(world)).filter(({ type }) => type === 'DocumentAuthorized');
  const order = authorized.map(({ data }) => [old, young].findIndex(({ id }) => data.includes(id)));
  expect(order.filter((index) => index >= 0)).toEqual([0, 1]);
});

test('a number is given up for the reason that was asked for, as soon as the authority hears it', async () => {
  const refused = await issued({ ncm: null });
  expect(refused.status).toBe('REJECTED');
  await authorityIs('away');
  const reason = 'O cliente desistiu da compra';
  const path = `/fiscal/documents/${refused.id}/void`;
  const asked = { status: 'REJECTED', voided: { reason, protocol: null, at: null } };
  expect(await expectOk(store.call('POST', path, { reason }))).toMatchObject(asked);
  expect(await expectOk(store.call('POST', path, { reason: 'Um outro motivo depois' }))).toMatchObject(asked);
  await authorityIs('there');
  later += 31_000;
  await until('it is given up', async () => (await read(refused)).status === 'VOIDED');
  expect((await read(refused)).voided).toEqual({ reason, protocol: expect.any(String), at: expect.any(String) });
});

test('a sale whose document’s number is being given up has another, in its place under the next number', async () => {
  const refused = await issued({ ncm: null });
  await authorityIs('away');
  const reason = 'O cliente desistiu da compra';
  await expectOk(store.call('POST', `/fiscal/documents/${refused.id}/void`, { reason }));
  const wanted = { saleId: refused.saleId, model: 65 };
  const next = (await expectOk(store.call('POST', '/fiscal/documents', wanted))) as FiscalRecord;
  expect(next).toMatchObject({ number: (refused.number ?? 0) + 1, replaces: refused.id, replacedBy: null });
  expect(await read(refused)).toMatchObject({ replacedBy: next.id, status: 'REJECTED' });
  const transmitted = await store.call('POST', `/fiscal/documents/${refused.id}/transmit`);
  expect(transmitted).toMatchObject({ status: 409, body: { code: 'DOCUMENT_REPLACED' } });
  await authorityIs('there');
  later += 31_000;
  await until('it is given up', async () => (await read(refused)).status === 'VOIDED');
  expect(await read(refused)).toMatchObject({ replacedBy: next.id, voided: { reason } });
});

test('a document that two transmit at once is signed and sent once, and both are answered', async () => {
  const refused = await issued({ ncm: null });
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let holding = 0;
  const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if ((command as { readonly type: string }).type === 'holdSale') {
      holding += 1;
      await until('both are at it', () => holding >= 2);
    }
    return execute(type, stream, command, envelope);
  });
  const transmit = () => store.call('POST', `/fiscal/documents/${refused.id}/transmit`);
  const answers = await Promise.all([transmit(), transmit()]);
  spy.mockRestore();
  for (const { status, body } of answers)
    expect({ status, body }).toMatchObject({ status: 200, body: { id: refused.id } });
  await until('it is refused again', async () => (await read(refused)).status === 'REJECTED');
  const prepared = (await wholeLog(world)).filter(
    ({ type, data }) => type === 'DocumentPrepared' && data.includes(refused.id),
  );
  expect(prepared).toHaveLength(2);
});

test('a note whose sale cannot be read yet, as read models are made anew, goes on as soon as it can, and once', async () => {
  await expectOk(store.call('PATCH', '/store', { fiscal: { simulatorOutage: true, offline65: false } }));
  const { variantId } = await soldSale(store);
  // The days of its lot stand in a read model alone.
  const lot = { variantId, quantity: 1, lotCode: 'L-1' };
  await expectOk(store.call('POST', '/stock/receipts', { items: [{ ...lot, unitCost: 1, expiresAt: '2031-03-14' }] }));
  const wanted = { items: [{ ...lot, unitPrice: 5 }], payments: [{ method: 'CASH', amount: 5 }] };
  const { id: saleId } = (await expectOk(store.call('POST', '/sales', wanted))) as { readonly id: string };
  const note = (await expectOk(store.call('POST', '/fiscal/documents', { saleId, model: 65 }))) as FiscalRecord;
  expect(note.status).toBe('PENDING');
  const { projections } = world.service;
  const waitFor = projections.waitFor.bind(projections);
  const behind = jest
    .spyOn(projections, 'waitFor')
    .mockImplementation(async (names, ...more) => !names.includes('lots') && waitFor(names, ...more));
  try {
    later += 5 * 60_000;
    await until('it was taken up', async () => (await triesOf(note)) > 1);
    expect(behind).toHaveBeenCalledWith(['lots'], expect.anything(), expect.anything());
  } finally {
    behind.mockRestore();
  }
  await authorityIs('there');
  later += 61_000;
  await until('it is authorized', async () => (await read(note)).status === 'AUTHORIZED');
  const own = (await wholeLog(world)).filter(({ data }) => data.includes(note.id)).map(({ type }) => type);
  expect(own.filter((type) => type === 'DocumentAuthorized')).toHaveLength(1);
});
