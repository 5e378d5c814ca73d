import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldText, wordsOf } from '../../../src/kernel/values/words.js';

const texts = fc.string({ unit: 'binary', maxLength: 20 });

describe('texts that match', () => {
  test.each([
    ['Pão Francês', 'pao frances'],
    ['AÇÚCAR', 'açúcar'],
    ['Caf\u00e9', 'Cafe\u0301'],
    ['İstanbul', 'istanbul'],
    ['ISTANBUL', 'ıstanbul'],
    ['ISTANBUL', 'i\u0307stanbul'],
    ['ﬁlé', 'FILE'],
    ['５００ｇ', '500g'],
    ['  Bolo\t de \n Milho ', 'bolo de milho'],
    ['Bolo\u00a0de\u2003Milho', 'bolo de milho'],
    ['Ｐａ\u0303o', 'pão'],
    ['1º Corte', '1o corte'],
  ])('%j and %j', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  test('whatever the case and the way of writing accents', () => {
    const latin = fc.string({
      unit: fc.constantFrom('a', 'á', 'à', 'â', 'ã', 'ç', 'é', 'ê', 'i', 'í', 'õ', 'ü', 'z', 'ñ', ' ', '-', '9'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(latin, (text) => {
        expect(foldText(text.toUpperCase())).toBe(foldText(text));
        expect(foldText(text.normalize('NFD'))).toBe(foldText(text.normalize('NFC')));
      }),
    );
  });
});

test.each([
  ['pão', 'pau'],
  ['a b', 'ab'],
  ['1', '2'],
  ['maçã', 'maca doce'],
])('%j and %j differ', (one, other) => {
  expect(foldText(one)).not.toBe(foldText(other));
});

test('a folded text folds to itself', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text));
    }),
    { numRuns: 2000 },
  );
});

describe('words', () => {
  test.each([
    ['Pão de queijo, pão de mel', ['pao', 'de', 'queijo', 'mel']],
    ['Coca-Cola 350ml (lata)', ['coca', 'cola', '350ml', 'lata']],
    ["d'água", ['d', 'agua']],
    ['☕ café', ['cafe']],
    ['', []],
    ['--- !!', []],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('are folded, not empty and each there once', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const words = wordsOf(text);
        expect(new Set(words).size).toBe(words.length);
        for (const word of words) expect(wordsOf(word)).toEqual([word]);
      }),
      { numRuns: 2000 },
    );
  });
});
