import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { fiscalFeature } from '../../src/features/fiscal/feature.js';
import { transmittedElsewhere } from '../support/fiscal/elsewhere.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { FISCAL, soldSale } from '../support/fiscal/store.js';
import { startSoapStandIn } from '../support/tax-authority/servers.js';
import { certifiedStore } from '../support/tax-authority/stores.js';
import { until } from '../support/until.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Rarer answers of an authority, and what an operator says of addresses. */

const CONSUMER = {
  qrCode: 'https://nfce.novo.example.gov.br/qrcode',
  consultation: 'https://nfce.novo.example.gov.br/consulta',
};
const REASON = 'Numero sem uso por desistencia';

const STEP = 10_000;
let later = 0;
const clock = { now: () => Date.now() + later };
let standIn: Awaited<ReturnType<typeof startSoapStandIn>>;
let world: World;
let store: StoreClient;
let folder: string;
beforeAll(async () => {
  standIn = await startSoapStandIn({ now: clock.now });
  folder = await mkdtemp(join(tmpdir(), 'addresses-'));
  const file = join(folder, 'addresses.json');
  const known = JSON.parse(await readFile(standIn.addressFile, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...known, consumers: { SP: { homologation: CONSUMER } } }));
  const env = { FISCAL_AUTHORITY: 'sefaz', SEFAZ_ADDRESSES: file, SEFAZ_CA_FILE: standIn.caFile };
  world = await openWorld({ clock, env });
  store = await certifiedStore(world, TAX_ID);
});
afterEach(() => {
  Object.assign(standIn.authority, {
    documentsRefusedWith: undefined,
    voidsRefusedWith: undefined,
    cancellationsRefusedWith: undefined,
    isWordless: false,
  });
});
afterAll(async () => {
  await world.close();
  expect(standIn.authority.complaints).toEqual([]);
  await standIn.close();
  await rm(folder, { recursive: true, force: true });
});

async function issued(product: object = {}): Promise<FiscalRecord> {
  const { saleId } = await soldSale(store, product);
  return (await store.call('POST', '/fiscal/documents', { saleId, model: 65 })).body as FiscalRecord;
}
const asked = async (id: string, what: string, body?: object): Promise<FiscalRecord> =>
  (await store.call('POST', `/fiscal/documents/${id}/${what}`, body)).body as FiscalRecord;

test('a note leads where the operator says that consumers look', async () => {
  const { id, qrCodeUrl } = await issued();
  expect(qrCodeUrl?.startsWith(`${CONSUMER.qrCode}?p=`)).toBe(true);
  const { text } = await store.call('GET', `/fiscal/documents/${id}/xml`);
  expect(text).toContain(`<urlChave>${CONSUMER.consultation}</urlChave>`);
});

describe('a number', () => {
  test('that was given up elsewhere is left for the next one', async () => {
    standIn.authority.documentsRefusedWith = '206';
    const refused = await issued();
    expect(refused).toMatchObject({ status: 'REJECTED', rejection: { code: '206' }, numberTaken: true });
    standIn.authority.documentsRefusedWith = undefined;
    const sent = await asked(refused.id, 'transmit');
    expect(sent).toMatchObject({ status: 'AUTHORIZED', number: (refused.number ?? 0) + 1 });
  });

  test('that the authority has given up already is given up', async () => {
    const { id } = await issued({ ncm: null });
    standIn.authority.voidsRefusedWith = '256';
    expect(await asked(id, 'void', { reason: REASON })).toMatchObject({ status: 'VOIDED', voided: { protocol: null } });
  });
});

describe('two who give up a number at once', () => {
  const OTHER = 'Nota emitida em duplicidade na mesma venda';
  const askBoth = async (id: string) => {
    const { voidReasons } = standIn.authority;
    const before = voidReasons.length;
    const asking = [REASON, OTHER].map((reason) => store.call('POST', `/fiscal/documents/${id}/void`, { reason }));
    const answers = await Promise.all(asking);
    return { answers, told: voidReasons.slice(before) };
  };

  test('are answered alike, and the authority is told once', async () => {
    const { id } = await issued({ ncm: null });
    const { answers, told } = await askBoth(id);
    expect(told).toHaveLength(1);
    const voided = { reason: told[0], protocol: expect.any(String) };
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { status: 'VOIDED', voided } });
  });

  test('tell the authority the same where they do not know of each other', async () => {
    const { id } = await issued({ ncm: null });
    // As another process has them.
    const routes = fiscalFeature.routes({ ...world.service.features });
    const other = routes.find(({ path }) => path === '/fiscal/documents/{id}/void');
    const { lanes } = world.service.core;
    const execute = lanes.execute.bind(lanes);
    let waiting = 0;
    const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
      if ((command as { readonly type: string }).type === 'requestVoid') {
        waiting += 1;
        await until('both have written their request', () => waiting === 2);
      }
      return execute(type, stream, command, envelope);
    });
    const { voidReasons } = standIn.authority;
    const before = voidReasons.length;
    const context = world.service.features.contextOf(store.storeId);
    const input = { params: { id }, query: {}, body: { reason: OTHER } };
    await Promise.all([asked(id, 'void', { reason: REASON }), other?.handle(input as never, context)]);
    spy.mockRestore();
    const told = voidReasons.slice(before);
    expect(told).toHaveLength(2);
    expect(new Set(told).size).toBe(1);
    const { body } = await store.call('GET', `/fiscal/documents/${id}`);
    const voided = { reason: told[0], protocol: expect.any(String) };
    expect(body).toMatchObject({ status: 'VOIDED', voided });
  });
});

