import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { withLostAnswer } from '../support/lost-answer.js';
import { refusal } from '../support/people.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Cancellations and numbers given up that the authority refuses, or takes, before a crash loses the answer to the request. */

const world = await openWorld();
afterAll(() => world.close());
afterEach(() => {
  jest.restoreAllMocks();
});
const { authority } = world.service.core.engines;
const REFUSED = { kind: 'refused', code: '999', message: 'Rejeicao: Erro nao catalogado', protocol: null } as const;
const REASON = 'Cliente desistiu da compra';

async function issued(store: StoreClient, product: object = {}): Promise<FiscalRecord> {
  const { saleId } = await soldSale(store, product);
  return (await store.call('POST', '/fiscal/documents', { saleId, model: 65 })).body as FiscalRecord;
}

const read = async (store: StoreClient, { id }: FiscalRecord) =>
  (await store.call('GET', `/fiscal/documents/${id}`)).body as FiscalRecord;

test.each([
  ['a cancellation', 'cancel', 'cancel', {}, 'CANCELLATION_REFUSED', 'CANCELLED'],
  ['a number given up', 'void', 'voidNumbers', { ncm: null }, 'VOID_REFUSED', 'VOIDED'],
] as const)(
  '%s that was refused is asked for anew by a repeat',
  async (_what, path, operation, product, code, status) => {
    const store = await fiscalStore(world);
    const document = await issued(store, product);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => store.call('POST', `/fiscal/documents/${document.id}/${path}`, { reason: REASON }, headers);
    const told = jest.spyOn(authority, operation).mockResolvedValueOnce(REFUSED);
    expect(refusal(await withLostAnswer(world, ask))).toEqual([409, code]);
    expect(await ask()).toMatchObject({ status: 200, body: { status } });
    expect(await read(store, document)).toMatchObject({ status });
    expect(told).toHaveBeenCalledTimes(2);
  },
);

test('a number that was given up is not given up again by a repeat', async () => {
  const store = await fiscalStore(world);
  const { id } = await issued(store, { ncm: null });
  const headers = { 'idempotency-key': randomUUID() };
  const ask = () => store.call('POST', `/fiscal/documents/${id}/void`, { reason: REASON }, headers);
  const told = jest.spyOn(authority, 'voidNumbers');
  const voided = { status: 200, body: { status: 'VOIDED' } };
  expect(await withLostAnswer(world, ask)).toMatchObject(voided);
  expect(await ask()).toMatchObject(voided);
  expect(told).toHaveBeenCalledTimes(1);
});
