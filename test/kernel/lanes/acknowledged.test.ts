import { expect, test } from '@jest/globals';
import { Acknowledged } from '../../../src/kernel/lanes/acknowledged.js';

test('the last write of a store counts at once where this process answers it, and no earlier one after it', () => {
  const acknowledged = new Acknowledged('01');
  expect(acknowledged.of('aurora')).toBe('01');
  acknowledged.note('aurora', '05');
  acknowledged.note('aurora', '04');
  acknowledged.note(null, '06');
  expect([acknowledged.of('aurora'), acknowledged.of('leste')]).toEqual(['05', '01']);
});

test('a write of another process counts once that may have answered it, whoever asked or not', () => {
  let now = 0;
  const acknowledged = new Acknowledged('01', () => now);
  acknowledged.hear('aurora', '02', 0);
  acknowledged.hear(null, '03', 0);
  now = 600;
  acknowledged.hear('leste', '04', 0);
  acknowledged.hear('aurora', '05', 0);
  expect([acknowledged.of('aurora'), acknowledged.of('leste')]).toEqual(['01', '01']);
  now = 1_000;
  expect([acknowledged.of('aurora'), acknowledged.of('leste')]).toEqual(['02', '01']);
  now = 1_600;
  expect([acknowledged.of('aurora'), acknowledged.of('leste')]).toEqual(['05', '04']);
});

test('one that it hears of late counts by when it may have been written', () => {
  const acknowledged = new Acknowledged('01', () => 5_000);
  acknowledged.hear('leste', '02', 1_000);
  acknowledged.hear('aurora', '03', 900);
  expect([acknowledged.of('leste'), acknowledged.of('aurora')]).toEqual(['02', '01']);
});
