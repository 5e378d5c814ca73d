import { afterAll, describe, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { asPfx, companyCertificate, testAuthority } from '../support/tax-authority/certificates.js';
import { TAX_ID } from '../support/fiscal/notes.js';
import { FISCAL, soldSale } from '../support/fiscal/store.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** The turn of the year in which IBS and CBS begin to count. */

const LAST_DAY = Date.parse('2026-12-31T15:00:00-03:00');
const FIRST_DAY = Date.parse('2027-01-01T09:00:00-03:00');
const REFORM_FOR_ALL = Date.parse('2027-01-04T09:00:00-03:00');

let shift = 0;
const clock = { now: () => Date.now() + shift };
const turnTo = (moment: number): void => {
  shift = moment - Date.now();
};
const daysUntil = (moment: number): number => (moment - Date.now()) / 86_400_000;
turnTo(LAST_DAY);
const world = await openWorld({ clock });
afterAll(() => world.close());
const validity = { from: daysUntil(LAST_DAY) - 1, to: daysUntil(REFORM_FOR_ALL) + 30 };
const content = asPfx(companyCertificate(testAuthority(), TAX_ID, validity), 'uma senha');

async function store(taxRegime: string, environment = 'PRODUCTION'): Promise<StoreClient> {
  const client = await world.newStore();
  const certificate = { format: 'PFX', content, password: 'uma senha' };
  const fiscal = { ...FISCAL, taxRegime, environment, certificate };
  const set = await client.call('PATCH', '/store', { taxId: TAX_ID, legalName: 'Padaria', fiscal });
  if (set.status !== 200) throw new Error(set.text);
  return client;
}

async function issued(client: StoreClient): Promise<FiscalRecord> {
  const { saleId } = await soldSale(client);
  return (await client.call('POST', '/fiscal/documents', { saleId, model: 65 })).body as FiscalRecord;
}

describe('the regime NORMAL', () => {
  test('issues until the end of 2026, and says afterwards that it needs a newer version', async () => {
    const [client, trial] = [await store('NORMAL'), await store('NORMAL', 'HOMOLOGATION')];
    turnTo(LAST_DAY);
    expect(await issued(client)).toMatchObject({ status: 'AUTHORIZED', environment: 'PRODUCTION' });
    turnTo(FIRST_DAY);
    const late = await issued(client);
    expect(late).toMatchObject({ status: 'FAILED', number: null, failure: { code: 'TAX_YEAR_UNKNOWN', missing: [] } });
    expect(await issued(trial)).toMatchObject({ status: 'AUTHORIZED' });
  });
});

describe('the regimes of small companies', () => {
  test('need rates of their own in their rules as soon as they tell IBS and CBS', async () => {
    const client = await store('SIMPLES');
    turnTo(FIRST_DAY);
    expect(await issued(client)).toMatchObject({ status: 'AUTHORIZED' });
    turnTo(REFORM_FOR_ALL);
    const late = await issued(client);
    const rules = (await client.call('GET', '/fiscal/tax-rules')).body.items as { id: string; name: string }[];
    const bought = rules.find(({ name }) => name === 'Revenda')?.id ?? '';
    expect(late.failure).toMatchObject({ code: 'DATA_MISSING', missing: [`taxRules.${bought}.ibsCbs.rates`] });
    const rates = { ibsState: 0.05, ibsCity: 0.05, cbs: 8.7 };
    const ibsCbs = { cst: '000', classCode: '000001', rates };
    await client.call('PATCH', `/fiscal/tax-rules/${bought}`, { ibsCbs });
    const sent = await client.call('POST', `/fiscal/documents/${late.id}/transmit`);
    expect(sent.body).toMatchObject({ status: 'AUTHORIZED' });
    const { text } = await client.call('GET', `/fiscal/documents/${late.id}/xml`);
    expect(text).toContain('<gCBS><pCBS>8.7000</pCBS><vCBS>1.69</vCBS></gCBS>');
  });
});

test('a rule keeps the code of a benefit and the tax that was kept back before', async () => {
  const client = await store('NORMAL', 'HOMOLOGATION');
  const withheldIcms = { unitBase: 6.5, rate: 18, unitTax: 0.57 };
  const rule = {
    name: 'Bebidas',
    match: { ncmPrefix: '2202' },
    cfopInState: '5405',
    cfopOutOfState: '6404',
    cfopOutOfStateConsumer: '6404',
    icms: { code: '60' },
    pis: { cst: '04' },
    cofins: { cst: '04' },
    benefitCode: 'SEM CBENEF',
    withheldIcms,
  };
  const made = await client.call('POST', '/fiscal/tax-rules', rule);
  expect(made).toMatchObject({
    status: 201,
    body: { benefitCode: 'SEM CBENEF', withheldIcms: { ...withheldIcms, unitOwnTax: null } },
  });
  expect(made.body).toMatchObject({ ipi: null, approximateTaxes: null, pis: { cst: '04', unitAmount: null } });
  const id = made.body.id as string;
  const more = {
    ipi: { cst: '53' },
    approximateTaxes: { federal: 13.45, state: 18, source: 'IBPT' },
    pis: { cst: '03', unitAmount: 0.0294 },
  };
  expect((await client.call('PATCH', `/fiscal/tax-rules/${id}`, more)).body).toMatchObject({
    ipi: { cst: '53', legalCode: '999', rate: null },
    approximateTaxes: { federal: 13.45, state: 18, city: 0, source: 'IBPT' },
    pis: { cst: '03', rate: null, unitAmount: 0.0294 },
    cofins: { cst: '04', rate: null, unitAmount: null },
  });
  expect((await client.call('PATCH', `/fiscal/tax-rules/${id}`, { benefitCode: null })).body).toMatchObject({
    benefitCode: null,
    withheldIcms,
  });
  const wrong = await client.call('PATCH', `/fiscal/tax-rules/${id}`, { benefitCode: 'curto' });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'benefitCode' }] } });
});
