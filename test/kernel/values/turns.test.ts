import { expect, test } from '@jest/globals';
import { TurnsByKey } from '../../../src/kernel/values/turns.js';

/** Work that ends when it is told to. */
function held() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

test('work of one key is done one after the other, of others beside it', async () => {
  const turns = new TurnsByKey();
  const seen: string[] = [];
  const first = held();
  const all = [
    turns.take('a', () => first.work().then(() => seen.push('first'))),
    turns.take('a', () => Promise.resolve(seen.push('second'))),
  ];
  await turns.take('b', () => Promise.resolve(seen.push('elsewhere')));
  expect([turns.countOf('a'), turns.countOf('b')]).toEqual([2, 0]);
  first.end();
  await Promise.all(all);
  expect(seen).toEqual(['elsewhere', 'first', 'second']);
  expect(turns.countOf('a')).toBe(0);
});

test('what fails holds nobody up, and tells its own asker alone', async () => {
  const turns = new TurnsByKey();
  const failing = turns.take('a', () => Promise.reject(new Error('broken')));
  const next = turns.take('a', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('who has no more patience goes on out of turn', async () => {
  const turns = new TurnsByKey();
  const first = held();
  const slow = turns.take('a', first.work);
  expect(await turns.take('a', () => Promise.resolve('done'), 1)).toBe('done');
  first.end();
  await slow;
  expect(turns.countOf('a')).toBe(0);
});
