import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { transmittedElsewhere } from '../support/fiscal/elsewhere.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { soldSale } from '../support/fiscal/store.js';
import { startSoapStandIn } from '../support/tax-authority/servers.js';
import { certifiedStore } from '../support/tax-authority/stores.js';
import { until } from '../support/until.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** What others do while a document is on its way: a sale is taxed once. */

const STEP = 10_000;
/** Longer than others leave alone what a process is at. */
const LEASE = 151_000;
let later = 0;
const clock = { now: () => Date.now() + later };
let standIn: Awaited<ReturnType<typeof startSoapStandIn>>;
let world: World;
let store: StoreClient;
beforeAll(async () => {
  standIn = await startSoapStandIn({ now: clock.now });
  const env = { FISCAL_AUTHORITY: 'sefaz', SEFAZ_ADDRESSES: standIn.addressFile, SEFAZ_CA_FILE: standIn.caFile };
  world = await openWorld({ clock, env });
  store = await certifiedStore(world, TAX_ID);
});
afterAll(async () => {
  await world.close();
  expect(standIn.authority.complaints).toEqual([]);
  await standIn.close();
});

interface Told {
  readonly type: string;
  readonly insteadOf?: string | null;
  readonly prepared?: { readonly replaces: string | null };
}
const isReplacing = ({ type, insteadOf = null }: Told): boolean => type === 'holdSale' && insteadOf !== null;

/** Has commands pass this before they are decided. */
function watched(pass: (command: Told) => Promise<void> | void) {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  return jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    await pass(command as Told);
    return execute(type, stream, command, envelope);
  });
}

const issue = (saleId: string) => store.call('POST', '/fiscal/documents', { saleId, model: 65 });
const ofSale = async (saleId: string) =>
  (await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body as FiscalRecord[];
const firstOf = async (saleId: string) => (await ofSale(saleId)).at(-1) as FiscalRecord;

async function expectTaxedBy(saleId: string, documentId: string): Promise<void> {
  const again = await issue(saleId);
  expect(again).toMatchObject({ status: 409, body: { code: 'DOCUMENT_EXISTS', documentId } });
  const cancelled = await store.call('POST', `/sales/${saleId}/cancel`, { reason: 'Desistiu' });
  expect(cancelled).toMatchObject({ status: 409, body: { code: 'DOCUMENT_AUTHORIZED', documentId } });
}

test('a document that was heard of as it was to be replaced keeps its sale', async () => {
  const { saleId } = await soldSale(store);
  let isToBeReplaced = false;
  let isHeard = false;
  const spy = watched(async (command) => {
    if (!isReplacing(command)) return;
    isToBeReplaced = true;
    await until('another has heard of it', () => isHeard);
  });
  standIn.faultAt = (service) => (service === 'authorization' ? 'break-after' : 'break-before');
  const issuing = issue(saleId);
  await until('nobody has heard of it', () => isToBeReplaced);
  standIn.faultAt = () => undefined;
  const { id } = await firstOf(saleId);
  await transmittedElsewhere(world, store.storeId, id);
  expect(await firstOf(saleId)).toMatchObject({ status: 'AUTHORIZED', replacedBy: null });
  isHeard = true;
  await issuing;
  spy.mockRestore();
  await expectTaxedBy(saleId, id);
});

test('a document whose replacement died before it was fixed keeps its sale', async () => {
  const { saleId } = await soldSale(store);
  let isDead = false;
  const spy = watched(({ type, prepared }) => {
    if (type !== 'prepare' || prepared?.replaces == null) return;
    isDead = true;
    throw new Error('the process is gone');
  });
  standIn.faultAt = (service) => (service === 'authorization' ? 'break-after' : 'break-before');
  const issuing = issue(saleId);
  await until('its replacement died', () => isDead);
  await issuing;
  spy.mockRestore();
  standIn.faultAt = () => undefined;
  const { id } = await firstOf(saleId);
  later += LEASE;
  await until('it is authorized', async () => (await firstOf(saleId)).status === 'AUTHORIZED');
  await until('its sale is its own', async () => {
    later += STEP;
    const { body } = await store.call('POST', `/sales/${saleId}/cancel`, { reason: 'Desistiu' });
    return (body as { readonly code?: string }).code !== 'DOCUMENT_LIVE';
  });
  await expectTaxedBy(saleId, id);
});
