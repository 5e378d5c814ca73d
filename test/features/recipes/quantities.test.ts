import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Facts } from '../../../src/features/recipes/domain/facts.js';
import type { GivenFormula } from '../../../src/features/recipes/domain/formula.js';
import { withQuantities } from '../../../src/features/recipes/domain/quantities.js';
import { DENSITY_REQUIRED, FORMULA_INVALID } from '../../../src/features/recipes/rejections.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { Rejection } from '../../../src/kernel/events/rejection.js';
import { dec, factsOf, given, input, variant } from '../../support/recipes.js';

/** The quantities of a batch by component, as text. */
const quantitiesOf = (formula: GivenFormula, facts: Facts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    withQuantities(formula, facts).items.map((item) => [item.componentVariantId, item.quantity.toString()]),
  );

function refusalOf(formula: GivenFormula, facts: Facts) {
  try {
    withQuantities(formula, facts);
  } catch (error) {
    if (error instanceof Rejection)
      return [error.kind, (error.extra.errors as { path: string }[]).map(({ path }) => path)];
    throw error;
  }
  throw new Error('the formula was accepted');
}

const percent = (changes: Partial<GivenFormula>): GivenFormula => given({ formulaMode: 'PERCENT', ...changes });

describe('100 kg of bread dough by percent of mass', () => {
  const facts = factsOf(
    variant('massa', 'KG'),
    variant('farinha de trigo', 'KG'),
    variant('água', 'L'),
    variant('sal', 'G'),
    variant('fermento fresco', 'UN', { netWeightKg: 0.5 }),
    variant('óleo de soja', 'UN', { unitVolumeLiters: 0.9 }),
    variant('saco de 25 kg', 'UN'),
  );
  const dough = percent({
    finishedVariantId: 'massa',
    yieldQty: dec(100),
    items: [
      input('farinha de trigo', { percent: 60 }), //     60 kg
      input('água', { percent: 35, densityKgPerL: 1 }), // 35 kg, a litre weighs 1 kg
      input('sal', { percent: '1.2' }), //              1.2 kg = 1,200 g
      input('fermento fresco', { percent: 2 }), //        2 kg = 4 blocks of 500 g
      input('óleo de soja', { percent: '1.8', densityKgPerL: '0.92' }), // 1.8 kg ÷ 0.92 kg/L ÷ 0.9 L a bottle
      input('saco de 25 kg', { quantity: 4 }, 'PACKAGING'),
    ],
  });

  test('gives each input in its own unit', () => {
    expect(quantitiesOf(dough, facts)).toEqual({
      'farinha de trigo': '60',
      água: '35',
      sal: '1200',
      'fermento fresco': '4',
      'óleo de soja': '2.173913',
      'saco de 25 kg': '4',
    });
  });

  test('is the same dough in grams, and twice of everything for twice of it', () => {
    const inGrams = new Map([...facts, ['massa', variant('massa', 'G')] as const]);
    expect(quantitiesOf({ ...dough, yieldQty: dec(100_000) }, inGrams)).toEqual(quantitiesOf(dough, facts));
    expect(quantitiesOf({ ...dough, yieldQty: dec(200) }, facts)).toMatchObject({ sal: '2400', 'saco de 25 kg': '4' });
  });

  test('counts loaves by their weight: 2,000 of 50 g are 100 kg', () => {
    const loaves = new Map([...facts, ['massa', variant('massa', 'UN', { netWeightKg: 0.05 })] as const]);
    expect(quantitiesOf({ ...dough, yieldQty: dec(2_000) }, loaves)).toEqual(quantitiesOf(dough, facts));
  });

  test('may be off a whole by a hundredth', () => {
    const flour = (share: string) => ({
      ...dough,
      items: dough.items.with(0, input('farinha de trigo', { percent: share })),
    });
    expect(quantitiesOf(flour('60.01'), facts)).toMatchObject({ 'farinha de trigo': '60.01' });
    expect(quantitiesOf(flour('59.99'), facts)).toMatchObject({ 'farinha de trigo': '59.99' });
    for (const share of ['60.0101', '59.9899'])
      expect(refusalOf(flour(share), facts)).toEqual([FORMULA_INVALID, ['items']]);
  });
});

