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
