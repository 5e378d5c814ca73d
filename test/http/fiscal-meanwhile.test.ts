import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { FISCAL_WORK } from '../../src/features/fiscal/issuing/work-rows.js';
import { AuthorityAway } from '../../src/ports/fiscal-authority.js';
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
/** So long a request waits for the authority. */
const PATIENCE = 1_000;
/** Longer than others leave alone what a process is at. */
const LEASE = 151_000;
/** Whoever asks for a document has begun, or waits, before somebody else has looked so often. */
const LOOKS = 20;
let later = 0;
const clock = { now: () => Date.now() + later };
let standIn: Awaited<ReturnType<typeof startSoapStandIn>>;
let world: World;
let store: StoreClient;
beforeAll(async () => {
  standIn = await startSoapStandIn({ now: clock.now });
  const env = { FISCAL_AUTHORITY: 'sefaz', SEFAZ_ADDRESSES: standIn.addressFile, SEFAZ_CA_FILE: standIn.caFile };
  world = await openWorld({ clock, env, authorityPatience: PATIENCE });
  store = await certifiedStore(world, TAX_ID);
});
afterEach(() => {
  jest.restoreAllMocks();
  standIn.faultAt = () => undefined;
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
const transmit = (id: string) => store.call('POST', `/fiscal/documents/${id}/transmit`);
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
  let isGivenBack = false;
  const spy = watched(async (command) => {
    isGivenBack ||= command.type === 'releaseSale';
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
  // On a busy machine the request is answered before what it began has come to its end.
  await until('its sale is given back', () => isGivenBack);
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
  await until('it is authorized', async () => {
    later += STEP;
    return (await firstOf(saleId)).status === 'AUTHORIZED';
  });
  await until('its sale is its own', async () => {
    later += STEP;
    const { body } = await store.call('POST', `/sales/${saleId}/cancel`, { reason: 'Desistiu' });
    return (body as { readonly code?: string }).code !== 'DOCUMENT_LIVE';
  });
  await expectTaxedBy(saleId, id);
});

/** The first attempt can hand in nothing; before it says so, somebody else asks for the document to be handed in. */
async function expectOneHandsIn(saleId: string, begin: () => { first: Promise<unknown>; begun?: Promise<unknown> }) {
  const { authority } = world.service.features;
  const authorize = authority.authorize.bind(authority);
  const before = standIn.authority.taken.size;
  let tries = 0;
  let isOver = false;
  const isTaken = () => standIn.authority.taken.size > before;
  const isOffline = async () => (await firstOf(saleId)).status === 'CONTINGENCY';
  let isAnswered = false;
  const spy = jest.spyOn(authority, 'authorize').mockImplementation(async (client, signed) => {
    tries += 1;
    if (tries === 1) {
      await until('somebody else has asked', () => isAnswered || isTaken());
      isOver = true;
      throw new AuthorityAway({ pt: 'sem rede', en: 'no network' }, false);
    }
    const answer = await authorize(client, signed);
    if (!isAnswered) await until('the first is offline', isOffline);
    return answer;
  });
  const { first, begun } = begin();
  await until('it is on its way', () => tries === 1);
  await begun;
  const { id } = await firstOf(saleId);
  const asking = transmit(id).then(() => (isAnswered = true));
  await until('the first attempt is over', () => isOver);
  await Promise.all([first, asking]);
  spy.mockRestore();
  const isEnded = async () => {
    later += STEP;
    return (await ofSale(saleId)).every(({ status }) => status !== 'PENDING' && status !== 'CONTINGENCY');
  };
  await until('it came to its end', isEnded);
  expect((await ofSale(saleId)).map(({ status }) => status)).toEqual(['AUTHORIZED']);
  expect(standIn.authority.taken.size - before).toBe(1);
}

test('a document that somebody hands in meanwhile does not go offline under its number', async () => {
  const { saleId } = await soldSale(store);
  await expectOneHandsIn(saleId, () => ({ first: issue(saleId) }));
});

const refused = { kind: 'refused', code: '778', message: 'NCM inexistente', protocol: null } as const;

test('a rejected document that two hand in again at once stays with the one who has signed it', async () => {
  const { saleId } = await soldSale(store);
  const authorizing = jest.spyOn(world.service.features.authority, 'authorize').mockResolvedValueOnce(refused);
  await issue(saleId);
  await until('it is rejected', async () => (await firstOf(saleId)).status === 'REJECTED');
  authorizing.mockRestore();
  const { id } = await firstOf(saleId);
  let holding = 0;
  const spy = watched(async ({ type }) => {
    if (type !== 'holdSale') return;
    holding += 1;
    await until('both are at it', () => holding >= 2);
  });
  await expectOneHandsIn(saleId, () => {
    const both = [transmit(id), transmit(id)];
    return { first: Promise.all(both), begun: Promise.race(both) };
  });
  spy.mockRestore();
});

test('a document that is rejected while another process looks whether it is free is not handed in once more', async () => {
  const { saleId } = await soldSale(store);
  const { authority, vault } = world.service.features;
  const rowOf = (id: string) => vault.get(FISCAL_WORK, `${store.storeId}/${id}`);
  let isLooking = false;
  const authorizing = jest.spyOn(authority, 'authorize').mockImplementationOnce(async () => {
    await until('another process looks', () => isLooking);
    return refused;
  });
  const issuing = issue(saleId);
  await until('it is on its way', () => authorizing.mock.calls.length === 1);
  const { id } = await firstOf(saleId);
  const get: typeof vault.get = async (kind, rowId) => {
    if (kind === FISCAL_WORK) {
      isLooking = true;
      await until('its work is over', async () => (await rowOf(id)) === undefined);
    }
    return vault.get(kind, rowId);
  };
  const itsVault = Object.assign(Object.create(vault) as typeof vault, { get });
  await transmittedElsewhere(world, store.storeId, id, { alone: false, vault: itsVault });
  await issuing;
  await until('it is rejected', async () => (await firstOf(saleId)).status === 'REJECTED');
  expect(authorizing).toHaveBeenCalledTimes(1);
  authorizing.mockRestore();
});

const here = async (_: string, id: string) => {
  await transmit(id);
};
const elsewhere = (storeId: string, id: string) => transmittedElsewhere(world, storeId, id);

test.each([
  ['here', here],
  ['elsewhere', elsewhere],
])('a document that is handed in again, %s, as its rejection is recorded keeps its sale', async (_, handInAgain) => {
  const { saleId } = await soldSale(store);
  const { authority } = world.service.features;
  const authorizing = jest.spyOn(authority, 'authorize').mockResolvedValueOnce(refused);
  let isToBeLetGo = false;
  let isPreparedAgain = false;
  let looks = 0;
  const spy = watched(async ({ type }) => {
    if (type === 'prepare' && isToBeLetGo) isPreparedAgain = true;
    if (type !== 'releaseSale') return;
    isToBeLetGo = true;
    await until('whoever asks for it again is at it, or waits', () => isPreparedAgain || looks > LOOKS);
  });
  const issuing = issue(saleId);
  await until('its sale is to be let go', () => isToBeLetGo);
  const { id } = await firstOf(saleId);
  const again = handInAgain(store.storeId, id);
  for (; looks <= LOOKS; looks++) await firstOf(saleId);
  await Promise.all([issuing, again]);
  spy.mockRestore();
  authorizing.mockRestore();
  await until('it is authorized', async () => (await firstOf(saleId)).status === 'AUTHORIZED');
  await expectTaxedBy(saleId, id);
});
