import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../support/people.js';
import { plainProduct } from '../support/route-examples.js';
import type { Answer, StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';

let store: StoreClient;
let visa: string;
let variantId: string;

const world = await openWorld();
afterAll(() => world.close());

interface Account {
  readonly id: string;
}

const call = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  store.call(method, `/card-fees${path}`, body, headers);
const expectOk = async (answering: Promise<Answer>, status = 200): Promise<Answer> => {
  const answer = await answering;
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  return answer;
};
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const bodyOf = async (answering: Promise<Answer>, status = 200): Promise<any> =>
  (await expectOk(answering, status)).body as unknown;
const configuration = () => bodyOf(call('GET', ''));
const addAccount = async (body: object): Promise<string> =>
  ((await expectOk(call('POST', '/accounts', body), 201)).body as Account).id;
const pay = (method: string, amount: number, rest = {}) =>
  store.call('POST', '/sales', {
    items: [{ variantId, quantity: 1, unitPrice: amount }],
    payments: [{ method, amount, ...rest }],
    allowNegativeStock: true,
  });
const paid = (method: string, amount: number, rest = {}) => bodyOf(pay(method, amount, rest), 201);

/** Each group of tests in a store of its own. */
const inFreshStore = () => {
  beforeAll(async () => {
    store = await world.newStore();
    ({ variantId } = await plainProduct(store, 'Pão'));
    const { brands } = await configuration();
    visa = (brands as { id: string; tBand: string }[]).find(({ tBand }) => tBand === '01')?.id ?? '';
  });
};

describe('a new store', () => {
  inFreshStore();
  test('has the brands of the NFC-e table, fees switched on and no machine', async () => {
    const { settings, accounts, brands, autoAdjust } = await configuration();
    expect(settings).toEqual({ enabled: true, maxInstallments: 12 });
    expect(accounts).toEqual([]);
    expect(brands).toHaveLength(28);
    expect(brands[0]).toEqual({ id: visa, name: 'Visa', tBand: '01', active: true });
    expect(autoAdjust).toEqual({ enabled: false, lastMonth: null, lastAt: null, lastNote: null, tiers: [] });
  });
  test('sells with a brand before anything was recorded, with a fee that is not known', async () => {
    const { payments } = await paid('CREDIT', 10, { cardBrandId: visa });
    expect(payments).toMatchObject([{ cardBrandId: visa, feePercent: null, fee: null, feePending: true }]);
  });
  test('keeps the ids of its brands with its first change', async () => {
    await addAccount({ name: 'Azul' });
    expect((await configuration()).brands[0].id).toBe(visa);
  });
});

describe('machines', () => {
  inFreshStore();
  let first: string;
  let second: string;
  test('the first one is for everything', async () => {
    const body = {
      name: 'Azul',
      acquirer: 'Adquirente',
      acquirerTaxId: '11.222.333/0001-81',
      debitFeePercent: 1.39,
      creditFees: [
        { installments: 2, feePercent: 4.2 },
        { installments: 1, feePercent: 3.15 },
      ],
      fixedFee: 0.1,
    };
    const made = await expectOk(call('POST', '/accounts', body), 201);
    expect(made.body).toEqual({
      ...body,
      id: (made.body as Account).id,
      acquirerTaxId: '11222333000181',
      terminalId: null,
      active: true,
      useForPaymentLink: true,
      settlementDaysDebit: 1,
      settlementDaysCredit: 30,
      brandRates: [],
      creditFees: [...body.creditFees].reverse(),
    });
    expect(made.headers.get('etag')).not.toBeNull();
    first = (made.body as Account).id;
  });
  test('exactly one is active, and one is for payment links', async () => {
    second = await addAccount({ name: 'Verde', active: true });
    const flags = async () =>
      ((await configuration()).accounts as { id: string; active: boolean; useForPaymentLink: boolean }[]).map(
        ({ id, active, useForPaymentLink }) => [id, active, useForPaymentLink],
      );
    expect(await flags()).toEqual([
      [first, false, true],
      [second, true, false],
    ]);
    await expectOk(call('POST', `/accounts/${second}/use-for-payment-link`));
    const { body } = await expectOk(call('POST', `/accounts/${first}/activate`));
    expect(body).toMatchObject({ id: first, active: true, useForPaymentLink: false });
    expect(await flags()).toEqual([
      [first, true, false],
      [second, false, true],
    ]);
  });
  test('the active one is not deleted, another is, and payment links go on with the active one', async () => {
    expect(refusal(await call('DELETE', `/accounts/${first}`))).toEqual([409, 'ACCOUNT_IN_USE']);
    await expectOk(call('DELETE', `/accounts/${second}`), 204);
    expect((await configuration()).accounts).toMatchObject([{ id: first, active: true, useForPaymentLink: true }]);
  });
  test('change with their entity tag', async () => {
    const changed = await expectOk(call('PATCH', `/accounts/${first}`, { terminalId: 'PDV 1', debitFeePercent: null }));
    expect(changed.body).toMatchObject({ terminalId: 'PDV 1', debitFeePercent: null, acquirer: 'Adquirente' });
    const found = await expectOk(call('GET', `/accounts/${first}`));
    expect([found.text, found.headers.get('etag')]).toEqual([changed.text, changed.headers.get('etag')]);
    const tag = { 'if-match': found.headers.get('etag') ?? '' };
    await expectOk(call('PATCH', `/accounts/${first}`, { acquirer: '' }, tag));
    expect((await call('PATCH', `/accounts/${first}`, { acquirer: 'x' }, tag)).status).toBe(412);
    const rates = { cardBrandId: visa, rates: [] };
    expect((await call('PUT', `/accounts/${first}/brand-rates`, rates, tag)).status).toBe(412);
  });
  test.each([
    ['a name that is taken', { name: 'AZUL' }, 409, 'NAME_TAKEN'],
    ['a wrong tax number', { name: 'x', acquirerTaxId: '11222333000182' }, 400, 'INVALID_INPUT'],
    ['a negative rate', { name: 'x', debitFeePercent: -1 }, 400, 'INVALID_INPUT'],
    ['more than all', { name: 'x', debitFeePercent: 100.0001 }, 400, 'INVALID_INPUT'],
    ['five decimals', { name: 'x', debitFeePercent: 1.00001 }, 400, 'INVALID_INPUT'],
    ['13 instalments', { name: 'x', creditFees: [{ installments: 13, feePercent: 1 }] }, 400, 'INVALID_INPUT'],
    ['an unknown brand', { name: 'x', brandRates: [{ cardBrandId: randomUUID(), rates: [] }] }, 404, 'NOT_FOUND'],
  ])('are refused with %s', async (_, body, ...expected) => {
    expect(refusal(await call('POST', '/accounts', body))).toEqual(expected);
  });
  test('of which nobody knows are not found', async () => {
    const id = randomUUID();
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', {}],
      ['DELETE', ''],
      ['POST', '/activate'],
      ['POST', '/use-for-payment-link'],
      ['PUT', '/brand-rates', { cardBrandId: visa, rates: [] }],
    ] as const) {
      expect([method, (await call(method, `/accounts/${id}${path}`, body)).status]).toEqual([method, 404]);
    }
    expect((await call('PUT', '', { accounts: [{ id, fixedFee: 1 }] })).body).toMatchObject({
      errors: [{ path: 'accounts[0].id' }],
    });
  });
});

