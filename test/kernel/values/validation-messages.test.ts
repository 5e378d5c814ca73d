import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { validationMessages } from '../../../src/kernel/values/validation-messages.js';
import { decimal, id, queryBoolean, queryInteger } from '../../../src/kernel/values/fields.js';

const complaint = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: validationMessages }).error?.issues[0]?.message;

test.each([
  [z.string(), undefined, 'is required'],
  [id, undefined, 'is required'],
  [id, 'x', 'must be a UUID'],
  [z.union([z.string(), z.number()]), undefined, 'is required'],
  [z.enum(['DEBIT', 'CREDIT']), undefined, 'is required'],
  [z.literal(1), undefined, 'is required'],
  [
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    {},
    'is required',
  ],
  [z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'c' }, 'has the wrong form'],
  [z.object({ list: z.array(z.object({ a: z.record(z.string(), z.int()) })) }), { list: [{}] }, 'is required'],
  [z.string(), 1, 'must be a text'],
  [z.string(), null, 'must be a text'],
  [decimal({ decimals: 2 }), '1', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.strictObject({}), [], 'must be an object'],
  [z.enum(['DEBIT', 'CREDIT']), 'X', 'must be one of DEBIT, CREDIT'],
  [z.literal(1), 2, 'must be 1'],
  [queryBoolean, 'maybe', 'must be true, false, 1 or 0'],
  [queryInteger(1, 100), '0', 'must be at least 1'],
  [queryInteger(1, 100), '101', 'must be at most 100'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.email(), 'a', 'has the wrong form'],
])('%p of %j: %s', (schema, value, words) => {
  expect(complaint(schema, value)).toBe(words);
});
