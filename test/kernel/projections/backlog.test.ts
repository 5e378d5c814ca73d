import { expect, test } from '@jest/globals';
import { Backlog, pauseAt } from '../../../src/kernel/projections/backlog.js';

test('its age is that of the oldest end of the log that has not been reached', () => {
  const backlog = new Backlog();
  expect(backlog.age(0)).toBe(0);
  backlog.look('05', 1_000);
  backlog.look('06', 1_001);
  backlog.look('09', 1_500);
  expect(backlog.age(1_600)).toBe(600);
  backlog.passed('04');
  expect(backlog.age(1_600)).toBe(600);
  backlog.passed('05');
  expect(backlog.age(1_600)).toBe(100);
  backlog.passed('09');
  expect(backlog.age(1_600)).toBe(0);
});

test('half a second is no matter; the longer after that, the longer a command waits, within bounds', () => {
  expect(pauseAt(0)).toBe(0);
  expect(pauseAt(500)).toBe(0);
  const pauses = [600, 1_000, 1_500, 2_000, 3_000, 60_000].map(pauseAt);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauseAt(1_000)).toBe(30);
  expect(pauseAt(60_000)).toBe(500);
});
