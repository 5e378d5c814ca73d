import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Wanted } from '../support/tax-authority/certificates.js';
import { asPfx, companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';
import { startSoapStandIn } from '../support/tax-authority/servers.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { FISCAL, soldSale } from '../support/fiscal/store.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** A service that speaks to an authority over the network, and says what keeps a store from issuing. */

const PASSWORD = 'uma senha';
const PROBED_ANEW_AFTER = 181_000;
let later = 0;
const clock = { now: () => Date.now() + later };
let authorityAhead = 0;
let standIn: Awaited<ReturnType<typeof startSoapStandIn>>;
let world: World;
beforeAll(async () => {
  standIn = await startSoapStandIn({ now: () => clock.now() + authorityAhead });
  const env = { FISCAL_AUTHORITY: 'sefaz', SEFAZ_ADDRESSES: standIn.addressFile, SEFAZ_CA_FILE: standIn.caFile };
  world = await openWorld({ clock, env });
});
afterAll(async () => {
  await world.close();
  expect(standIn.authority.complaints).toEqual([]);
  await standIn.close();
});

type Certificate = ReturnType<typeof companyCertificate>;

const made = (changes: Partial<Wanted> = {}, taxId = TAX_ID): Certificate =>
  companyCertificate(testAuthority(), taxId, changes);

let usual: Certificate | undefined;
/** Keys take long. */
const good = (): Certificate => (usual ??= made());

const setting = (certificate: Certificate, password = PASSWORD) => ({
  certificate: { format: 'PFX', content: asPfx(certificate, PASSWORD), password },
});

async function store(fiscal: object): Promise<StoreClient> {
  const client = await world.newStore();
  const set = await client.call('PATCH', '/store', {
    taxId: TAX_ID,
    legalName: 'Padaria',
    fiscal: { ...FISCAL, ...fiscal },
  });
  if (set.status !== 200) throw new Error(set.text);
  return client;
}

const inState = (state: string, cityCode: string) => ({ address: { ...FISCAL.address, state, cityCode } });

async function checksOf(
  client: StoreClient,
  language = 'en',
): Promise<Record<string, { readonly ok: boolean; readonly detail: string }>> {
  const { body } = await client.call('GET', '/fiscal/status', undefined, { 'accept-language': language });
  const checks = (body as { checks: { name: string; ok: boolean; detail: string }[] }).checks;
  return Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest]));
}

test('a certificate that is valid for one day more is not told to be so for days', async () => {
  const client = await store(setting(made({ to: 2 })));
  expect((await checksOf(client, 'pt'))['certificate']?.detail).toMatch(/, vale por mais 1 dia$/);
  expect((await checksOf(client))['certificate']?.detail).toMatch(/, valid for 1 day more$/);
});

test('a store that has all of it is told so, and its documents are authorized', async () => {
  const client = await store(setting(good()));
  const { body } = await client.call('GET', '/fiscal/status');
  expect(body).toMatchObject({ adapter: 'sefaz', environment: 'HOMOLOGATION' });
  const checks = await checksOf(client);
  expect(Object.keys(checks)).toEqual(['certificate', 'chain', 'address', 'service', 'clock', 'registration']);
  expect(Object.values(checks).filter(({ ok }) => !ok)).toEqual([]);
  expect(checks['service']?.detail).toBe('107 Servico em Operacao');
  expect((body as { checks: readonly { detail: string }[] }).checks[0]?.detail).toMatch(/vale por mais \d+ dias$/);
  const { saleId } = await soldSale(client);
  const issued = await client.call('POST', '/fiscal/documents', { saleId, model: 65 });
  expect(issued.body).toMatchObject({ status: 'AUTHORIZED', protocol: expect.stringMatching(/^[0-9]{15}$/) });
  const cancelled = await client.call('POST', `/fiscal/documents/${issued.body.id as string}/cancel`, {
    reason: 'Cliente desistiu da compra',
  });
  expect(cancelled.body).toMatchObject({ status: 'CANCELLED', cancellation: { status: 'DONE' } });
});

test('the same is said on the command line, in words or as JSON', async () => {
  const client = await store(setting(good()));
  const { fiscal } = world.service.core.administration;
  const result = await fiscal.check({ store: client.slug, model: '65' });
  expect(result.checks.every(({ ok }) => ok)).toBe(true);
  const { readable, parseCommand } = await import('../../src/operations/administration-commands.js');
  expect(parseCommand(['fiscal', 'check', '--store', client.slug]).name).toBe('fiscal check');
  const lines = readable['fiscal check']?.(result) ?? '';
  expect(lines.split('\n')).toHaveLength(7);
  expect(lines).toMatch(/^Documentos fiscais por sefaz, homologação$/m);
  expect(lines).toMatch(/^ {2}ok {5}serviço {9}107 Servico em Operacao$/m);
});