test('a code without words is no answer: nobody is told that the document was refused', async () => {
  standIn.authority.documentsRefusedWith = '599';
  standIn.authority.isWordless = true;
  expect((await issued()).status).not.toBe('REJECTED');
});

test('an authority that finds it too late to cancel is told of the document in its place', async () => {
  standIn.faultAt = (service) => (service === 'authorization' ? 'break-after' : 'break-before');
  const first = await issued();
  expect(first).toMatchObject({ status: 'PENDING', replacedBy: expect.any(String) });
  standIn.authority.cancellationsRefusedWith = '501';
  standIn.faultAt = () => undefined;
  const read = async () => (await store.call('GET', `/fiscal/documents/${first.id}`)).body as FiscalRecord;
  const isCancelled = async () => {
    later += STEP;
    return (await read()).status === 'CANCELLED';
  };
  await until('the first is taken back', isCancelled);
  const { text } = await store.call('GET', `/fiscal/documents/${first.id}/xml?part=cancellation`);
  expect(text).toContain('<tpEvento>110112</tpEvento>');
});

test.each([
  ['', false],
  [', even by the next process where this one ends with it', true],
])('one that was replaced while its answer was on its way is taken back%s', async (_, isLastOfProcess) => {
  const { lanes } = world.service.core;
  const execute = lanes.execute.bind(lanes);
  let isReplaced = false;
  const spy = jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
    const isAnswer = (command as { readonly type: string }).type === 'recordAnswer';
    if (isAnswer) await until('another has given it up', () => isReplaced);
    const executed = await execute(type, stream, command, envelope);
    if (isAnswer && isLastOfProcess) throw new Error('the process is gone');
    return executed;
  });
  const { saleId } = await soldSale(store);
  const issuing = store.call('POST', '/fiscal/documents', { saleId, model: 65 });
  const ofSale = async () => (await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body as FiscalRecord[];
  const isTaken = async () => standIn.authority.taken.has((await ofSale())[0]?.accessKey ?? '');
  await until('the authority has taken it', isTaken);
  const [first] = await ofSale();
  // Somebody asks another process for it once more, and is not heard.
  standIn.faultAt = () => 'break-before';
  const asking = transmittedElsewhere(world, store.storeId, first?.id ?? '');
  await until('it is replaced', async () => (await ofSale()).some(({ replacedBy }) => replacedBy !== null));
  await asking;
  standIn.faultAt = () => undefined;
  isReplaced = true;
  await issuing;
  spy.mockRestore();
  const isOneLeft = async () => {
    later += STEP;
    const ends = (await ofSale()).map(({ status, replacedBy }) => [replacedBy === null, status]);
    return ends.every(([isLast, status]) => status === (isLast ? 'AUTHORIZED' : 'CANCELLED'));
  };
  await until('one of both is left', isOneLeft);
});

test('a store that has moved cancels where its document is', async () => {
  const { id } = await issued();
  const elsewhere = { ...FISCAL.address, state: 'RS', cityCode: '4314902' };
  await store.call('PATCH', '/store', { fiscal: { address: elsewhere } });
  const cancelled = await asked(id, 'cancel', { reason: 'Cliente desistiu da compra' });
  expect(cancelled).toMatchObject({ status: 'CANCELLED', cancellation: { status: 'DONE' } });
  await store.call('PATCH', '/store', { fiscal: { address: FISCAL.address } });
});

test('what was cancelled elsewhere has no event of ours to hand out, and does not break the month', async () => {
  standIn.faultAt = (service) => (service === 'authorization' ? 'break-after' : 'break-before');
  await store.call('PATCH', '/store', { fiscal: { offline65: false } });
  const { id, accessKey } = await issued();
  const taken = standIn.authority.taken.get(accessKey ?? '');
  if (taken) taken.cancelled = '135269999999999';
  standIn.faultAt = () => undefined;
  const isCancelled = async () => {
    later += STEP;
    return (await store.call('GET', `/fiscal/documents/${id}`)).body.status === 'CANCELLED';
  };
  await until('its cancellation is known', isCancelled);
  expect(await store.call('GET', `/fiscal/documents/${id}/xml?part=cancellation`)).toMatchObject({
    status: 404,
    body: { code: 'NO_XML' },
  });
  expect((await store.call('GET', `/fiscal/documents/${id}/xml`)).text).toContain('<nfeProc');
  // A key says in which month of the store its document was issued.
  const month = `20${accessKey?.slice(2, 4) ?? ''}-${accessKey?.slice(4, 6) ?? ''}`;
  const { status, text } = await store.call('GET', `/fiscal/documents/export?month=${month}`);
  expect(status).toBe(200);
  expect(text).toContain(`${accessKey ?? ''}-procNFe.xml`);
  await store.call('PATCH', '/store', { fiscal: { offline65: true } });
});

test('another document under the key stays another one when it is cancelled', async () => {
  standIn.faultAt = (service) => (service === 'authorization' ? 'break-after' : 'break-before');
  await store.call('PATCH', '/store', { fiscal: { offline65: false } });
  const { id, accessKey } = await issued();
  const taken = standIn.authority.taken.get(accessKey ?? '');
  standIn.authority.taken.set(accessKey ?? '', {
    protocol: taken?.protocol ?? '',
    receivedAt: taken?.receivedAt ?? '',
    digest: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    cancelled: '135269999999998',
  });
  standIn.faultAt = () => undefined;
  const read = async () => (await store.call('GET', `/fiscal/documents/${id}`)).body as FiscalRecord;
  await until('it is known', async () => {
    later += STEP;
    return (await read()).status !== 'PENDING';
  });
  expect(await read()).toMatchObject({ status: 'REJECTED', numberTaken: true, protocol: null, cancellation: null });
  await store.call('PATCH', '/store', { fiscal: { offline65: true } });
});
