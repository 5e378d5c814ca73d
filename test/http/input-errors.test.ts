import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { InputErrors, problemJson } from '../../src/http/exchange/problem.js';
import { notFoundAt } from '../../src/kernel/events/rejection.js';
import { validationMessages } from '../../src/kernel/values/validation-messages.js';

function errorsOf(schema: z.ZodType, value: unknown): readonly string[] {
  const errors = new InputErrors();
  errors.add(schema.safeParse(value, { error: validationMessages }).error?.issues ?? []);
  const told = errors.refusal().extra['errors'] as readonly { readonly path: string; readonly message: string }[];
  return told.map(({ path, message }) => `${path} ${message}`);
}

const payment = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('CASH'), amount: z.number() }),
  z.strictObject({ method: z.literal('CARD'), amount: z.number(), brand: z.string() }),
]);
const stage = z.union([z.string(), z.strictObject({ name: z.string(), required: z.boolean() })]);
const order = z.strictObject({ payments: z.array(payment), stages: z.array(stage).optional() });

test.each([
  [{}, ['payments is required']],
  [{ payments: [{ amount: 1 }] }, ['payments[0].method is required']],
  [{ payments: [{ method: 'CARD' }] }, ['payments[0].amount is required', 'payments[0].brand is required']],
  [{ payments: [], stages: [{}] }, ['stages[0].name is required', 'stages[0].required is required']],
  [{ payments: [], stages: [{ name: 'Forno', required: true, hot: 1 }] }, ['stages[0].hot is not known here']],
  [{ payments: [], stages: [1] }, ['stages[0] has the wrong form']],
])('of %j is told what is missing, and where', (value, errors) => {
  expect(errorsOf(order, value)).toEqual(errors);
});

test('whoever finds it, what is wrong is told fifty times at most, and the rest is counted', () => {
  const found = Array.from({ length: 60 }, (_, index) => `items[${String(index)}].variantId`);
  const problem = JSON.parse(problemJson(notFoundAt(...found), 'r')) as { readonly errors: readonly unknown[] };
  expect(problem).toMatchObject({ code: 'NOT_FOUND', errorsOmitted: 10 });
  expect(problem.errors).toHaveLength(50);
  expect(JSON.parse(problemJson(notFoundAt('ids[0]'), 'r'))).not.toHaveProperty('errorsOmitted');
});

test.each([
  ['its path', 96, 1],
  ['all that is told', 35, 8],
])(
  'a name of pictures is cut between them where %s is too long: not every program reads half of one',
  (_, letters, names) => {
    const errors = new InputErrors();
    const name = 'a'.repeat(letters) + '🍞🍞🍞';
    for (let index = 0; index < names; index++) errors.note([`${name}${String(index)}`], 'is not known here');
    const told = JSON.parse(problemJson(errors.refusal(), 'r')) as {
      readonly detail: string;
      readonly errors: readonly { readonly path: string }[];
    };
    for (const text of [told.detail, ...told.errors.map(({ path }) => path)])
      expect(text).not.toMatch(/\p{Surrogate}/u);
  },
);
