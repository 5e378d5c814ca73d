import { describe, expect, test } from '@jest/globals';
import { cardFeeBook } from '../../../src/features/card-fees/book.js';
import type { CardFeesCommand } from '../../../src/features/card-fees/decider.js';
import { cardFees } from '../../../src/features/card-fees/decider.js';
import { RateTable } from '../../../src/features/card-fees/domain/rates.js';
import { NO_CARD_FEES, firstConfiguration } from '../../../src/features/card-fees/domain/state.js';
import type { AccountDetails, CardFeeEvent, FeeRate } from '../../../src/features/card-fees/events.js';
import { ACCOUNT_IN_USE, CARD_FEES_LIMIT, TBAND_TAKEN } from '../../../src/features/card-fees/rejections.js';
import { NAME_TAKEN } from '../../../src/kernel/patterns/named-set.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { given } from '../../support/given.js';
import { throughSnapshot } from '../../support/through-snapshot.js';
import { openUsers } from '../../support/users.js';

const storeId = '01a1fe3e-9906-738c-84d5-8a2d82a00001';
const d = (value: number | string): Decimal => Decimal.from(value);
const [visa, master] = firstConfiguration(storeId).brands;
if (!visa || !master) throw new Error('a new store has too few brands');

const details: AccountDetails = {
  name: 'Rede',
  acquirer: null,
  acquirerTaxId: null,
  terminalId: null,
  fixedFee: d('0.1'),
  settlementDaysDebit: 1,
  settlementDaysCredit: 30,
};
const debit = (percent: string | null): FeeRate => ({
  cardType: 'debit',
  installments: 1,
  feePercent: percent === null ? null : d(percent),
});
const credit = (installments: number, percent: string | null): FeeRate => ({
  cardType: 'credit',
  installments,
  feePercent: percent === null ? null : d(percent),
});
const opened: CardFeeEvent = { type: 'CardFeesOpened', data: firstConfiguration(storeId) };
const added = (accountId: string): CardFeeEvent => ({
  type: 'CardAccountAdded',
  data: { ...details, name: accountId, accountId },
});
const replaced = (cardBrandId: string | null, ...rates: FeeRate[]): CardFeeEvent => ({
  type: 'FeeRatesReplaced',
  data: { accountId: 'a', cardBrandId, rates },
});
const to = { storeId, accountId: 'a', ifMatch: undefined };
const change = (rates: Extract<CardFeesCommand, { type: 'changeAccount' }>['rates']): CardFeesCommand => ({
  ...to,
  type: 'changeAccount',
  changes: {},
  rates,
});

describe('the general rates of a machine', () => {
  const before = given(cardFees, opened, added('a'), replaced(null, debit('1.5'), credit(1, '2'), credit(2, '3')));

  test('stay where a change leaves them out', () => {
    before.when(change({})).thenNothing();
    before.when(change({ debitFeePercent: d(2) })).then(replaced(null, debit('2'), credit(1, '2'), credit(2, '3')));
    before
      .when(change({ creditFees: [{ installments: 1, feePercent: d('2.5') }] }))
      .then(replaced(null, debit('1.5'), credit(1, '2.5')));
  });

  test('go where a change says that there are none', () => {
    before.when(change({ debitFeePercent: null })).then(replaced(null, credit(1, '2'), credit(2, '3')));
    before.when(change({ creditFees: [] })).then(replaced(null, debit('1.5')));
  });

  test('are the same in any order', () => {
    const creditFees = [
      { installments: 2, feePercent: d(3) },
      { installments: 1, feePercent: d(2) },
    ];
    before.when(change({ creditFees, debitFeePercent: d('1.50') })).thenNothing();
  });
});

test('the own rates of a brand are replaced as a whole, debit first, and once', () => {
  const rates = [credit(3, '4'), debit('1'), credit(1, null)];
  const command: CardFeesCommand = { ...to, type: 'replaceBrandRates', cardBrandId: visa.id, rates };
  const own = replaced(visa.id, debit('1'), credit(1, null), credit(3, '4'));
  given(cardFees, opened, added('a'), replaced(visa.id, credit(2, '9')))
    .when(command)
    .then(own);
  given(cardFees, opened, added('a'), own).when(command).thenNothing();
});

const addition = {
  type: 'addAccount',
  storeId,
  rates: {},
  brandRates: [],
  activate: false,
  useForPaymentLink: false,
} as const;

test('a machine without rates is added without any, and chosen for what is asked', () => {
  const add = (accountId: string): CardFeesCommand => ({
    ...addition,
    accountId,
    details: { ...details, name: accountId },
    activate: true,
    useForPaymentLink: true,
  });
  given(cardFees, opened).when(add('a')).then(added('a'));
  given(cardFees, opened, added('a'))
    .when(add('b'))
    .then(
      added('b'),
      { type: 'CardAccountActivated', data: { accountId: 'b' } },
      { type: 'PaymentLinkAccountChosen', data: { accountId: 'b' } },
    );
  for (const type of ['activateAccount', 'chooseForPaymentLink'] as const) {
    given(cardFees, opened, added('a'))
      .when({ ...to, type })
      .thenNothing();
  }
});

