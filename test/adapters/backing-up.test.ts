import { expect, test } from '@jest/globals';
import { isReadWhole } from '../../src/adapters/embedded/backup/backing-up.js';

const NOW = Date.parse('2026-11-29T12:00:00.000Z');
const HOUR = 3_600_000;
const LARGE = 100_001;

test.each([
  ['small', 1_000, NOW - HOUR, true],
  ['large and never read since', LARGE, undefined, true],
  ['large and read an hour ago', LARGE, NOW - HOUR, false],
  ['large and read a day ago', LARGE, NOW - 24 * HOUR, true],
  ['large and read by a clock that was ahead by weeks', LARGE, NOW + 40 * 24 * HOUR, true],
])('whether a backup is read again as a whole that is %s', (_what, size, readAt, isRead) => {
  expect(isReadWhole(size, readAt, NOW)).toBe(isRead);
});
