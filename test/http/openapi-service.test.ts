import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { World } from '../support/world.js';
import { openWorld } from '../support/world.js';

interface Operation {
  readonly 'x-refusal-codes': Readonly<Record<string, readonly string[]>>;
  readonly parameters: readonly { readonly name?: string; readonly schema?: object }[];
  readonly responses: Record<
    string,
    {
      readonly description: string;
      readonly headers?: object;
      readonly content?: Record<string, { readonly schema: { readonly type?: string } }>;
    }
  >;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: { readonly RefusalCode: { readonly enum: readonly string[] } } };
}

let world: World;
let document: Document;
beforeAll(async () => {
  world = await openWorld();
  document = (await (await fetch(`${world.url}/openapi.json`)).json()) as Document;
});
afterAll(() => world.close());

test('a refusal with two statuses stands under each in the document, and once in its list', () => {
  const { paths, components } = document;
  const saysSo = (path: string, status: string) =>
    paths[path]?.['post']?.['x-refusal-codes'][status]?.includes('TOKEN_INVALID') ?? false;
  expect([saysSo('/auth/reset-password', '400'), saysSo('/auth/reset-password', '401')]).toEqual([true, false]);
  expect([saysSo('/auth/2fa/verify', '400'), saysSo('/auth/2fa/verify', '401')]).toEqual([false, true]);
  expect(components.schemas.RefusalCode.enum.filter((code) => code === 'TOKEN_INVALID')).toHaveLength(1);
});

const parameterOf = ({ parameters }: Operation, wanted: string) => parameters.find(({ name }) => name === wanted);

test('a plain list that goes on says where', () => {
  const continued = Object.values(document.paths).flatMap(({ get }) => {
    const answer = get?.responses['200'];
    const isPlain = answer?.content?.['application/json']?.schema.type === 'array';
    return get && isPlain && parameterOf(get, 'cursor') ? [answer.headers] : [];
  });
  expect(continued.length).toBeGreaterThan(4);
  for (const headers of continued) expect(headers).toHaveProperty('X-Next-Cursor');
});

test('a yes or no in a query is a boolean', () => {
  const { get } = document.paths['/stock/lots'] ?? {};
  expect(get && parameterOf(get, 'includeEmpty')?.schema).toEqual({ type: 'boolean' });
});

test('a parameter that may be left out shows what then counts', () => {
  const schemaOf = (path: string, name: string) => {
    const { get } = document.paths[path] ?? {};
    return get && parameterOf(get, name)?.schema;
  };
  expect(schemaOf('/stock/lots', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 50 });
  expect(schemaOf('/products', 'take')).toMatchObject({ type: 'integer', default: 100 });
  expect(schemaOf('/bakery-production/planning/suggestions', 'days')).toMatchObject({ default: 15 });
});
