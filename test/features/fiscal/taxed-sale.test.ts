import { describe, expect, test } from '@jest/globals';
import type { KitPart, TaxedLine, TaxedLot, TaxedPayment } from '../../../src/features/contracts/sales-to-tax.js';
import { paidOf } from '../../../src/features/fiscal/domain/taxed-payments.js';
import type { GoodsFacts } from '../../../src/features/fiscal/domain/taxed-sale.js';
import { soldItems } from '../../../src/features/fiscal/domain/taxed-sale.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { goodsOf, paymentOf } from '../../support/fiscal/notes.js';

const d = (text: string): Decimal => Decimal.from(text);

describe('what was paid', () => {
  const paid = (total: string, ...payments: readonly TaxedPayment[]) => {
    const told = paidOf(payments, d(total), ({ cardBrandId }) => ({ brandCode: cardBrandId, acquirerTaxId: '7' }));
    return { payments: told.payments.map((one) => ({ ...one, amount: one.amount.toString() })), change: told.change };
  };
  const told = (code: string, amount: string, changes: object = {}) => ({
    code,
    amount,
    description: null,
    later: false,
    card: null,
    ...changes,
  });

  test.each([
    ['cash', paymentOf('CASH', d('9')), told('01', '9')],
    [
      'a credit card',
      paymentOf('CREDIT', d('9'), { installments: 1, cardBrandId: '02', authorizationCode: 'A1' }),
      told('03', '9', { card: { brand: '02', authorization: 'A1', acquirerTaxId: '7' } }),
    ],
    [
      'a credit card by instalments, of a brand without a code',
      paymentOf('CREDIT', d('9'), { installments: 2 }),
      told('03', '9', { later: true, card: { brand: '99', authorization: null, acquirerTaxId: '7' } }),
    ],
    [
      'a debit card',
      paymentOf('DEBIT', d('9'), { installments: 1 }),
      told('04', '9', { card: { brand: '99', authorization: null, acquirerTaxId: '7' } }),
    ],
    ['PIX that nobody can look up', paymentOf('PIX', d('9')), told('20', '9')],
    [
      'PIX with its identifier',
      paymentOf('PIX', d('9'), { endToEndId: 'E1' }),
      told('17', '9', { card: { brand: null, authorization: 'E1', acquirerTaxId: null } }),
    ],
    ['something else', paymentOf('OTHER', d('9'), { description: 'Vale' }), told('99', '9', { description: 'Vale' })],
  ])('by %s is told by its code', (_, payment, expected) => {
    expect(paid('9', payment).payments).toEqual([expected]);
  });

  test('is less by what came back, from the last payment backwards, and without the change of one that is less', () => {
    const cash = paymentOf('CASH', d('10'), { tendered: d('20') });
    const [pix, other] = [paymentOf('PIX', d('5')), paymentOf('OTHER', d('5'))];
    expect(paid('20', cash, pix, other)).toEqual({
      payments: [told('01', '20'), told('20', '5'), told('99', '5')],
      change: d('10'),
    });
    expect(paid('12', cash, pix, other)).toEqual({ payments: [told('01', '20'), told('20', '2')], change: d('10') });
    expect(paid('8', cash, pix, other)).toEqual({ payments: [told('01', '8')], change: Decimal.zero });
  });

  test('is nothing in cash where nothing was paid', () => {
    expect(paid('0')).toEqual({ payments: [told('01', '0')], change: Decimal.zero });
  });
});

