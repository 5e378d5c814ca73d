import { expect, test } from '@jest/globals';
import { ChangeStamps } from '../../src/adapters/embedded/reading/changes.js';
import { KeptAnswers } from '../../src/adapters/embedded/reading/kept-answers.js';

test('answers count for what they take once they are there, and make room for each other', async () => {
  const answers = new KeptAnswers(10_000, new ChangeStamps());
  const keep = (key: string) =>
    answers.getOrMake({}, 'aurora', key, ({ takes }) => {
      takes(4_000);
      return Promise.resolve(key);
    });
  for (const key of ['first', 'second', 'third']) await keep(key);
  expect([answers.entriesHeld, answers.bytes]).toEqual([2, 9_000]);
});

test('who waits for what another is making of subjects makes it, where that fails', async () => {
  const answers = new KeptAnswers(10_000, new ChangeStamps());
  let fail = (): void => undefined;
  const failing = new Promise<never>((_, reject) => {
    fail = () => {
      reject(new Error('away'));
    };
  });
  const ask = (made: Promise<string>) => answers.getOrMake({ about: [] }, 'aurora', 'recall', () => made);
  const first = ask(failing);
  const second = ask(Promise.resolve('there'));
  fail();
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe('there');
});
