import { describe, expect, test } from '@jest/globals';
import { cnpj, isCnpj } from '../../src/kernel/cnpj.js';

describe('a CNPJ', () => {
  test.each(['11222333000181', '00000000000191', '12ABC34501DE35'])('%s has right check digits', (text) => {
    expect(isCnpj(text)).toBe(true);
  });
  test.each([
    '11222333000182',
    '11222333000191',
    '12ABC34501DE36',
    '11111111111111',
    '1122233300018',
    '12ABC34501DEX5',
  ])('%s is none', (text) => {
    expect(isCnpj(text)).toBe(false);
  });
  test('is kept without punctuation, in upper case', () => {
    expect(cnpj.parse('11.222.333/0001-81')).toBe('11222333000181');
    expect(cnpj.parse('12.abc.345/01de-35')).toBe('12ABC34501DE35');
  });
});