describe('a kit', () => {
  const line = (changes: Partial<TaxedLine> = {}): TaxedLine => ({
    variantId: 'basket',
    description: 'Cesta de Natal',
    unit: 'CX',
    unitPrice: d('10'),
    quantity: Decimal.one,
    total: d('10'),
    lots: [],
    ...changes,
  });
  type Kits = Readonly<Record<string, readonly KitPart[]>>;
  const sold = (lines: readonly TaxedLine[], kits: Kits, ...goods: readonly GoodsFacts[]) =>
    soldItems(lines, new Map(goods.map((one) => [one.variantId, one])), new Map(Object.entries(kits)));
  const shares = (kits: Kits, ...goods: readonly GoodsFacts[]) =>
    sold([line()], kits, ...goods).map((one) => [one.goods.variantId, String(one.quantity), String(one.total)]);
  const part = (variantId: string, quantity: string, price: string): KitPart => ({
    variantId,
    quantity: d(quantity),
    priceCash: d(price),
  });

  const basket = goodsOf('basket', { ncm: null });
  const pair = goodsOf('pair', { ncm: null });
  const roll = goodsOf('roll');
  const jam = goodsOf('jam');
  const twoAndOne = { basket: [part('roll', '2', '1'), part('jam', '1', '4')] };
  const ofThree = { pair: [part('roll', '3', '1')] };
  const service = { isService: true };

  test('is told by its parts, which share its price by their own ones to the cent', () => {
    const share = [
      ['roll', '2', '3.33'],
      ['jam', '1', '6.67'],
    ];
    expect(shares(twoAndOne, basket, roll, jam)).toEqual(share);
    expect(shares(twoAndOne, { ...basket, ncm: '00000000' }, roll, jam)).toEqual(share);
  });

  test('with a classification, or without parts, is one item as it was sold', () => {
    for (const [kit, kits] of [
      [{ ...basket, ncm: '19059090' }, twoAndOne],
      [basket, { basket: [] }],
      [basket, {}],
    ] as const) {
      const [item, ...others] = sold([line()], kits, kit, roll, jam);
      expect(item).toMatchObject({ goods: { description: 'Cesta de Natal', unit: 'CX' }, total: d('10') });
      expect(others).toEqual([]);
    }
  });

  test('that is a part of another is told by its own parts', () => {
    const kits = { ...ofThree, basket: [part('pair', '2', '1'), part('jam', '1', '4')] };
    const byParts = [
      ['roll', '6', '6'],
      ['jam', '1', '4'],
    ];
    expect(shares(kits, basket, pair, roll, jam)).toEqual(byParts);
    expect(shares(kits, basket, roll, jam)).toEqual(byParts); // the pair was deleted since
    expect(shares(kits, basket, { ...pair, ncm: '19059090' }, roll, jam)).toEqual([
      ['pair', '2', '3.33'],
      ['jam', '1', '6.67'],
    ]);
  });

  test('that holds goods twice, as a part and within a part, has one item of them with all their lots', () => {
    const kits = { ...ofThree, basket: [part('roll', '1', '1'), part('pair', '2', '1'), part('jam', '1', '4')] };
    const lot = { variantId: 'roll', code: 'P-1', quantity: d('7'), madeOn: '2026-11-19', expiresOn: '2026-11-25' };
    const items = sold([line({ lots: [lot] })], kits, basket, pair, roll, jam);
    expect(items.map((one) => [one.goods.variantId, String(one.quantity), one.lots])).toEqual([
      ['roll', '7', [lot]],
      ['jam', '1', []],
    ]);
  });

  test('of parts without prices is shared evenly, and what costs nothing beside others bears nothing', () => {
    expect(shares({ basket: [part('roll', '2', '0'), part('jam', '1', '0')] }, basket, roll, jam)).toEqual([
      ['roll', '2', '5'],
      ['jam', '1', '5'],
    ]);
    expect(shares({ basket: [part('roll', '2', '0'), part('jam', '1', '4')] }, basket, roll, jam)).toEqual([
      ['roll', '2', '0'],
      ['jam', '1', '10'],
    ]);
  });

  test('leaves out services, which stand in no document of goods', () => {
    expect(shares(twoAndOne, basket, roll, { ...jam, ...service })).toEqual([['roll', '2', '10']]);
    expect(shares(twoAndOne, { ...basket, ...service }, roll, jam)).toEqual([]);
    expect(shares(twoAndOne, basket, { ...roll, ...service }, { ...jam, ...service })).toEqual([]);
  });

  test('names with each part the lots of that part', () => {
    const lot = (variantId: string): TaxedLot => ({
      variantId,
      code: `L-${variantId}`,
      quantity: Decimal.one,
      madeOn: '2026-11-19',
      expiresOn: '2026-11-25',
    });
    const lots = [lot('roll'), lot('jam')];
    const told = sold([line({ lots }), line({ variantId: 'jam', lots })], twoAndOne, basket, roll, jam);
    expect(told.map((one) => one.lots.map(({ code }) => code))).toEqual([['L-roll'], ['L-jam'], ['L-jam']]);
  });
});
