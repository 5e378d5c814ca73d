import { expect, test } from '@jest/globals';
import { SealedTexts } from '../../../src/kernel/routes/sealed-texts.js';

const secret = Buffer.alloc(32, 7);
const texts = new SealedTexts(secret, 'notes', 200);

test('what one process sealed another of the same installation opens', () => {
  for (const text of ['São Paulo', '["at","asc",null,"0000000000001848"]', '😀'.repeat(20)]) {
    expect(new SealedTexts(secret, 'notes', 200).open(texts.seal(text))).toBe(text);
    expect(texts.seal(text)).toBe(texts.seal(text));
    expect(Buffer.from(texts.seal(text), 'base64url').toString()).not.toContain(text);
  }
});

test('what was sealed for another purpose, elsewhere, or is too long opens nothing', () => {
  const others = [
    new SealedTexts(secret, 'other notes', 200),
    new SealedTexts(Buffer.alloc(32, 8), 'notes', 200),
    new SealedTexts(secret, 'notes', 1_000),
  ];
  expect(others.map((other) => texts.open(other.seal('x'.repeat(200))))).toEqual([undefined, undefined, undefined]);
  expect(others.slice(0, 2).map((other) => texts.open(other.seal('x')))).toEqual([undefined, undefined]);
});
