import { expect, test } from '@jest/globals';
import { endOfDirectory } from '../../../src/kernel/files/zip.js';
import { filesIn } from '../../support/unzipped.js';

test.each([0, 65_534, 65_535, 65_536, 200_000])('the end of a ZIP of %i files tells how many they are', (count) => {
  expect(filesIn(Buffer.concat([Buffer.alloc(30), endOfDirectory(count, 20, 10)]))).toBe(count);
});
