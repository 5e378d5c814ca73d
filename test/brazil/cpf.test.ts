import { describe, expect, test } from '@jest/globals';
import { cpfOrCnpj, isCpf } from '../../src/brazil/cpf.js';

const withDigits = (nine: string, first: number, second: number) => `${nine}${String(first)}${String(second)}`;

describe('a CPF', () => {
  test.each(['52998224725', '11144477735', '12345678909', '00000000191', '10000000108'])(
    '%s has right check digits',
    (text) => {
      expect(isCpf(text)).toBe(true);
    },
  );

  test.each(['529982247', '123456789', '000000001', '987654321', '100000001'])(
    'of %s exactly one of the hundred pairs of check digits is right',
    (nine) => {
      const nineDigits = Array.from(nine, Number);
      // The rule as the revenue service words it: (sum × 10) mod 11, and 10 counts as 0.
      const digit = (digits: readonly number[]) =>
        ((digits.reduce((sum, one, index) => sum + one * (digits.length + 1 - index), 0) * 10) % 11) % 10;
      const first = digit(nineDigits);
      const second = digit([...nineDigits, first]);
      for (let pair = 0; pair < 100; pair++) {
        const [one, two] = [Math.floor(pair / 10), pair % 10];
        expect([one, two, isCpf(withDigits(nine, one, two))]).toEqual([one, two, one === first && two === second]);
      }
    },
  );

  test('knows every change of a single digit', () => {
    const right = '52998224725';
    for (let place = 0; place < right.length; place++) {
      for (let digit = 0; digit < 10; digit++) {
        const text = `${right.slice(0, place)}${String(digit)}${right.slice(place + 1)}`;
        expect([text, isCpf(text)]).toEqual([text, text === right]);
      }
    }
  });

  test.each(Array.from({ length: 10 }, (_, digit) => String(digit).repeat(11)))('%s is none', (text) => {
    expect(isCpf(text)).toBe(false);
  });

  test.each(['5299822472', '529982247255', '5299822472a', '', ' 52998224725'])('%j is none', (text) => {
    expect(isCpf(text)).toBe(false);
  });
});

describe('a CPF or CNPJ', () => {
  test.each([
    ['529.982.247-25', '52998224725'],
    ['52998224725', '52998224725'],
    ['11.222.333/0001-81', '11222333000181'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ])('%s is kept as %s', (typed, kept) => {
    expect(cpfOrCnpj.parse(typed)).toBe(kept);
  });
  test.each(['529.982.247-26', '11.222.333/0001-82', '12.abc.345/01de-36', '', '1'.repeat(19)])(
    '%j is refused',
    (typed) => {
      expect(cpfOrCnpj.safeParse(typed).success).toBe(false);
    },
  );
});
