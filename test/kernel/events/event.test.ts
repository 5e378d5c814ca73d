import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { EventOf } from '../../../src/kernel/events/event.js';
import { defineEvent, eventCodec, UnknownEvent } from '../../../src/kernel/events/event.js';

const PriceChanged = defineEvent(
  'PriceChanged',
  3,
  z.object({ id: z.string(), cents: z.int(), currency: z.string() }),
  {
    1: (data) => {
      const { id, price } = data as { id: string; price: number };
      return { id, cents: Math.round(price * 100) };
    },
    2: (data) => ({ ...(data as object), currency: 'BRL' }),
  },
);
const Renamed = defineEvent(
  'Renamed',
  1,
  z.object({ id: z.string(), name: z.string().transform((name) => name.trim()) }),
);
const codec = eventCodec(PriceChanged, Renamed);

const current = { type: 'PriceChanged', data: { id: 'p', cents: 1990, currency: 'USD' } };

test('an event of the current version is read as it is', () => {
  const event: EventOf<typeof PriceChanged> | EventOf<typeof Renamed> = codec.decode('PriceChanged', 3, current.data);
  expect(event).toEqual(current);
});

test('what is read is what the schema gives', () => {
  expect(codec.decode('Renamed', 1, { id: 'p', name: ' x ', extra: 1 })).toEqual({
    type: 'Renamed',
    data: { id: 'p', name: 'x' },
  });
});

describe('older versions climb one step at a time', () => {
  test.each([
    [1, { id: 'p', price: 19.9 }],
    [2, { id: 'p', cents: 1990 }],
  ])('from version %i', (version, data) => {
    const before = structuredClone(data);
    expect(codec.decode('PriceChanged', version, data)).toEqual({
      type: 'PriceChanged',
      data: { id: 'p', cents: 1990, currency: 'BRL' },
    });
    expect(data).toEqual(before);
  });

  test('the schema guards what an upcaster made', () => {
    expect(() => codec.decode('PriceChanged', 2, { id: 'p' })).toThrow(z.ZodError);
  });
});

test.each([
  ['a member is missing', 3, { id: 'p', cents: 1 }],
  ['a member has another type', 3, { id: 'p', cents: '1', currency: 'BRL' }],
  ['there is no data', 3, undefined],
])('stored data is refused when %s', (_, version, data) => {
  expect(() => codec.decode('PriceChanged', version, data)).toThrow(z.ZodError);
});

test('a newer version than the program knows is said to be one', () => {
  expect(() => codec.decode('PriceChanged', 4, current.data)).toThrow(UnknownEvent);
  expect(() => codec.decode('PriceChanged', 4, current.data)).toThrow(
    'PriceChanged version 4 is newer than this program',
  );
});

test.each([0, -1, 1.5, NaN])('there is no version %p', (version) => {
  expect(() => codec.decode('PriceChanged', version, current.data)).toThrow(UnknownEvent);
});

test.each(['PriceRaised', 'pricechanged', '', '__proto__', 'toString'])('the type %j is unknown', (type) => {
  expect(() => codec.decode(type, 1, {})).toThrow(UnknownEvent);
  expect(() => codec.versionOf(type)).toThrow(UnknownEvent);
});

test('versions are told by type', () => {
  expect(codec.versionOf('PriceChanged')).toBe(3);
  expect(codec.versionOf('Renamed')).toBe(1);
  expect([...codec.definitions.keys()]).toEqual(['PriceChanged', 'Renamed']);
});

test('a version without the step that leads to it is a mistake at start', () => {
  expect(() => defineEvent('A', 3, z.object({}), { 1: (data) => data })).toThrow('A has no upcaster from version 2');
});
