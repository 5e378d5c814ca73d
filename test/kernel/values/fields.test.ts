import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import * as fields from '../../../src/kernel/values/fields.js';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const complaint = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map((issue) => issue.message);

describe('a name', () => {
  const name = fields.name(200);

  test.each([
    'a',
    'a'.repeat(200),
    '😀'.repeat(200),
    'e\u0301'.repeat(200),
    ` ${'a'.repeat(200)} `,
    '👨‍👩‍👧‍👦',
    "'; DROP TABLE events;--",
  ])('may be %j', (value) => {
    expect(accepts(name, value)).toBe(true);
  });

  test.each([
    ['a'.repeat(201), 'must have at most 200 characters'],
    ['😀'.repeat(201), 'must have at most 200 characters'],
    ['\u0958'.repeat(101), 'must have at most 200 characters'],
    ['', 'must not be empty'],
    ['   ', 'must not be empty'],
    ['\u200b\u200b', 'must not be empty'],
    [' \u200d\u2060\ufeff\u00ad\u3164\u202e\ufe0f', 'must not be empty'],
    ['a\u0000b', 'holds a control character or half a character'],
    ['a\u001fb', 'holds a control character or half a character'],
    ['a\u007fb', 'holds a control character or half a character'],
    ['\ud800', 'holds a control character or half a character'],
    ['a\udc00', 'holds a control character or half a character'],
    ['\udc00\ud800', 'holds a control character or half a character'],
  ])('may not be %j', (value, message) => {
    expect(complaint(name, value)).toEqual([message]);
  });

  test.each([1, null, undefined, true, ['a'], { $gt: '' }])('is no %j', (value) => {
    expect(accepts(name, value)).toBe(false);
  });

  test('loses the blanks around it and is composed', () => {
    expect(name.parse(' \u00a0Cafe\u0301 com  leite\n')).toBe('Café com  leite');
  });

  test('loses what nobody sees, but for what makes one sign of several', () => {
    expect(name.parse('\u202d\ufeffL\u00ad-\u200b100 \u2060\u202c')).toBe('L-100');
    expect(name.parse('👨\u200d👩\u200d👧 ❤\ufe0f')).toBe('👨\u200d👩\u200d👧 ❤\ufe0f');
  });

  test('what was accepted is accepted again and stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 14 }), (value) => {
        const first = fields.name(10).safeParse(value);
        fc.pre(first.success);
        expect(fields.name(10).safeParse(first.data)).toEqual({ success: true, data: first.data });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a text with a least length', () => {
  const reason = fields.name(500, 5);

  test.each(['abcde', ' abcde ', '😀😀😀😀😀', 'a b c'])('%j is long enough', (value) => {
    expect(accepts(reason, value)).toBe(true);
  });

  test.each(['abcd', 'abcd ', '     ', '😀😀😀😀', 'abcd\u200b', 'ee\u0301\u0301'])('%j is not', (value) => {
    expect(complaint(reason, value)).toEqual(['must have at least 5 characters']);
  });
});

test('a free text may be empty, with lines and tabs', () => {
  const notes = fields.freeText(2000);
  expect(notes.parse('')).toBe('');
  expect(notes.parse('  ')).toBe('');
  expect(notes.parse('a\r\n\tb')).toBe('a\r\n\tb');
  expect(accepts(notes, 'a'.repeat(2000))).toBe(true);
  expect(accepts(notes, 'a'.repeat(2001))).toBe(false);
});

test('an id is a UUID in small letters; in a path anything goes', () => {
  expect(fields.id.parse('018F2F6E-0000-7000-8000-ABCDEFABCDEF')).toBe('018f2f6e-0000-7000-8000-abcdefabcdef');
  expect(complaint(fields.id, 'x')).toEqual(['must be a UUID']);
  expect(fields.pathId.parse('X')).toBe('x');
});

test.each(['1234567', '123456789', '1234567a', ' 12345678', '12345678\n', '１２３４５６７８', ''])(
  '%j are not 8 digits',
  (value) => {
    expect(accepts(fields.digits(8), '12345678')).toBe(true);
    expect(complaint(fields.digits(8), value)).toEqual(['must be 8 digits']);
  },
);

describe('a decimal', () => {
  const money = fields.decimal({ decimals: 2, minimum: 0 });
  const cost = fields.decimal({ decimals: 10 });

  test.each([
    [0, '0'],
    [-0, '0'],
    [0.1, '0.1'],
    [19.9, '19.9'],
    [9_999_999_999_999.99, '9999999999999.99'],
    [999_999_999_999_999, '999999999999999'],
  ])('%p reads as %s', (value, text) => {
    expect(money.parse(value).toString()).toBe(text);
  });

  test.each([
    [1e-10, '0.0000000001'],
    [1.5e-7, '0.00000015'],
    [12345.0123456789, '12345.0123456789'],
    [-99999.9999999999, '-99999.9999999999'],
  ])('%p with ten decimals reads as %s', (value, text) => {
    expect(cost.parse(value).toString()).toBe(text);
  });

  test.each([
    [0.001, ['must have at most 2 decimals']],
    [1e-300, ['must have at most 2 decimals']],
    [-0.01, ['must be at least 0']],
    [0.30000000000000004, ['must have at most 15 significant digits']],
    [1e15, ['is too large']],
    [9007199254740993, ['is too large']],
    [1e308, ['is too large']],
  ])('%p is refused', (value, messages) => {
    expect(complaint(money, value)).toEqual(messages);
  });

  test('has at most 15 significant digits', () => {
    expect(accepts(cost, 12345.6789012345)).toBe(true);
    expect(complaint(cost, 12345.67890123456)).toEqual(['must have at most 15 significant digits']);
    expect(accepts(cost, -0.123456789)).toBe(true);
    expect(complaint(cost, 1234567890.123456)).toEqual(['must have at most 15 significant digits']);
  });

  test.each(['10', '', null, true, NaN, Infinity, -Infinity, [1], 10n])('%p is no number', (value) => {
    expect(accepts(money, value)).toBe(false);
  });

  test('keeps to its limits', () => {
    const loss = fields.decimal({ decimals: 2, minimum: 0, maximum: 99.99 });
    const batches = fields.decimal({ decimals: 0, above: 0, maximum: 10 });
    expect([0, 99.99].map((value) => accepts(loss, value))).toEqual([true, true]);
    expect(complaint(loss, 100)).toEqual(['must be at most 99.99']);
    expect(complaint(loss, 1e300)).toEqual(['must be at most 99.99']);
    expect(complaint(loss, -0.001)).toEqual(['must be at least 0']);
    expect([1, 10].map((value) => accepts(batches, value))).toEqual([true, true]);
    expect(complaint(batches, 0)).toEqual(['must be greater than 0']);
    expect(complaint(batches, 11)).toEqual(['must be at most 10']);
    expect(complaint(batches, 1.5)).toEqual(['must have at most 0 decimals']);
  });

  test('is described for the interface document', () => {
    expect(z.toJSONSchema(fields.decimal({ decimals: 2, above: 0, maximum: 5 }), { io: 'input' })).toMatchObject({
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 5,
    });
  });
});

test('a stored decimal is a text, and a wrong one is an issue like any other', () => {
  expect(fields.storedDecimal.parse('1.50').toString()).toBe('1.5');
  expect(accepts(fields.storedDecimal, '1,5')).toBe(false);
  expect(accepts(fields.storedDecimal, 1.5)).toBe(false);
});

test('a whole number in a query is digits within its limits', () => {
  const take = fields.queryInteger(1, 100);
  expect(['1', '100', '007'].map((value) => take.parse(value))).toEqual([1, 100, 7]);
  for (const value of ['0', '101', 'abc', '1e1', '-1', '+1', '1.0', '', ' 1', '0x1', '99999999999', '１']) {
    expect(accepts(take, value)).toBe(false);
  }
});

test('a number in a query is digits and a point within its limits', () => {
  const batches = fields.queryDecimal({ decimals: 6, above: 0, maximum: 100 });
  expect(['1', '100', '0.000001', '02.50'].map((value) => String(batches.parse(value)))).toEqual([
    '1',
    '100',
    '0.000001',
    '2.5',
  ]);
  for (const value of ['0', '100.1', '0.0000001', '1e1', '-1', '+1', '1.', '.5', '1,5', '', ' 1', 'NaN']) {
    expect(accepts(batches, value)).toBe(false);
  }
});

test('a boolean in a query is one of four words', () => {
  expect(['true', '1', 'false', '0'].map((value) => fields.queryBoolean.parse(value))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  for (const value of ['TRUE', 'yes', '', '2', true]) expect(accepts(fields.queryBoolean, value)).toBe(false);
});