test('there are at most 50 machines and 200 brands', () => {
  const machines = (count: number) => Array.from({ length: count }, (_, index) => added(`m${String(index)}`));
  const add: CardFeesCommand = { ...addition, accountId: 'a', details: { ...details, name: 'a' } };
  given(cardFees, opened, ...machines(49))
    .when(add)
    .then(added('a'));
  given(cardFees, opened, ...machines(50))
    .when(add)
    .thenRefused(CARD_FEES_LIMIT);
  const brand = (id: string) => ({ id, name: id, tBand: null, active: true });
  const brands = (count: number): readonly CardFeeEvent[] =>
    Array.from({ length: count }, (_, index) => ({ type: 'CardBrandAdded', data: brand(`b${String(index)}`) }));
  const first = firstConfiguration(storeId).brands.length;
  const addBrand: CardFeesCommand = { type: 'addBrand', storeId, brand: brand('b') };
  given(cardFees, opened, ...brands(199 - first))
    .when(addBrand)
    .then({ type: 'CardBrandAdded', data: brand('b') });
  given(cardFees, opened, ...brands(200 - first))
    .when(addBrand)
    .thenRefused(CARD_FEES_LIMIT);
});

test('a machine is deleted unless it is active or a tier names it', () => {
  const tiers = [{ minGross: d(0), accountId: 'b' }];
  const configured: CardFeeEvent = { type: 'AutoAdjustConfigured', data: { enabled: true, tiers } };
  const before = given(cardFees, opened, added('a'), added('b'), added('c'), configured);
  const remove = (accountId: string): CardFeesCommand => ({ ...to, type: 'deleteAccount', accountId });
  for (const used of ['a', 'b']) before.when(remove(used)).thenRefused(ACCOUNT_IN_USE);
  before.when(remove('c')).then({ type: 'CardAccountDeleted', data: { accountId: 'c' } });
});

test('what was paid with a machine that is deleted since still names who acquired it', async () => {
  const context = openUsers().context(storeId);
  const command = (one: CardFeesCommand) => context.execute(cardFees, one);
  const add = (accountId: string, acquirerTaxId: string, terminalId: string) => {
    const own = { ...details, name: accountId, acquirerTaxId, terminalId };
    const plain = { rates: {}, brandRates: [], activate: false, useForPaymentLink: false };
    return command({ type: 'addAccount', storeId, accountId, details: own, ...plain });
  };
  await add('a', '01027058000191', 'T-1');
  await add('b', '16501555000157', 'T-2');
  await command({ ...to, type: 'activateAccount', accountId: 'b' });
  await command({ ...to, type: 'deleteAccount' });
  const paid = { cardBrandId: null, accountId: 'a' };
  const named = { acquirerTaxId: '01027058000191', terminalId: 'T-1' };
  expect(await cardFeeBook.partiesOf(context, paid)).toMatchObject(named);
  const state = await context.current(cardFees);
  expect(throughSnapshot(cardFees, state)).toEqual(state);
});

test('a brand that is in sales is only deactivated, and once', () => {
  const remove = (used: boolean): CardFeesCommand => ({
    type: 'removeBrand',
    storeId,
    brandId: visa.id,
    ifMatch: undefined,
    used,
  });
  const inactive: CardFeeEvent = { type: 'CardBrandChanged', data: { ...visa, active: false } };
  given(cardFees, opened)
    .when(remove(false))
    .then({ type: 'CardBrandDeleted', data: { id: visa.id } });
  given(cardFees, opened).when(remove(true)).then(inactive);
  given(cardFees, opened, inactive).when(remove(true)).thenNothing();
});

test('a brand keeps its name and code to itself', () => {
  const before = given(cardFees, opened);
  const changed = (changes: Extract<CardFeesCommand, { type: 'changeBrand' }>['changes']): CardFeesCommand => ({
    type: 'changeBrand',
    storeId,
    brandId: visa.id,
    ifMatch: undefined,
    changes,
  });
  before.when(changed({ active: false })).then({ type: 'CardBrandChanged', data: { ...visa, active: false } });
  before.when(changed({ name: master.name.toLowerCase() })).thenRefused(NAME_TAKEN);
  before.when(changed({ tBand: master.tBand })).thenRefused(TBAND_TAKEN);
});

test('the rate of a payment is its brand’s own, else the machine’s, else none; nothing while fees are off', () => {
  const { settings } = NO_CARD_FEES;
  const rates = [
    { ...credit(1, '2'), cardBrandId: null },
    { ...credit(1, '3'), cardBrandId: 'visa' },
    { ...credit(2, '4'), cardBrandId: null },
    { ...credit(2, null), cardBrandId: 'visa' },
  ];
  const account = { id: 'a', name: 'Rede', fixedFee: d('0.1'), rates };
  const rateOf = (cardBrandId: string | null, installments: number, terms = { ...settings, account }) => {
    const rate = new RateTable(terms).rateOf({ cardBrandId, cardType: 'credit', installments });
    return rate && [rate.source, ...[rate.feePercent, rate.fixedFee].map(String)];
  };
  expect(rateOf('visa', 1)).toEqual(['BRAND', '3', '0.1']);
  expect(rateOf('visa', 2)).toEqual(['GENERAL', '4', '0.1']);
  expect(rateOf('elo', 1)).toEqual(['GENERAL', '2', '0.1']);
  expect(rateOf(null, 1)).toEqual(['GENERAL', '2', '0.1']);
  expect(rateOf('visa', 3)).toBeUndefined();
  expect(rateOf('visa', 3, { ...settings, enabled: false, account })).toEqual(['OFF', '0', '0']);
});
