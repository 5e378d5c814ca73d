import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { SchemaComponents } from '../../src/http/openapi/schemas.js';
import { decimal, decimalText, id, name, queryInteger } from '../../src/kernel/values/fields.js';
import { declaredRejections } from '../../src/kernel/events/rejection.js';
import type { TestShell } from '../support/shell.js';
import { CREDENTIAL_UNKNOWN, startShell } from '../support/shell.js';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly 'x-refusal-codes': Readonly<Record<string, readonly string[]>>;
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: unknown }> }>;
}

interface Document {
  readonly openapi: string;
  readonly security: unknown;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, { readonly enum?: readonly string[] }>>;
}

let shell: TestShell;
let document: Document;
beforeAll(async () => {
  shell = await startShell({ authenticationRejections: [CREDENTIAL_UNKNOWN] });
  document = (await (await fetch(`${shell.url}/openapi.json`)).json()) as Document;
});
afterAll(() => shell.stop());

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}

const resolve = (reference: string): unknown =>
  reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);

const operations = (): Operation[] => Object.values(document.paths).flatMap((path) => Object.values(path));

describe('the document', () => {
  test('is OpenAPI 3.1 with every route in it', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(routes.sort()).toEqual([
      'delete /things/{id}',
      'get /things',
      'get /things/by-colour/{colour}',
      'get /things/{id}',
      'post /things',
    ]);
  });

  test('refers only to what is there', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  test('names each operation once, and each path parameter in its operation', () => {
    const names = operations().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const [path, methods] of Object.entries(document.paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      for (const { parameters } of Object.values(methods)) {
        expect(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)).toEqual(
          wanted,
        );
      }
    }
  });

  test('lists every refusal code', () => {
    expect(document.components['schemas']?.['RefusalCode']?.enum).toEqual([
      ...new Set(declaredRejections().map(({ code }) => code)),
    ]);
  });

  test('tells what each route may refuse', () => {
    const codesOf = (path: string, method: string, status: number) =>
      document.paths[path]?.[method]?.['x-refusal-codes'][String(status)] ?? [];
    expect(codesOf('/things', 'post', 409)).toContain('TEST_REFUSED');
    expect(codesOf('/things', 'post', 409)).toContain('IDEMPOTENCY_KEY_REUSED');
    expect(codesOf('/things', 'post', 401)).toEqual(['TEST_CREDENTIAL_INVALID']);
    expect(codesOf('/things', 'post', 400)).toContain('BODY_REQUIRED');
    expect(codesOf('/things', 'get', 503)).toContain('PROJECTION_BEHIND');
    expect(codesOf('/things/{id}', 'get', 404)).toEqual(['NOT_FOUND']);
    for (const operation of operations()) expect(operation.responses).toHaveProperty('default');
  });

  test('shares one response for each status of a refusal', () => {
    for (const operation of operations()) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (status >= '300') expect(Object.keys(answer)).toEqual(['$ref']);
      }
    }
  });

  test('offers If-Match with what changes a record', () => {
    const offering = operations().filter(({ parameters }) => parameters.some(({ $ref }) => $ref?.endsWith('IfMatch')));
    expect(offering.map(({ operationId }) => operationId)).toEqual(['deleteThing']);
    expect(offering[0]?.responses).toHaveProperty('412');
  });

  test('names both ways to show a credential', () => {
    expect(document.security).toEqual([{ bearer: [], storeSlug: [] }, { session: [] }]);
    expect(document.components['securitySchemes']).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      storeSlug: { in: 'header', name: 'X-Store-Slug' },
      session: { type: 'apiKey', in: 'cookie', name: 'sm_access' },
    });
  });

  test('commands take an idempotency key, queries a position', () => {
    const references = (operation: Operation | undefined) => (operation?.parameters ?? []).map(({ $ref }) => $ref);
    expect(references(document.paths['/things']?.['post'])).toContain('#/components/parameters/IdempotencyKey');
    expect(references(document.paths['/things']?.['get'])).toContain('#/components/parameters/MinPosition');
    expect(document.paths['/things']?.['post']?.requestBody?.required).toBe(true);
  });

  test('describes bodies as they travel', () => {
    expect(document.components['schemas']?.['ThingBody']).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 200 },
        priceCash: { type: 'number', minimum: 0 },
        ids: { type: 'array', maxItems: 200 },
      },
    });
  });
});

