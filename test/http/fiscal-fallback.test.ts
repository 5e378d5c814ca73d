import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { FISCAL, soldSale } from '../support/fiscal/store.js';
import { startSoapStandIn } from '../support/tax-authority/servers.js';
import { certifiedStore } from '../support/tax-authority/stores.js';
import { until } from '../support/until.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A state whose authority stands still, with and without the one that stands in for it. */

let later = 0;
const clock = { now: () => Date.now() + later };
const PROBED_AGAIN = 181_000;
let standIn: Awaited<ReturnType<typeof startSoapStandIn>>;
let world: World;
let store: StoreClient;
let customerId: string;
beforeAll(async () => {
  standIn = await startSoapStandIn({ now: clock.now });
  const env = { FISCAL_AUTHORITY: 'sefaz', SEFAZ_ADDRESSES: standIn.addressFile, SEFAZ_CA_FILE: standIn.caFile };
  world = await openWorld({ clock, env });
  store = await certifiedStore(world, TAX_ID);
  const company = {
    name: 'Mercado Silva',
    document: '99888777000100',
    stateRegistration: '123456789012',
    address: FISCAL.address,
  };
  customerId = (await store.call('POST', '/customers', company)).body.id as string;
});
afterAll(async () => {
  await world.close();
  expect([...standIn.authority.complaints, ...standIn.fallback.complaints]).toEqual([]);
  await standIn.close();
});

async function issued(): Promise<FiscalRecord> {
  const { variantId } = await soldSale(store);
  const items = [{ variantId, quantity: 1, unitPrice: 9.99 }];
  const sale = { items, customerId, payments: [{ method: 'PIX', amount: 9.99 }] };
  const sold = await store.call('POST', '/sales', sale);
  const made = await store.call('POST', '/fiscal/documents', { saleId: sold.body.id as string, model: 55 });
  return made.body as FiscalRecord;
}
const read = async (id: string): Promise<FiscalRecord> =>
  (await store.call('GET', `/fiscal/documents/${id}`)).body as FiscalRecord;
const settles = (id: string) => until('it is authorized', async () => (await read(id)).status === 'AUTHORIZED');

test('a company’s document waits until the state switches its stand-in on, goes there, and comes back when it ends', async () => {
  expect(await issued()).toMatchObject({ status: 'AUTHORIZED', contingency: null, number: 1 });
  standIn.authority.closedWith = '108';
  standIn.fallback.closedWith = '114';
  const waiting = await issued();
  expect(waiting).toMatchObject({ status: 'PENDING', contingency: null, number: 2 });

  standIn.fallback.closedWith = undefined;
  later += PROBED_AGAIN;
  await settles(waiting.id);
  const byFallback = await read(waiting.id);
  expect(byFallback).toMatchObject({ number: 2, contingency: { type: 'SVC_AN' } });
  expect(byFallback.accessKey?.[34]).toBe('6');
  expect(standIn.fallback.taken.has(byFallback.accessKey ?? '')).toBe(true);
  expect((await store.call('GET', `/fiscal/documents/${waiting.id}/xml`)).text).toMatch(
    /<tpEmis>6<\/tpEmis>.*<dhCont>.*<xJust>/s,
  );

  // The stand-in ends while a document is on its way to it.
  standIn.fallback.closedWith = '113';
  const back = await issued();
  expect(back).toMatchObject({ status: 'PENDING', number: 3 });
  standIn.authority.closedWith = undefined;
  later += PROBED_AGAIN;
  await settles(back.id);
  expect(await read(back.id)).toMatchObject({ number: 3, contingency: null });
  expect(standIn.authority.taken.size + standIn.fallback.taken.size).toBe(3);
});