describe('brands', () => {
  inFreshStore();
  const brandOf = async (id: string) =>
    ((await configuration()).brands as { id: string }[]).find((brand) => brand.id === id);
  test('are added, changed and deleted', async () => {
    const { brands } = (await expectOk(call('POST', '/brands', { name: 'Da casa', tBand: '55' }), 201)).body;
    const { id } = (brands as { id: string; name: string }[]).find(({ name }) => name === 'Da casa') ?? { id: '' };
    await expectOk(call('PATCH', `/brands/${id}`, { tBand: null, name: 'Casa' }));
    expect(await brandOf(id)).toEqual({ id, name: 'Casa', tBand: null, active: true });
    await expectOk(call('DELETE', `/brands/${id}`));
    expect(await brandOf(id)).toBeUndefined();
    expect((await call('DELETE', `/brands/${id}`)).status).toBe(404);
  });
  test.each([
    ['VISA', undefined, 409, 'NAME_TAKEN'],
    ['Nova', '1', 409, 'TBAND_TAKEN'],
    ['Nova', '123', 400, 'INVALID_INPUT'],
    ['x'.repeat(61), undefined, 400, 'INVALID_INPUT'],
  ])('%s with code %s are refused', async (name, tBand, ...expected) => {
    expect(refusal(await call('POST', '/brands', { name, tBand }))).toEqual(expected);
  });
  test('that are in sales are only deactivated, and then refused in new ones', async () => {
    await paid('DEBIT', 5, { cardBrandId: visa });
    await expectOk(call('DELETE', `/brands/${visa}`));
    expect(await brandOf(visa)).toMatchObject({ active: false });
    const refused = await pay('DEBIT', 5, { cardBrandId: visa });
    expect(refusal(refused)).toEqual([400, 'CARD_BRAND_INACTIVE']);
    expect(refused.body.errors).toMatchObject([{ path: 'payments[0].cardBrandId' }]);
  });
  test('of which nobody knows are refused in sales with their path', async () => {
    const refused = await pay('DEBIT', 5, { cardBrandId: randomUUID() });
    expect([refused.status, refused.body.errors]).toMatchObject([404, [{ path: 'payments[0].cardBrandId' }]]);
  });
});

