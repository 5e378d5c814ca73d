import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { PIECE_LENGTH, inPieces, turnToWrite } from '../../../src/kernel/files/pieces.js';

test('of many files one makes a piece before others come', async () => {
  const made: string[] = [];
  const write = async (file: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await turnToWrite();
      made.push(`${file}${String(piece)}`);
    }
  };
  const all = Promise.all([write('a'), write('b'), write('c')]);
  const byTurn: number[] = [];
  for (let turn = 0; turn < 9; turn++) {
    await nextTurn();
    byTurn.push(made.length);
  }
  await all;
  expect(made).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  expect(byTurn.every((count, turn) => count - (byTurn[turn - 1] ?? 0) <= 1)).toBe(true);
});

test('short texts go as pieces, in their order', async () => {
  const texts = Array.from({ length: 3_000 }, (_, index) => `${String(index)}-${'x'.repeat(90)};`);
  async function* given() {
    for (const text of texts) yield await Promise.resolve(text);
  }
  const pieces: string[] = [];
  for await (const piece of inPieces(given())) pieces.push(piece);
  expect(pieces.join('')).toBe(texts.join(''));
  expect(pieces.length).toBeLessThan(7);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(PIECE_LENGTH + 200);
});
