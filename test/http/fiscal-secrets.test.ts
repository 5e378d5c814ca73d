import { createHash } from 'node:crypto';
import { afterAll, expect, jest, test } from '@jest/globals';
import { TAX_ID } from '../support/fiscal/notes.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { asPfx, companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Secrets of the fiscal settings that are entered again, because what was entered first was wrong or is over. */

const world = await openWorld();
afterAll(() => world.close());

const set = async (store: StoreClient, csc: object | null) => {
  const { status, body } = await store.call('PATCH', '/store', { fiscal: { qrCode: 2, csc } });
  expect(status).toBe(200);
  return body.fiscal as unknown;
};

/** Which of the tokens the QR code of a fresh note is made with. */
async function tokenInUse(store: StoreClient, tokens: readonly string[]): Promise<string | undefined> {
  const { saleId } = await soldSale(store);
  const { body } = await store.call('POST', '/fiscal/documents', { saleId, model: 65 });
  const [, told = ''] = (body.qrCodeUrl as string).split('?p=');
  const hashAt = told.lastIndexOf('|');
  const hashOf = (token: string) =>
    createHash('sha1')
      .update(told.slice(0, hashAt) + token)
      .digest('hex')
      .toUpperCase();
  return tokens.find((token) => hashOf(token) === told.slice(hashAt + 1));
}

test('a token that is corrected under the same id counts from then on, and one that is left out stays', async () => {
  const store = await fiscalStore(world);
  const tokens = ['0123456789ABCDEF', 'FEDCBA9876543210'] as const;
  await set(store, { id: '1', token: tokens[0] });
  expect(await tokenInUse(store, tokens)).toBe(tokens[0]);
  const shown = await set(store, { id: '1', token: tokens[1] });
  expect(shown).toMatchObject({ csc: { id: '1' } });
  expect(JSON.stringify(shown)).not.toMatch(/token/i);
  expect(await tokenInUse(store, tokens)).toBe(tokens[1]);
  await set(store, { id: '2' });
  expect(await tokenInUse(store, tokens)).toBe(tokens[1]);
  await set(store, null);
  await set(store, { id: '2' });
  const { saleId } = await soldSale(store);
  const { body } = await store.call('POST', '/fiscal/documents', { saleId, model: 65 });
  expect(body).toMatchObject({ status: 'FAILED', failure: { missing: ['store.fiscal.csc'] } });
});

/** Does something once, right before the first look for a secret of that kind. */
function beforeLookingFor(kind: string, act: () => Promise<unknown>): { mockRestore(): void } {
  const { vault } = world.service.core.engines;
  const get = vault.get.bind(vault);
  let hasActed = false;
  return jest.spyOn(vault, 'get').mockImplementation(async (of, id) => {
    if (of === kind && !hasActed) {
      hasActed = true;
      await act();
    }
    return get(of, id);
  });
}

const PASSWORD = 'senha';
const newCertificate = () => asPfx(companyCertificate(testAuthority(), TAX_ID), PASSWORD);
const withCertificate = (store: StoreClient, content = newCertificate()) => {
  return store.call('PATCH', '/store', { fiscal: { certificate: { format: 'PFX', content, password: PASSWORD } } });
};

test.each([
  ['certificate', 'fiscal-certificate', withCertificate],
  ['token', 'fiscal-csc', (store: StoreClient) => set(store, { id: '1', token: 'FEDCBA9876543210' })],
])('a note that is begun while the %s is replaced takes the new one', async (_what, kind, replace) => {
  const store = await fiscalStore(world);
  expect(await withCertificate(store)).toMatchObject({ status: 200 });
  await set(store, { id: '1', token: '0123456789ABCDEF' });
  const { saleId } = await soldSale(store);
  const looking = beforeLookingFor(kind, () => replace(store));
  const { body } = await store.call('POST', '/fiscal/documents', { saleId, model: 65 });
  looking.mockRestore();
  expect(body).toMatchObject({ status: 'AUTHORIZED' });
});

/** Does something once, right before the next change of a store is decided, as another process may. */
function beforeNextChange(act: () => Promise<unknown>): void {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    if ((command as { readonly type: string }).type === 'change') {
      spy.mockRestore();
      await act();
    }
    return execute(type, stream, command, envelope);
  });
}

const rowsOf = ({ storeId }: StoreClient, kind: string) =>
  world.service.core.engines.vault.list(kind, { prefix: `${storeId}/`, limit: 10 });

test('a certificate that is handed in again while another takes its place signs where it comes last, and is alone', async () => {
  const store = await fiscalStore(world);
  const first = newCertificate();
  expect(await withCertificate(store, first)).toMatchObject({ status: 200 });
  beforeNextChange(async () => {
    expect(await withCertificate(store)).toMatchObject({ status: 200 });
  });
  expect(await withCertificate(store, first)).toMatchObject({ status: 200 });
  expect(await rowsOf(store, 'fiscal-certificate')).toHaveLength(1);
  const { saleId } = await soldSale(store);
  const { body } = await store.call('POST', '/fiscal/documents', { saleId, model: 65 });
  expect(body).toMatchObject({ status: 'AUTHORIZED' });
});

test.each([
  ['replaced', { id: '1', token: 'FEDCBA9876543210' }, 1],
  ['taken away', null, 0],
] as const)('a token that is entered while the one before it is %s is not left behind', async (_how, csc, left) => {
  const store = await fiscalStore(world);
  await set(store, { id: '1', token: '0123456789ABCDEF' });
  beforeNextChange(() => set(store, { id: '1', token: '00112233445566' }));
  await set(store, csc);
  expect(await rowsOf(store, 'fiscal-csc')).toHaveLength(left);
});
