import { expect, test } from '@jest/globals';
import { lastingNames, namedAt } from '../../../src/features/audit/records/names-through-time.js';

const named = (from: string, name: string | undefined) => ({ from, name, parts: {} });

test('a name counts from its moment on, the first one also before, and the last one stays', () => {
  const names = lastingNames([named('2', 'A'), named('3', 'A'), named('4', 'B'), named('6', undefined)]);
  expect(names).toHaveLength(2);
  expect(['1', '2', '3', '4', '5', '7'].map((at) => namedAt(names, at)?.name)).toEqual(['A', 'A', 'A', 'B', 'B', 'B']);
  expect(namedAt([], '1')).toBeUndefined();
});
