import { expect, test } from '@jest/globals';
import { PositionTokens } from '../../../src/kernel/routes/position-tokens.js';

const tokens = new PositionTokens(Buffer.alloc(32, 7));
const positions = ['0000000000000001', '0000000000000002', `${'0'.repeat(20)}-${'9'.repeat(20)}`];

test('a token comes back as its position, always the same', () => {
  for (const position of positions) {
    expect(tokens.open(tokens.seal(position))).toBe(position);
    expect(tokens.seal(position)).toBe(tokens.seal(position));
  }
});

test('neighbours have nothing in common, and their order does not show', () => {
  const made = Array.from({ length: 100 }, (_, index) => tokens.seal(String(index).padStart(16, '0')));
  expect(new Set(made.map((token) => token.slice(0, 10))).size).toBe(100);
  expect(made).not.toEqual([...made].sort());
});

test('what was not sealed here is no position', () => {
  const token = tokens.seal('0000000000000001');
  const changed = Array.from(
    token,
    (sign, at) => token.slice(0, at) + (sign === 'A' ? 'B' : 'A') + token.slice(at + 1),
  );
  const foreign = new PositionTokens(Buffer.alloc(32, 8)).seal('0000000000000001');
  for (const wrong of [
    ...changed,
    foreign,
    '',
    '0000000000000001',
    `${token}=`,
    'x'.repeat(10_000),
    token.slice(0, 20),
  ]) {
    expect(tokens.open(wrong)).toBeUndefined();
  }
});
