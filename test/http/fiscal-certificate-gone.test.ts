import { afterAll, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { asPfx, companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A store whose certificate has expired, or that left trials, with documents of before. */

const DAY = 86_400_000;
const PASSWORD = 'senha';
const REASON = 'Cliente desistiu da compra';
let later = 0;
const clock = { now: () => Date.now() + later };
const world = await openWorld({ clock });
afterAll(() => world.close());

const set = (store: StoreClient, changes: { readonly to: number }) => {
  const content = asPfx(companyCertificate(testAuthority(), TAX_ID, changes), PASSWORD);
  const certificate = { format: 'PFX', content, password: PASSWORD };
  return store.call('PATCH', '/store', { fiscal: { certificate, cancelMinutes: { '65': 10_000 } } });
};

async function issued(store: StoreClient, product: object = {}): Promise<FiscalRecord> {
  const { saleId } = await soldSale(store, product);
  return (await store.call('POST', '/fiscal/documents', { saleId, model: 65 })).body as FiscalRecord;
}
const asked = (store: StoreClient, { id }: FiscalRecord, what: string) =>
  store.call('POST', `/fiscal/documents/${id}/${what}`, { reason: REASON });

test('without a certificate nothing is cancelled and no number given up: it is said, and done after the mend', async () => {
  const store = await fiscalStore(world);
  expect(await set(store, { to: 1 })).toMatchObject({ status: 200 });
  const [taken, refused] = [await issued(store), await issued(store, { ncm: null })];
  expect([taken.status, refused.status]).toEqual(['AUTHORIZED', 'REJECTED']);
  later += 2 * DAY;
  const missing = { status: 409, body: { code: 'CERTIFICATE_MISSING' } };
  expect(await asked(store, taken, 'cancel')).toMatchObject(missing);
  expect(await asked(store, refused, 'void')).toMatchObject(missing);

  expect(await set(store, { to: 30 })).toMatchObject({ status: 200 });
  expect(await asked(store, taken, 'cancel')).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
  expect(await asked(store, refused, 'void')).toMatchObject({ status: 200, body: { status: 'VOIDED' } });
});

test('what was issued in trials is cancelled there after the store has left them', async () => {
  const store = await fiscalStore(world);
  const document = await issued(store);
  await store.call('PATCH', '/store', { fiscal: { environment: 'PRODUCTION' } });
  expect(await asked(store, document, 'cancel')).toMatchObject({
    status: 200,
    body: { status: 'CANCELLED', environment: 'HOMOLOGATION' },
  });
});