describe('fees of sales', () => {
  inFreshStore();
  let account: string;
  const feeOf = async (method: string, amount: number, rest = {}) => {
    const { payments, id } = await paid(method, amount, rest);
    const read = (await store.call('GET', `/sales/${String(id)}`)).body;
    expect(read.payments).toEqual(payments);
    const [{ fee, feePercent, feePending }] = payments as [
      { fee: number | null; feePercent: number | null; feePending: boolean },
    ];
    return [feePercent, fee, feePending];
  };
  beforeAll(async () => {
    account = await addAccount({
      name: 'Azul',
      debitFeePercent: 1.5,
      creditFees: [{ installments: 1, feePercent: 3 }],
      fixedFee: 0.1,
    });
    const rates = [
      { cardType: 'credit', installments: 2, feePercent: 4.25 },
      { cardType: 'debit', installments: 1, feePercent: null },
    ];
    await expectOk(call('PUT', `/accounts/${account}/brand-rates`, { cardBrandId: visa, rates }));
  });
  test("take the brand's own rate, else the general one, in cents, half up", async () => {
    expect(await feeOf('DEBIT', 10.33)).toEqual([1.5, 0.25, false]);
    expect(await feeOf('CREDIT', 100)).toEqual([3, 3.1, false]);
    expect(await feeOf('CREDIT', 10.2, { cardBrandId: visa, installments: 2 })).toEqual([4.25, 0.53, false]);
    expect(await feeOf('DEBIT', 0.01, { cardBrandId: visa })).toEqual([1.5, 0.1, false]);
  });
  test('are pending without a rate, and the sale is made', async () => {
    expect(await feeOf('CREDIT', 100, { installments: 2 })).toEqual([null, null, true]);
  });
  test('are nothing for what is no card', async () => {
    expect(await feeOf('PIX', 100)).toEqual([null, 0, false]);
  });
  test('name the machine and its fixed part', async () => {
    const { payments } = await paid('DEBIT', 20);
    expect(payments[0]).toMatchObject({ accountId: account, accountName: 'Azul', fixedFee: 0.1 });
  });
  test('are 0 while they are switched off', async () => {
    await expectOk(call('PUT', '', { settings: { enabled: false, maxInstallments: 3 } }));
    expect(await feeOf('CREDIT', 100, { installments: 3 })).toEqual([0, 0, false]);
    const refused = await pay('CREDIT', 100, { installments: 4 });
    expect(refusal(refused)).toEqual([400, 'TOO_MANY_INSTALLMENTS']);
    expect(refused.body.errors).toMatchObject([{ path: 'payments[0].installments' }]);
    await expectOk(call('PUT', '', { settings: { enabled: true, maxInstallments: 12 } }));
  });
  test.each([
    ['twice', [rate('credit', 2, 1), rate('credit', 2, 2)]],
    ['for debit in instalments', [rate('debit', 2, 1)]],
    ['of no type', [rate('PIX', 1, 1)]],
  ])('rates %s are refused', async (_, rates) => {
    const answer = await call('PUT', `/accounts/${account}/brand-rates`, { cardBrandId: visa, rates });
    expect(refusal(answer)).toEqual([400, 'INVALID_INPUT']);
  });
  test('payments keep what was handed over and how they are named', async () => {
    const { payments } = await paid('CASH', 7.5, { tendered: 10 });
    expect(payments[0]).toMatchObject({ tendered: 10, change: 2.5 });
    const card = await paid('CREDIT', 7.5, { authorizationCode: 'A1' });
    expect(card.payments[0]).toMatchObject({ authorizationCode: 'A1', tendered: null, change: null });
    expect((await paid('PIX', 1, { endToEndId: 'E1' })).payments[0].endToEndId).toBe('E1');
    expect((await paid('OTHER', 1, { description: 'Vale' })).payments[0].description).toBe('Vale');
    for (const [method, rest] of [
      ['CASH', { tendered: 0.99 }],
      ['PIX', { tendered: 1 }],
      ['PIX', { authorizationCode: 'A1' }],
      ['CASH', { endToEndId: 'E1' }],
      ['PIX', { description: 'x' }],
    ] as const) {
      expect(refusal(await pay(method, 1, rest))).toEqual([400, 'INVALID_INPUT']);
    }
  });
});

