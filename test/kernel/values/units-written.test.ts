import { expect, test } from '@jest/globals';
import { goodsWritten, unitWritten } from '../../../src/kernel/values/units-written.js';

test.each([
  ['KG', ' kg'],
  ['G', ' g'],
  ['ML', ' mL'],
  ['L', ' L'],
  ['M2', ' m²'],
  ['CX', ' CX'],
  ['UN', ''],
  ['PC', ''],
  ['', ''],
])('%j comes after a number as %j', (unit, written) => {
  expect(unitWritten(unit)).toBe(written);
});

test('goods are told by what they are counted in, and pieces by themselves', () => {
  expect(`259${goodsWritten('pt', 'G', 'Farinha')}`).toBe('259 g de Farinha');
  expect(`259${goodsWritten('en', 'G', 'Flour')}`).toBe('259 g of Flour');
  expect(`3${goodsWritten('pt', 'UN', 'Pão')}`).toBe('3 × Pão');
});