describe('200 L of cleaner by percent of volume, with four densities', () => {
  // Batch: 200 L, whatever it weighs.
  const facts = factsOf(
    variant('limpador', 'L'),
    variant('água', 'L'),
    variant('álcool 96', 'KG'),
    variant('tensoativo', 'KG'),
    variant('glicerina', 'G'),
    variant('perfume', 'ML'),
  );
  const cleaner = percent({
    finishedVariantId: 'limpador',
    yieldQty: dec(200),
    densityKgPerL: dec('0.98'),
    percentBasis: 'VOLUME',
    items: [
      input('água', { percent: 80, densityKgPerL: 1 }), //          160 L
      input('álcool 96', { percent: 12, densityKgPerL: '0.807' }), // 24 L × 0.807 = 19.368 kg
      input('tensoativo', { percent: 6, densityKgPerL: '1.05' }), //  12 L × 1.05 = 12.6 kg
      input('glicerina', { percent: '1.5', densityKgPerL: '1.261' }), // 3 L × 1.261 = 3.783 kg = 3,783 g
      input('perfume', { percent: '0.5' }), //                         1 L = 1,000 mL
    ],
  });
  const quantities = { água: '160', 'álcool 96': '19.368', tensoativo: '12.6', glicerina: '3783', perfume: '1000' };

  test('gives each input in its own unit', () => {
    expect(quantitiesOf(cleaner, facts)).toEqual(quantities);
  });

  test('is the same batch in kilograms of cleaner: 200 L × 0.98 kg/L', () => {
    const byMass = new Map([...facts, ['limpador', variant('limpador', 'KG')] as const]);
    expect(quantitiesOf({ ...cleaner, yieldQty: dec(196) }, byMass)).toEqual(quantities);
  });

  test('is the same batch in 40 cans of 5 L', () => {
    const cans = new Map([...facts, ['limpador', variant('limpador', 'UN', { unitVolumeLiters: 5 })] as const]);
    expect(quantitiesOf({ ...cleaner, yieldQty: dec(40) }, cans)).toEqual(quantities);
  });

  test('by mass, 196 kg of batch need the density where a litre is to be weighed', () => {
    expect(
      quantitiesOf(
        {
          ...cleaner,
          percentBasis: 'MASS',
          items: cleaner.items.with(4, input('perfume', { percent: '0.5', densityKgPerL: '0.98' })),
        },
        facts,
      ),
    ).toEqual({
      água: '156.8', // 196 kg × 80 % ÷ 1
      'álcool 96': '23.52',
      tensoativo: '11.76',
      glicerina: '2940',
      perfume: '1000', // 0.98 kg ÷ 0.98 kg/L
    });
  });

  test('asks for every density that it needs, and for no other', () => {
    const bare = cleaner.items.map((item) => ({ ...item, densityKgPerL: null }));
    expect(refusalOf({ ...cleaner, items: bare }, facts)).toEqual([
      DENSITY_REQUIRED,
      ['items[1].densityKgPerL', 'items[2].densityKgPerL', 'items[3].densityKgPerL'],
    ]);
    expect(refusalOf({ ...cleaner, percentBasis: 'MASS', densityKgPerL: null }, facts)).toEqual([
      DENSITY_REQUIRED,
      ['densityKgPerL'],
    ]);
  });
});

describe('a formula', () => {
  const facts = factsOf(variant('pão', 'UN'), variant('farinha', 'KG'), variant('caixa', 'CX'));

  test('of quantities keeps them, and its percents for later', () => {
    const { items } = withQuantities(given({ items: [input('farinha', { quantity: '0.000001', percent: 7 })] }), facts);
    expect(items).toEqual([input('farinha', { quantity: '0.000001', percent: 7 })]);
  });

  test('says which quantities and percents are missing', () => {
    expect(refusalOf(given({ items: [input('farinha', { percent: 100 })] }), facts)).toEqual([
      FORMULA_INVALID,
      ['items[0].quantity'],
    ]);
    const mixed = [input('farinha', { quantity: 1 }), input('caixa', { percent: 100 }, 'PACKAGING')];
    expect(refusalOf(percent({ items: mixed }), facts)).toEqual([
      FORMULA_INVALID,
      ['items[0].percent', 'items[1].quantity'],
    ]);
  });

  test('of packaging alone has no percents that could be a whole', () => {
    expect(refusalOf(percent({ items: [input('caixa', { quantity: 1 }, 'PACKAGING')] }), facts)).toEqual([
      FORMULA_INVALID,
      ['items'],
    ]);
  });

  test('needs the size of pieces', () => {
    const whole = (name: string) => percent({ items: [input(name, { percent: 100 })] });
    expect(refusalOf(whole('farinha'), facts)).toEqual([FORMULA_INVALID, ['finishedVariantId']]);
    const weighed = new Map([...facts, ['pão', variant('pão', 'UN', { netWeightKg: 1 })] as const]);
    expect(refusalOf(whole('caixa'), weighed)).toEqual([FORMULA_INVALID, ['items[0].componentVariantId']]);
  });

  test('has no input that is less than the smallest quantity', () => {
    const kilograms = factsOf(variant('pão', 'G'), variant('farinha', 'KG'), variant('sal', 'KG'));
    const traces = (share: string, rest: string) =>
      percent({ yieldQty: dec(1), items: [input('farinha', { percent: rest }), input('sal', { percent: share })] });
    expect(quantitiesOf(traces('0.05', '99.95'), kilograms).sal).toBe('0.000001');
    expect(refusalOf(traces('0.04', '99.96'), kilograms)).toEqual([FORMULA_INVALID, ['items[1].percent']]);
  });
});

describe('whatever the shares', () => {
  const shares = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 20 });

  test('the inputs weigh what the batch weighs, but for the rounding of each', () => {
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 10_000_000 }), (weights, yieldUnits) => {
        const percents = Decimal.allocate(
          Decimal.hundred,
          weights.map((weight) => dec(weight)),
          4,
        );
        fc.pre(percents.every(({ isPositive }) => isPositive));
        const names = weights.map((_, index) => `insumo ${String(index)}`);
        const facts = factsOf(variant('pão', 'KG'), ...names.map((name) => variant(name, 'KG')));
        const items = names.map((name, index) => input(name, { percent: percents[index]?.toString() ?? '' }));
        const { items: made } = withQuantities(percent({ yieldQty: dec(yieldUnits), items }), facts);
        const off = Decimal.sum(made.map(({ quantity }) => quantity))
          .minus(dec(yieldUnits))
          .abs();
        expect(off.greaterThan(dec('0.0000005').times(dec(weights.length)))).toBe(false);
      }),
    );
  });
});

test('refuses baker’s percents with the same formula in percents of the whole', () => {
  const facts = factsOf(variant('pão', 'KG'), variant('farinha', 'KG'), variant('água', 'KG'));
  const bakers = percent({ items: [input('farinha', { percent: 100 }), input('água', { percent: 60 })] });
  expect(() => withQuantities(bakers, facts)).toThrow(
    expect.objectContaining({
      extra: expect.objectContaining({
        percentsOfWhole: [
          { componentVariantId: 'farinha', percent: 62.5 },
          { componentVariantId: 'água', percent: 37.5 },
        ],
      }) as object,
    }),
  );
});
