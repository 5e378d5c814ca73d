import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { FISCAL_WORK } from '../../src/features/fiscal/issuing/work-rows.js';
import { AuthorityAway } from '../../src/ports/fiscal-authority.js';
import type { Vault, VaultWrite } from '../../src/ports/vault.js';
import { transmittedElsewhere } from '../support/fiscal/elsewhere.js';
import { fiscalStore, soldSale } from '../support/fiscal/store.js';
import { until } from '../support/until.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A process that stands still, or is gone, between two steps of a document: its sale is neither taxed twice nor held for ever. */

const STEP = 10_000;
/** So long a request waits for the authority. */
const PATIENCE = 1_000;
/** Longer than others leave alone what a process is at. */
const LEASE = 151_000;
/** Longer than a consumer's note may be sent as it was written. */
const LONG = 301_000;
let later = 0;
const clock = { now: () => Date.now() + later };
let world: World;
let store: StoreClient;
beforeAll(async () => {
  world = await openWorld({ clock, authorityPatience: PATIENCE });
  store = await fiscalStore(world);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => world.close());

const refused = { kind: 'refused', code: '778', message: 'NCM inexistente', protocol: null } as const;
const authorizing = () => jest.spyOn(world.service.features.authority, 'authorize');
const issue = (saleId: string) => store.call('POST', '/fiscal/documents', { saleId, model: 65 });
const cancel = (saleId: string) => store.call('POST', `/sales/${saleId}/cancel`, { reason: 'Desistiu' });
const documentOf = async (saleId: string) =>
  (await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body[0] as FiscalRecord;

const noNetwork = new AuthorityAway({ pt: 'sem rede', en: 'no network' }, false);

const isAs = async (status: FiscalRecord['status'], saleId: string): Promise<boolean> =>
  (await documentOf(saleId)).status === status;

test('a refusal that is heard after another process had the document authorized leaves it its sale', async () => {
  const { saleId } = await soldSale(store);
  let isAuthorized = false;
  const asked = authorizing().mockImplementationOnce(async () => {
    await until('another process had it authorized', () => isAuthorized);
    return refused;
  });
  const issuing = issue(saleId);
  await until('it is on its way', () => asked.mock.calls.length === 1);
  const { id } = await documentOf(saleId);
  await transmittedElsewhere(world, store.storeId, id);
  expect(await documentOf(saleId)).toMatchObject({ status: 'AUTHORIZED' });
  isAuthorized = true;
  await issuing;
  expect(await cancel(saleId)).toMatchObject({ status: 409, body: { code: 'DOCUMENT_AUTHORIZED', documentId: id } });
});

test('a sale is let go whose document was to be signed once more by a process that is gone, and was rejected since', async () => {
  const { saleId } = await soldSale(store);
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let isGone = false;
  jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    const { prepared } = command as { readonly prepared?: { readonly attempt: number } };
    if (prepared?.attempt === 2 && !isGone) {
      isGone = true;
      throw new Error('the process is gone');
    }
    return execute(type, stream, command, envelope);
  });
  authorizing().mockRejectedValueOnce(noNetwork).mockResolvedValue(refused);
  await issue(saleId);
  await until('its process is gone', () => isGone);
  later += LEASE;
  await until('it is rejected', () => isAs('REJECTED', saleId));
  await until('its sale is let go', async () => {
    later += STEP;
    return (await cancel(saleId)).status === 200;
  });
});

test('a document that never arrived comes to its end where all of its sale was returned since', async () => {
  const { saleId, variantId } = await soldSale(store);
  const asked = authorizing().mockRejectedValueOnce(new Error('the process is gone'));
  await issue(saleId);
  expect(asked).toHaveBeenCalledTimes(1);
  const items = [{ variantId, quantity: 2 }];
  expect(await store.call('POST', `/sales/${saleId}/returns`, { items })).toMatchObject({ status: 201 });
  later += LONG;
  await until('it has failed', () => {
    later += STEP;
    return isAs('FAILED', saleId);
  });
  const { id, failure } = await documentOf(saleId);
  expect(failure).toMatchObject({ code: 'NOTHING_TO_TAX', missing: [] });
  const reason = 'Tudo foi devolvido pelo cliente';
  const given = await store.call('POST', `/fiscal/documents/${id}/void`, { reason });
  expect(given).toMatchObject({ status: 200, body: { status: 'VOIDED' } });
});

test('a cancellation that is asked for before the row of the authorization is gone, where rows go after facts, comes to its end', async () => {
  const { saleId } = await soldSale(store);
  authorizing().mockRejectedValueOnce(new Error('the process is gone'));
  await issue(saleId);
  const { id } = await documentOf(saleId);
  const { vault, eventStore, authority } = world.service.features;
  jest.spyOn(authority, 'cancel').mockRejectedValueOnce(noNetwork);
  let isAsked = false;
  const write = async (rows: readonly VaultWrite[]) => {
    if (!isAsked && rows.some(({ kind, value }) => kind === FISCAL_WORK && value === undefined)) {
      isAsked = true;
      await store.call('POST', `/fiscal/documents/${id}/cancel`, { reason: 'Cliente desistiu da compra' });
    }
    return vault.write(rows);
  };
  await transmittedElsewhere(world, store.storeId, id, {
    eventStore: Object.create(eventStore, { storesRows: { value: false } }) as typeof eventStore,
    vault: Object.assign(Object.create(vault) as Vault, { write }),
  });
  expect(isAsked).toBe(true);
  await until('it is cancelled', () => {
    later += STEP;
    return isAs('CANCELLED', saleId);
  });
});