test('what was found is looked at anew after a minute, however often somebody asks meanwhile', async () => {
  const client = await store(setting(good()));
  const isClockRight = async () => (await checksOf(client))['clock']?.ok;
  const now = performance.now.bind(performance);
  const began = now();
  let passed = 0;
  // Of the machine's own time no more than seconds: one that stalls does not let the minute run out.
  const time = jest
    .spyOn(performance, 'now')
    .mockImplementation(() => began + passed + Math.min(now() - began, 10_000));
  try {
    expect(await isClockRight()).toBe(true);
    later += PROBED_ANEW_AFTER;
    authorityAhead = 600_000;
    passed += 40_000;
    expect(await isClockRight()).toBe(true);
    passed += 40_000;
    expect(await isClockRight()).toBe(false);
  } finally {
    time.mockRestore();
    authorityAhead = 0;
  }
});

describe('what is wrong is said plainly', () => {
  test.each([
    ['an expired certificate', setting(made({ from: -400, to: -1 })), /expired on/],
    ['one of another company', setting(made({}, '99888777000166')), /belongs to the CNPJ 99888777000166/],
    ['a wrong password', setting(good(), 'outra'), /the password is wrong/],
  ])('%s is refused when it is saved', async (_what, fiscal, words) => {
    const client = await world.newStore();
    const set = await client.call('PATCH', '/store', { taxId: TAX_ID, fiscal: { ...FISCAL, ...fiscal } });
    expect(set).toMatchObject({
      status: 400,
      body: { code: 'CERTIFICATE_INVALID', detail: expect.stringMatching(words) },
    });
  });

  test('in Portuguese for who asks for it', async () => {
    const client = await world.newStore();
    const fiscal = { ...FISCAL, ...setting(good(), 'outra') };
    const body = { taxId: TAX_ID, fiscal };
    const set = await client.call('PATCH', '/store', body, { 'accept-language': 'pt-BR' });
    expect(set.body.errors).toEqual([{ path: 'fiscal.certificate', message: 'a senha está errada' }]);
  });

  test('the certificate that the service made itself is not enough', async () => {
    const { certificate, registration } = await checksOf(await store({}));
    expect(certificate).toMatchObject({ ok: false, detail: expect.stringContaining('ICP-Brasil') });
    expect(registration).toMatchObject({ ok: false, detail: expect.stringContaining('does not take the certificate') });
  });

  test('a chain that lacks its middle', async () => {
    const { key, chain } = good();
    const [own = '', , root = ''] = chain;
    const client = await store(setting({ key, chain: [own, root] }));
    const { chain: said, registration } = await checksOf(client);
    expect(said).toMatchObject({ ok: false, detail: expect.stringMatching(/CN=AC de teste is missing/) });
    expect(registration?.ok).toBe(false);
    const { saleId } = await soldSale(client);
    const issued = await client.call('POST', '/fiscal/documents', { saleId, model: 65 });
    expect(['PENDING', 'CONTINGENCY']).toContain(issued.body.status);
  });

  test('a name without an address, and an address where nobody listens', async () => {
    const own = setting(good());
    const nowhere = await checksOf(await store({ ...own, ...inState('RS', '4314902') }));
    expect(nowhere['address']).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/no-such-host\.invalid has no address/),
    });
    expect(nowhere['service']?.detail).toMatch(/^Not tried/);
    const abroad = await checksOf(await store({ ...own, ...inState('RS', '4314902') }), 'pt-BR');
    expect(abroad['address']?.detail).toMatch(/no-such-host\.invalid não foi encontrado/);
    const client = await store({ ...own, ...inState('MG', '3106200') });
    const closed = await checksOf(client);
    expect(closed['address']).toMatchObject({ ok: false, detail: expect.stringMatching(/ECONNREFUSED/) });
    const told = (await checksOf(client, 'pt-BR'))['address']?.detail;
    expect(told).toMatch(/^Não há conexão com localhost:1: a conexão foi recusada/);
    const { saleId } = await soldSale(client);
    const issued = await client.call('POST', '/fiscal/documents', { saleId, model: 65 });
    expect(issued.body).toMatchObject({ status: 'CONTINGENCY' });
  });

  test('a clock that is ten minutes off', async () => {
    later += PROBED_ANEW_AFTER;
    authorityAhead = 600_000;
    const { clock: said } = await checksOf(await store(setting(good())));
    authorityAhead = 0;
    // Less by what the answer takes on this machine.
    expect(said).toMatchObject({ ok: false, detail: expect.stringMatching(/(5\d\d|600) s behind the authority's/) });
  });

  test('a certificate that has expired since', async () => {
    const client = await store(setting(made({ to: 1 })));
    const { saleId } = await soldSale(client);
    later += 2 * 86_400_000;
    const { certificate, service } = await checksOf(client);
    expect(certificate).toMatchObject({ ok: false, detail: expect.stringMatching(/expired on/) });
    expect(service?.detail).toMatch(/^Not tried/);
    const issued = await client.call('POST', '/fiscal/documents', { saleId, model: 65 });
    expect(issued.body).toMatchObject({
      status: 'FAILED',
      failure: { missing: ['store.fiscal.certificate'] },
      number: null,
    });
  });
});
