import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { features } from '../../../src/features/index.js';
import { Decimal } from '../../../src/kernel/values/decimal.js';
import { compiled } from '../../../src/kernel/events/decoding.js';
import { storedDecimal } from '../../../src/kernel/values/fields.js';

const FOLDER = 'test/fixtures/events';

const samples = readdirSync(FOLDER).map((file) => {
  const [type = '', version = ''] = file.replace(/\.json$/, '').split('.v');
  return { type, version: Number(version), data: JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as unknown };
});

const definitions = features.flatMap(({ events }) => events.flatMap((codec) => [...codec.definitions.values()]));

test.each(samples)('$type is read as its schema reads it', ({ type, version, data }) => {
  for (const { schema } of definitions.filter((one) => one.type === type && one.version === version)) {
    expect(compiled(schema)(data)).toEqual(schema.parse(data));
  }
});

describe('what does not fit is refused as by the schema', () => {
  const schema = z.object({
    name: z.string(),
    count: z.int(),
    kind: z.enum(['A', 'B']),
    size: z.literal([1, 2]),
    on: z.boolean(),
    amount: storedDecimal.nullable(),
    list: z.array(z.object({ quantity: storedDecimal })),
    note: z.string().optional(),
  });
  const valid = { name: 'a', count: 1, kind: 'A', size: 2, on: true, amount: null, list: [{ quantity: '1.50' }] };
  const read = compiled(schema);

  test('a fitting value is read, and unknown members are left out', () => {
    expect(read({ ...valid, more: 1 })).toEqual({ ...valid, list: [{ quantity: Decimal.from('1.5') }] });
    expect(read({ ...valid, note: 'n' })).toHaveProperty('note', 'n');
    expect(read(valid)).not.toHaveProperty('note');
  });

  test('what holds few members is read whatever their order, with unknown ones, and not without those that it needs', () => {
    const changes = z.object({ ...schema.partial().shape, also: z.string(), far: z.string().optional() });
    const few = compiled(changes);
    for (const given of [
      { amount: '1.5', also: 'x' },
      { also: 'x', amount: '1.50', name: 'a' },
      { also: 'x', unknown: 1 },
      { unknown: 1, also: 'x', far: 'f' },
      { name: undefined, also: 'x' },
      { list: [{ quantity: '2.0', unknown: 1 }], also: 'x' },
    ]) {
      const expected = changes.parse(given);
      expect(few(given)).toEqual(expected);
      expect(Object.keys(few(given))).toEqual(Object.keys(expected));
    }
    expect(() => few({ name: 'a' })).toThrow(z.ZodError);
    expect(() => few({ name: 1, also: 'x' })).toThrow(z.ZodError);
    expect(() => few({})).toThrow(z.ZodError);
  });

  test.each([
    ['name', 1],
    ['name', undefined],
    ['count', 1.5],
    ['count', '1'],
    ['kind', 'C'],
    ['size', 3],
    ['size', '2'],
    ['on', 'true'],
    ['amount', 1],
    ['amount', '1,5'],
    ['amount', '1.12345678901'],
    ['list', {}],
    ['list', [{ quantity: null }]],
    ['list', [null]],
    ['note', null],
  ])('%s: %j', (member, value) => {
    const given = { ...valid, [member]: value };
    expect(() => read(given)).toThrow(z.ZodError);
    expect(schema.safeParse(given).success).toBe(false);
  });

  test.each([null, undefined, 'text', [valid]])('%j is no event', (value) => {
    expect(() => read(value)).toThrow(z.ZodError);
  });
});

test('a schema of another kind is left to itself', () => {
  const schema = z.object({ at: z.iso.datetime(), size: z.number().min(1), id: z.union([z.string(), z.int()]) });
  const read = compiled(schema);
  const fitting = { at: '2026-11-21T12:00:00.000Z', size: 1.5, id: 7 };
  expect(read(fitting)).toEqual(fitting);
  expect(() => read({ ...fitting, at: 'today' })).toThrow(z.ZodError);
  expect(() => read({ ...fitting, size: 0 })).toThrow(z.ZodError);
});