function rate(cardType: string, installments: number, feePercent: number) {
  return { cardType, installments, feePercent };
}

describe('a month', () => {
  inFreshStore();
  const preview = (month: string) => bodyOf(call('POST', '/recalc-month/preview', { month }));
  const summary = (month: string) => bodyOf(call('GET', `/summary?month=${month}`));
  const soldOn = async (occurredAt: string, amount: number, rest: object) => {
    const body = {
      items: [{ variantId, quantity: 1, unitPrice: amount }],
      payments: [{ method: 'CREDIT', amount, ...rest }],
      occurredAt,
      allowNegativeStock: true,
    };
    return (await expectOk(store.call('POST', '/sales', body), 201)).body as { id: string };
  };
  test('is previewed with the rates of the present machine, in the time zone of the store', async () => {
    await addAccount({ name: 'Azul', creditFees: [{ installments: 1, feePercent: 3 }] });
    await soldOn('2026-03-01T02:59:59Z', 1_000, {});
    await soldOn('2026-03-01', 100, { cardBrandId: visa });
    await soldOn('2026-03-31T23:59:59-03:00', 50, {});
    await soldOn('2026-03-15', 10, { installments: 2 });
    const { id } = await soldOn('2026-03-15', 70, {});
    await expectOk(store.call('POST', `/sales/${id}/cancel`, { reason: 'engano' }));
    const verde = await addAccount({ name: 'Verde', creditFees: [{ installments: 1, feePercent: 2 }], fixedFee: 0.7 });
    await expectOk(call('POST', `/accounts/${verde}/activate`));
    const { asOf, ...figures } = await preview('2026-03');
    expect(asOf).not.toBe('');
    expect(figures).toEqual({
      month: '2026-03',
      dryRun: true,
      activeAccountName: 'Verde',
      totalMatched: 3,
      updated: 2,
      skipped: 0,
      failed: 1,
      grossTotal: 160,
      feeBefore: 4.5,
      feeAfter: 4.4,
    });
  });
  test('is summed up by machine, brand and type of card', async () => {
    const { total, rows } = await summary('2026-03');
    expect(total).toEqual({ payments: 3, gross: 160, fee: 4.5, effectivePercent: 3, pending: 1 });
    expect(rows).toMatchObject([
      { accountName: 'Azul', brandName: 'Visa', cardType: 'credit', payments: 1, gross: 100, fee: 3, pending: 0 },
      { accountName: 'Azul', brandName: null, cardType: 'credit', payments: 2, gross: 60, fee: 1.5, pending: 1 },
    ]);
  });
  test('sums up what was sold a moment ago', async () => {
    await soldOn('2026-03-20', 40, {});
    expect((await summary('2026-03')).total).toMatchObject({ payments: 4, gross: 200 });
  });
  test('names a brand that was deleted while it was sold with for the first time', async () => {
    const races = Array.from({ length: 6 }, async (_, index) => {
      const name = `Bandeira ${String(index)}`;
      const { brands } = (await bodyOf(call('POST', '/brands', { name }), 201)) as {
        brands: { id: string; name: string }[];
      };
      const id = brands.find((brand) => brand.name === name)?.id ?? '';
      await Promise.all([
        store.call('POST', '/sales', {
          items: [{ variantId, quantity: 1, unitPrice: 5 }],
          payments: [{ method: 'DEBIT', amount: 5, cardBrandId: id }],
          occurredAt: '2026-04-10',
          allowNegativeStock: true,
        }),
        call('DELETE', `/brands/${id}`),
      ]);
    });
    await Promise.all(races);
    const { rows } = (await summary('2026-04')) as { rows: { brandName: string | null }[] };
    expect(rows.filter(({ brandName }) => brandName === null)).toEqual([]);
  });
  test('is refused before it begins, and when it is none', async () => {
    expect(refusal(await call('POST', '/recalc-month/preview', { month: '2999-01' }))).toEqual([
      400,
      'MONTH_NOT_BEGUN',
    ]);
    for (const month of ['2026-13', '2026-1', '03-2026', '']) {
      expect((await call('POST', '/recalc-month/preview', { month })).status).toBe(400);
    }
  });
  test('without card payments is empty', async () => {
    expect(await summary('2020-01')).toMatchObject({
      total: { payments: 0, gross: 0, fee: 0, effectivePercent: null, pending: 0 },
      rows: [],
    });
  });
});
