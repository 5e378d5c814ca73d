import { describe, expect, test } from '@jest/globals';
import { cnpj, isCnpj } from '../../src/brazil/cnpj.js';

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
  test.each(['112223330001', '12ABC34501DE', '000000000001', 'ZZZZZZZZZZZZ', 'A0B1C2D3E4F5'])(
    'of %s exactly one of the hundred pairs of check digits is right',
    (twelve) => {
      const digit = (signs: string) => {
        const weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2].slice(13 - signs.length);
        const sum = weights.reduce((total, weight, index) => total + weight * (signs.charCodeAt(index) - 48), 0);
        return sum % 11 < 2 ? 0 : 11 - (sum % 11);
      };
      const first = digit(twelve);
      const right = `${twelve}${String(first)}${String(digit(`${twelve}${String(first)}`))}`;
      for (let pair = 0; pair < 100; pair++) {
        const text = `${twelve}${String(pair).padStart(2, '0')}`;
        expect([text, isCnpj(text)]).toEqual([text, text === right]);
      }
    },
  );
  test('is kept without punctuation, in upper case', () => {
    expect(cnpj.parse('11.222.333/0001-81')).toBe('11222333000181');
    expect(cnpj.parse('12.abc.345/01de-35')).toBe('12ABC34501DE35');
  });
});
