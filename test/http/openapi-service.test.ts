import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { openWorld } from '../support/world.js';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
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

interface Sent {
  readonly post: {
    readonly tags: readonly string[];
    readonly parameters: readonly { readonly name: string }[];
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } };
  };
}

interface Document {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly webhooks: Record<string, Sent>;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: {
      readonly Problem: { readonly properties: Readonly<Record<string, object>> };
      readonly RefusalCode: { readonly enum: readonly string[] };
      readonly FiscalDocumentNotification: { readonly properties: object };
      readonly FiscalDocumentFailed: object;
      readonly RecipeVersion: { readonly properties: Readonly<Record<string, object>> };
    };
  };
}

const world = await openWorld();
afterAll(() => world.close());
const document = (await (await fetch(`${world.url}/openapi.json`)).json()) as Document;

test('the document has the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  expect(document.info.version).toBe(version);
});

test('a refusal with two statuses stands under each in the document, and once in its list', () => {
  const { paths, components } = document;
  const saysSo = (path: string, status: string) =>
    paths[path]?.['post']?.['x-refusal-codes'][status]?.includes('TOKEN_INVALID') ?? false;
  expect([saysSo('/auth/reset-password', '400'), saysSo('/auth/reset-password', '401')]).toEqual([true, false]);
  expect([saysSo('/auth/2fa/verify', '400'), saysSo('/auth/2fa/verify', '401')]).toEqual([false, true]);
  expect(components.schemas.RefusalCode.enum.filter((code) => code === 'TOKEN_INVALID')).toHaveLength(1);
});

test('what is sent to others stands under webhooks, event by event', () => {
  const { webhooks, components } = document;
  expect(Object.keys(webhooks).sort()).toEqual([
    'fiscal.document.authorized',
    'fiscal.document.cancelled',
    'fiscal.document.contingency',
    'fiscal.document.failed',
    'fiscal.document.rejected',
    'webhook.test',
  ]);
  const { parameters, requestBody } = webhooks['fiscal.document.failed']?.post ?? {};
  expect(parameters?.map(({ name }) => name)).toEqual([
    'X-Service-Event',
    'X-Service-Delivery',
    'X-Service-Timestamp',
    'X-Service-Signature',
  ]);
  // A name of its own, for clients that are generated: some make no class of what stands here alone.
  expect(requestBody?.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/FiscalDocumentFailed',
  });
  expect(components.schemas.FiscalDocumentFailed).toMatchObject({
    required: ['id', 'event', 'createdAt', 'data'],
    properties: { event: { const: 'fiscal.document.failed' } },
  });
  const sample = JSON.parse(readFileSync('test/fixtures/events/DocumentAuthorized.v1.json', 'utf8')) as {
    readonly document: object;
  };
  expect(Object.keys(components.schemas.FiscalDocumentNotification.properties).sort()).toEqual(
    [...Object.keys(sample.document), 'links'].sort(),
  );
});

/** Every object of the document with where it stands. */
function* partsOf(
  node: unknown,
  path = '',
): Generator<readonly [path: string, part: Readonly<Record<string, unknown>>]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [path, node as Readonly<Record<string, unknown>>];
  for (const [key, value] of Object.entries(node)) if (key !== 'example') yield* partsOf(value, `${path}/${key}`);
}
const placesOf = (isMeant: (part: Readonly<Record<string, unknown>>) => boolean): readonly string[] =>
  [...partsOf(document)].filter(([, part]) => isMeant(part)).map(([path]) => path);

test('what may be null says so once: clients that are generated make a choice of each saying', () => {
  expect(placesOf(({ type, anyOf }) => Array.isArray(type) && anyOf !== undefined)).toEqual([]);
});

test('null is a choice beside an object alone: clients that are generated make a class of each choice', () => {
  const choicesOf = ({ anyOf }: Readonly<Record<string, unknown>>) =>
    (anyOf ?? []) as readonly Readonly<Record<string, unknown>>[];
  const isObject = (choice: Readonly<Record<string, unknown>>) => choice['type'] === 'object' || '$ref' in choice;
  const hasNull = (part: Readonly<Record<string, unknown>>) => choicesOf(part).some(({ type }) => type === 'null');
  expect(
    placesOf((part) => hasNull(part) && !choicesOf(part).every((one) => one['type'] === 'null' || isObject(one))),
  ).toEqual([]);
  expect(placesOf(({ type }) => Array.isArray(type) && type.includes('object'))).toEqual([]);
  expect(placesOf((part) => choicesOf(part).some((choice) => choicesOf(choice).length > 0))).toEqual([]);
  expect(placesOf((part) => choicesOf(part).length === 1)).toEqual([]);
  expect(placesOf(({ type }) => Array.isArray(type) && type[1] !== 'null')).toEqual([]);
  expect(document.components.schemas.RecipeVersion.properties['version']).toMatchObject({
    anyOf: [{ type: 'integer' }, { type: 'string' }],
  });
});

test('no type is named as what makes one of another: NewSale makes a Sale in Go', () => {
  expect(Object.keys(document.components.schemas).filter((each) => /^New[A-Z]/.test(each))).toEqual([]);
});

test('what is sent and what is asked stand under headings of their own: clients that are generated have a class for each', () => {
  const asked = new Set(
    Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)),
  );
  const sent = [...new Set(Object.values(document.webhooks).flatMap(({ post }) => post.tags))];
  expect(sent).toEqual(['Notifications']);
  expect(sent.filter((heading) => asked.has(heading))).toEqual([]);
  expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(sent));
});

