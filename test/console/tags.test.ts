import { expect, test } from '@jest/globals';
import { consoleModule } from '../support/console-module.js';

const { strongTag } = await consoleModule<{ strongTag(tag: string | null): string }>('client/tags.ts');

test.each([
  ['"7"', '"7"'],
  ['W/"7"', '"7"'],
  [null, ''],
])('a record that came with the tag %s is changed with %s', (came, sent) => {
  expect(strongTag(came)).toBe(sent);
});
