import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { decimal, digits, freeText, name, pathId, queryInteger } from '../../src/kernel/values/fields.js';
import { NOT_FOUND, Rejection } from '../../src/kernel/events/rejection.js';
import type { Route } from '../../src/kernel/routes/route.js';
import { route } from '../../src/kernel/routes/route.js';
import type { BadInputTarget } from '../support/bad-input.js';
import { badInputs, concernsShell, sendBadInput, statusesOf } from '../support/bad-input.js';
import type { TestShell } from '../support/shell.js';
import { KEY, startShell } from '../support/shell.js';

const BODY_LIMIT = 2 * 1024 * 1024;

const texts = z.array(z.string());

/** Every field that the corpus speaks of, with the rules of the features that have it. */
const record = z.strictObject({
  name: name(200).optional(),
  notes: freeText(2000).optional(),
  description: name(200).optional(),
  reason: name(500, 5).optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  email: z.string().optional(),
  tBand: z
    .string()
    .regex(/^[0-9]{1,2}$/)
    .optional(),
  defaultNcm: digits(8).optional(),
  priceCash: decimal({ decimals: 2, minimum: 0 }).optional(),
  priceCredit: decimal({ decimals: 2, minimum: 0 }).optional(),
  stockQty: decimal({ decimals: 0 }).optional(),
  expectedLossPercent: decimal({ decimals: 2, minimum: 0, maximum: 99.99 }).optional(),
  feePercent: decimal({ decimals: 4, minimum: 0, maximum: 100 }).optional(),
  installments: z.int().min(1).max(12).optional(),
  batches: z.int().min(1).optional(),
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)
    .refine((month) => !month.startsWith('0000'))
    .optional(),
  outputExpiresAt: z.union([z.iso.date(), z.iso.datetime()]).optional(),
  ids: texts.max(200).optional(),
  items: texts.max(60).optional(),
  tiers: texts.max(20).optional(),
});

const kept: unknown[] = [];

const basics = { tag: 'Test', summary: 'Test', permission: 'authenticated' } as const;

const page = z.strictObject({
  q: z.string().max(10_000).optional(),
  page: queryInteger(1, 1_000_000).optional(),
  take: queryInteger(1, 100).optional(),
});

const listing = (path: string): Route =>
  route({
    ...basics,
    method: 'get',
    path,
    request: { query: page },
    response: { status: 200 },
    handle: () => ({ body: [] }),
  });

const missing = (method: 'get' | 'patch', path: string): Route =>
  route({
    ...basics,
    method,
    path,
    request: { params: z.strictObject({ id: pathId }), ...(method === 'patch' ? { body: record } : {}) },
    response: { status: 200 },
    handle: () => {
      throw new Rejection(NOT_FOUND);
    },
  });

const routes: readonly Route[] = [
  route({
    ...basics,
    method: 'post',
    path: '/records',
    request: { body: record },
    response: { status: 201 },
    handle: ({ body }) => {
      kept.push(body);
      return { body: { ...body, priceCash: body.priceCash?.toNumber() } };
    },
  }),
  listing('/products'),
  listing('/brands/x/products'),
  missing('patch', '/products/{id}'),
  missing('get', '/categories/{id}'),
];

let shell: TestShell;
let target: BadInputTarget;
beforeAll(async () => {
  shell = await startShell(
    { routes, limits: { bodyBytes: BODY_LIMIT } },
    { headerMilliseconds: 2_000, bodyMilliseconds: 2_000 },
  );
  target = {
    port: shell.port,
    bodyLimit: BODY_LIMIT,
    credentials: [`Authorization: Bearer ${KEY}`, 'X-Store-Slug: demo'],
    bodyPath: () => '/records',
  };
});
afterAll(() => shell.stop());

/** Where the corpus leaves a choice or speaks in words: what this service answers. */
const CHOSEN = new Map<string, readonly number[]>(
  Object.entries({
    'duplicate key': [400],
    '-0': [201],
    'slug with CRLF/space/upper': [200, 400, 404],
    'method override': [200],
    'OPTIONS unknown origin': [204],
    'X-Forwarded-For spoof': [200],
    'HTTP/1.0 without Host': [201, 400],
  }),
);

describe.each(Object.entries(badInputs))('%s', (_group, entries) => {
  test.each(entries.filter(concernsShell).map((entry) => [entry.name, entry] as const))('%s', async (_name, entry) => {
    const before = kept.length;
    const answer = await sendBadInput(entry, target);
    const allowed = CHOSEN.get(entry.name) ?? statusesOf(entry);
    expect(allowed.length).toBeGreaterThan(0);
    expect(allowed).toContain(answer.status);
    if (answer.status >= 400) {
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(kept).toHaveLength(before);
    }
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.body).not.toMatch(/\.[jt]s:\d+|node_modules/);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect((await shell.call('/products')).status).toBe(200);
  });
});

test('minus zero is kept as zero', () => {
  const zeros = kept.filter((body) => (body as { priceCash?: { isZero: boolean } }).priceCash?.isZero);
  expect(JSON.stringify(zeros[0])).toBe('{"priceCash":"0","priceCredit":"1"}');
});
