import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  bodyMoment,
  dayOf,
  isoRange,
  localTime,
  momentRange,
  queryMoment,
  startOfDay,
} from '../../../src/kernel/values/days.js';

const begins = (day: string, zone: string) => new Date(startOfDay(day, zone)).toISOString();

describe('a day', () => {
  test.each([
    ['2026-11-21', 'America/Sao_Paulo', '2026-11-21T03:00:00.000Z'],
    ['2026-11-21', 'America/Manaus', '2026-11-21T04:00:00.000Z'],
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
    ['2026-11-21', 'Asia/Kolkata', '2026-11-20T18:30:00.000Z'],
    // Clocks went back at midnight before this day, and forward at midnight into this one.
    ['2019-02-17', 'America/Sao_Paulo', '2019-02-17T03:00:00.000Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2018-11-05', 'America/Sao_Paulo', '2018-11-05T02:00:00.000Z'],
    ['2026-03-29', 'Europe/Lisbon', '2026-03-29T00:00:00.000Z'],
    ['2026-03-30', 'Europe/Lisbon', '2026-03-29T23:00:00.000Z'],
    ['2026-10-25', 'Europe/Lisbon', '2026-10-24T23:00:00.000Z'],
    // At one in the morning clocks were put back to midnight.
    ['2021-10-29', 'Asia/Amman', '2021-10-28T21:00:00.000Z'],
    ['0026-11-22', 'UTC', '0026-11-22T00:00:00.000Z'],
    ['0026-11-22', 'America/Sao_Paulo', '0026-11-22T03:06:28.000Z'],
  ])('%s in %s begins at %s', (day, zone, moment) => {
    expect(begins(day, zone)).toBe(moment);
  });
});

describe('a range', () => {
  const zone = 'America/Sao_Paulo';
  test('of days takes the last one whole', () => {
    const { from, before } = momentRange({ from: '2026-11-20', to: '2026-11-21' }, zone);
    expect(new Date(from).toISOString()).toBe('2026-11-20T03:00:00.000Z');
    expect(new Date(before).toISOString()).toBe('2026-11-22T03:00:00.000Z');
  });
  test('of moments takes the last one', () => {
    const range = momentRange({ from: '2026-11-20T10:00:00Z', to: '2026-11-20T12:00:00.500-03:00' }, zone);
    expect(range).toEqual({ from: Date.UTC(2026, 10, 20, 10), before: Date.UTC(2026, 10, 20, 15, 0, 0, 501) });
  });
  test('without ends takes everything', () => {
    expect(momentRange({}, zone)).toEqual({ from: -Infinity, before: Infinity });
  });
  test.each(['2026-13-01', '2026-02-30', 'ontem', '2026-11-20T10:00:00', ''])('is not made of %j', (text) => {
    expect(queryMoment.safeParse(text).success).toBe(false);
  });
});

test('a range from the first year on takes everything, written as other moments are', () => {
  const ends = { from: '0000-01-01T00:00:00+14:00', to: '0000-01-01' };
  expect(isoRange(ends, 'Pacific/Kiritimati')).toMatchObject({ from: '0000-01-01T00:00:00.000Z' });
  expect(isoRange(ends, 'Pacific/Kiritimati').to).toMatch(/^0000-01-0/);
});

test('a year of two digits in a body is a slip of the hand', () => {
  expect(bodyMoment.safeParse('0026-11-22').success).toBe(false);
  expect(bodyMoment.safeParse('1900-01-01').success).toBe(true);
  expect(queryMoment.safeParse('0026-11-22').success).toBe(true);
});

test('a moment is on the day that the clocks of its zone show', () => {
  const before = Date.parse('2026-11-21T02:59:59.999Z');
  expect(dayOf(before, 'America/Sao_Paulo')).toBe('2026-11-20');
  expect(dayOf(before + 1, 'America/Sao_Paulo')).toBe('2026-11-21');
  expect(dayOf(before, 'America/Manaus')).toBe('2026-11-20');
  expect(dayOf(before + 1, 'America/Manaus')).toBe('2026-11-20');
  expect(dayOf(before, 'Pacific/Kiritimati')).toBe('2026-11-21');
});

test('a day that clocks lengthen or shorten keeps its moments', () => {
  expect(dayOf(Date.parse('2018-11-04T02:59:59Z'), 'America/Sao_Paulo')).toBe('2018-11-03');
  expect(dayOf(Date.parse('2018-11-04T03:00:00Z'), 'America/Sao_Paulo')).toBe('2018-11-04');
  expect(dayOf(Date.parse('2018-11-05T01:59:59Z'), 'America/Sao_Paulo')).toBe('2018-11-04');
  expect(dayOf(Date.parse('2018-11-05T02:00:00Z'), 'America/Sao_Paulo')).toBe('2018-11-05');
});

// Half an hour of summer time, a day that was left out, a month without summer time, clocks that change at midnight.
const ZONES = [
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Europe/Lisbon',
  'Asia/Kathmandu',
];

test('a moment is shown as clocks in its zone showed it, whatever was asked before', () => {
  const shownBy = (moment: number, timeZone: string): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
  const moment = fc.integer({ min: Date.UTC(1995, 0, 1) / 1000, max: Date.UTC(2035, 0, 1) / 1000 });
  const asked = fc.array(fc.record({ moment, zone: fc.constantFrom(...ZONES) }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(asked, (questions) => {
      for (const { moment: seconds, zone } of questions) {
        // A day's first and last second, and one between, as what was learnt of it once serves for all of it.
        const day = seconds - (seconds % 86_400);
        for (const one of [seconds, day, day + 86_399]) {
          expect(
            localTime(one * 1000, zone)
              .slice(0, 19)
              .replace('T', ' '),
          ).toBe(shownBy(one * 1000, zone));
        }
      }
    }),
  );
});

test.each([
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23:59:59-10:00'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00:00+14:00'],
  ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', '2026-04-05T01:59:59+11:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05T01:30:00+10:30'],
])('where clocks in %s change, %s is %s', (zone, moment, shown) => {
  expect(localTime(Date.parse(moment), zone)).toBe(shown);
});