test('an object says what its members are, or that they may be anything', () => {
  const isVague = (part: Readonly<Record<string, unknown>>) =>
    part['type'] === 'object' && !('properties' in part) && !('additionalProperties' in part);
  expect(placesOf(isVague)).toEqual([]);
});

test('a page of a list has a name, for clients that are generated', () => {
  const isPage = ({ properties }: Readonly<Record<string, unknown>>) => {
    const members = Object.keys(properties ?? {});
    return members.includes('nextCursor') || (members.includes('page') && members.includes('total'));
  };
  expect(placesOf(isPage).filter((place) => !/^\/components\/schemas\/\w+$/.test(place))).toEqual([]);
  expect(placesOf(isPage)).toEqual(expect.arrayContaining(['/components/schemas/CustomerPage']));
});

test('a file that is no text is said to be none, so that no client decodes it', () => {
  const schemas = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) => Object.entries(responses['200']?.content ?? {})),
  );
  const files = schemas.filter(([type]) => type !== 'application/json').map(([type, { schema }]) => [type, schema]);
  const text = { type: 'string' };
  const binary = { type: 'string', format: 'binary' };
  expect(Object.fromEntries(files)).toEqual({
    'text/csv': text,
    'text/event-stream': text,
    'application/xml': text,
    'application/ld+json': { type: 'object', additionalProperties: true },
    'application/pdf': binary,
    'application/zip': binary,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': binary,
  });
});

test('a document without trials has one answer for each command, for clients that are generated', async () => {
  const text = await (await fetch(`${world.url}/openapi.json?trials=false`)).text();
  const { paths } = JSON.parse(text) as Document;
  for (const word of ['DryRunAnswer', 'Preference-Applied', '/Prefer"'])
    expect([word, text.includes(word)]).toEqual([word, false]);
  // Generators take all that is JSON for one answer, which would be either of two.
  expect(text).not.toContain('ld+json');
  // Generators take what may be null of a closed object for what is always there.
  expect(text).not.toContain('"additionalProperties":false');
  expect(Object.keys(paths)).toEqual(Object.keys(document.paths));
  const answersOf = (path: string, method: string) =>
    Object.entries(paths[path]?.[method]?.responses ?? {})
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { content }]) => [status, content?.['application/json']?.schema]);
  expect(answersOf('/sales', 'post')).toEqual([['201', { $ref: '#/components/schemas/Sale' }]]);
  expect(answersOf('/products/{id}', 'patch')).toEqual([['200', { $ref: '#/components/schemas/Product' }]]);
  expect(answersOf('/products/{id}', 'delete')).toEqual([['204', undefined]]);
});

test('who did something is told in one way everywhere', () => {
  const isActor = ({ properties }: Readonly<Record<string, unknown>>) =>
    Object.keys(properties ?? {}).join() === 'kind,id,name';
  expect(placesOf(isActor)).toEqual(['/components/schemas/Actor']);
});

test('every heading has words of its own', () => {
  expect(document.tags.filter(({ name, description }) => name === description)).toEqual([]);
});

test('a refusal says what it may carry beside its code, and with which codes', () => {
  const { properties } = document.components.schemas.Problem;
  expect(properties['documentId']).toEqual({
    type: 'string',
    format: 'uuid',
    description: 'The document that is in the way. With `DOCUMENT_AUTHORIZED`, `DOCUMENT_EXISTS`, `DOCUMENT_LIVE`',
  });
  expect(properties['partialPossible']).toEqual({ type: 'boolean', description: 'With `REVERSAL_BLOCKED`' });
  expect(properties['shortages']).toMatchObject({ items: { required: ['variantId', 'required', 'available'] } });
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

interface Answered {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: object;
}

/** What the schema of an answer says its members are; a plain list has none. */
function membersOf({ responses }: Operation): string {
  const schema: Answered = responses['200']?.content?.['application/json']?.schema ?? {};
  if (schema.type === 'array') return 'plain';
  const schemas = document.components.schemas as Readonly<Record<string, Answered>>;
  const { properties = {} } = schemas[schema.$ref?.replace(/^.*\//, '') ?? ''] ?? schema;
  return Object.keys(properties).join();
}

test('every list has the shape that the table for API clients gives it', () => {
  const shapes = new Map<string, string[]>();
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (!get?.operationId.startsWith('list')) continue;
    const shape = membersOf(get);
    shapes.set(shape, [...(shapes.get(shape) ?? []), path.replace('/bakery-production', '')]);
  }
  expect(shapes.get('plain')?.sort()).toEqual([
    '/auth/my-stores',
    '/brands',
    '/categories',
    '/orders',
    '/planning/suggestions',
    '/product-tags',
    '/recipes',
  ]);
  expect(shapes.get('currentVersion,versions,nextCursor')).toEqual(['/recipes/{id}/versions']);
  const paged = [...shapes].flatMap(([shape, paths]) => (shape.startsWith('items,page,take,total') ? paths : []));
  expect(paged.sort()).toEqual([
    '/brands/{id}/products',
    '/categories/{id}/products',
    '/product-tags/{id}/products',
    '/products',
  ]);
  expect(shapes.get('items')).toEqual(['/auth/sessions']);
  const others = [...shapes].filter(([shape]) => !/^(?:plain|currentVersion|items,page|items$)/.test(shape));
  for (const [shape, paths] of others) {
    if (paths.includes('/categories/seed/profiles')) continue;
    expect([paths, shape]).toEqual([paths, expect.stringMatching(/^items,nextCursor/)]);
  }
});