describe('schemas', () => {
  test('are described from outside, whatever the program makes of them', () => {
    const schema = z.strictObject({
      id,
      take: queryInteger(1, 9).optional(),
      price: decimal({ decimals: 2, above: 0 }),
    });
    expect(new SchemaComponents({}).describe(schema, 'input')).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        take: expect.objectContaining({ type: 'integer', minimum: 1, maximum: 9 }),
        price: { type: 'number', exclusiveMinimum: 0, description: 'At most 2 decimals' },
      },
      required: ['id', 'price'],
      additionalProperties: false,
    });
  });

  test('carry no patterns that their format spells out, and no bounds of the machine', () => {
    const schema = z.object({ id: z.uuid(), at: z.iso.datetime(), count: z.int(), page: z.int().min(1) });
    expect(new SchemaComponents({}).describe(schema, 'output')['properties']).toEqual({
      id: { type: 'string', format: 'uuid' },
      at: { type: 'string', format: 'date-time' },
      count: { type: 'integer', format: 'int64' },
      page: { type: 'integer', format: 'int64', minimum: 1 },
    });
  });

  test('say null as a type beside another one, and as a choice beside an object', () => {
    const part = z.object({ text: z.string() }).meta({ id: 'Part of it', description: 'A part' });
    const schema = z.object({
      part: part.nullable().meta({ description: 'The first' }),
      kind: z.enum(['a', 'b']).nullable(),
      note: z.string().max(5).nullable(),
      amount: z.union([z.union([z.string().max(9), z.number()]), z.null()]),
      other: part,
    });
    expect(new SchemaComponents({}).describe(schema, 'output')['properties']).toEqual({
      part: { description: 'The first', anyOf: [{ $ref: '#/components/schemas/PartOfIt' }, { type: 'null' }] },
      kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
      note: { type: ['string', 'null'], maxLength: 5 },
      amount: { anyOf: [{ type: ['string', 'null'], maxLength: 9 }, { type: 'number' }] },
      other: { $ref: '#/components/schemas/PartOfIt' },
    });
  });

  test('say of a whole number whether 32 bits are enough, and of one of two values that there are two', () => {
    const schema = z.object({ take: z.int().min(1).max(200), size: z.int(), done: z.literal(true) });
    expect(new SchemaComponents({}).describe(schema, 'output')['properties']).toEqual({
      take: { type: 'integer', minimum: 1, maximum: 200 },
      size: { type: 'integer', format: 'int64' },
      done: { type: 'boolean' },
    });
  });

  test('show the examples of what is sent, whatever the program makes of it', () => {
    const phone = z
      .string()
      .transform((text) => text.replaceAll(' ', ''))
      .refine((text) => text.length > 8)
      .meta({ type: 'string', examples: ['11 98765 4321'] });
    expect(new SchemaComponents({}).describe(phone, 'input')).toEqual({ type: 'string', examples: ['11 98765 4321'] });
  });

  test('tell how many decimals a number may have, beside what else is said of it', () => {
    const price = decimal({ decimals: 2, minimum: 0 });
    const schema = z.strictObject({ plain: price, told: price.nullable().optional().meta({ description: 'Of one' }) });
    expect(new SchemaComponents({}).describe(schema, 'input')['properties']).toEqual({
      plain: { type: 'number', minimum: 0, description: 'At most 2 decimals' },
      told: { type: ['number', 'null'], minimum: 0, description: 'Of one. At most 2 decimals' },
    });
  });

  test('say of a decimal that may be a text how it is written', () => {
    expect(new SchemaComponents({}).describe(decimalText({ decimals: 6, minimum: 0 }), 'input')).toEqual({
      anyOf: [
        { type: 'string', pattern: '^[0-9]{1,15}(?:\\.[0-9]{1,10})?$' },
        { type: 'number', minimum: 0 },
      ],
      description: 'At most 6 decimals',
    });
  });

  test('with one id but two shapes get two names, and one name where they are the same', () => {
    const components = new SchemaComponents({});
    const named = z.strictObject({ note: z.string().default('') }).meta({ id: 'product tag' });
    expect(components.describe(named, 'output')).toEqual({ $ref: '#/components/schemas/ProductTag' });
    expect(components.describe(named, 'input')).toEqual({ $ref: '#/components/schemas/ProductTagInput' });
    expect(components.describe(z.array(named), 'input')).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/ProductTagInput' },
    });
    expect(Object.keys(components.toJSON())).toEqual(['ProductTag', 'ProductTagInput']);
  });

  test('refer to the shared ones they are made of', () => {
    const components = new SchemaComponents({});
    const part = z.object({ text: name(5) }).meta({ id: 'Part' });
    const whole = z.object({ parts: z.array(part) }).meta({ id: 'Whole' });
    components.describe(whole, 'output');
    expect(components.toJSON()['Whole']).toMatchObject({
      properties: { parts: { items: { $ref: '#/components/schemas/Part' } } },
    });
  });
});
