import { expect, test } from '@jest/globals';
import { consoleModule } from '../support/console-module.js';

interface Lot {
  readonly lotCode: string | null;
}
interface Likeness {
  byLikeness(code: string, lots: readonly Lot[]): readonly Lot[];
}

const { byLikeness } = await consoleModule<Likeness>('screens/recall/likeness.ts');

const CODES = [
  null,
  '261126-318',
  '261126-319',
  '261126-3190',
  'R261012-CAF-002',
  'R261019-CAF-002',
  'I261026-ING-005',
];

test.each([
  ['261126319', '261126-319'],
  ['2611 26/319', '261126-319'],
  ['261126-389', '261126-319'],
  ['i261026 ing oo5', 'I261026-ING-005'],
  ['261019-CAF-002', 'R261019-CAF-002'],
  ['R261O19-CFA-002', 'R261019-CAF-002'],
  ['261126-31', '261126-318'],
])('%s is most like %s', (typed, meant) => {
  const lots = CODES.map((lotCode) => ({ lotCode }));
  expect(byLikeness(typed, lots)[0]?.lotCode).toBe(meant);
});
