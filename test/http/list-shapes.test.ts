import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { newProduct } from '../support/bakery.js';
import { newPerson, refusal, signedIn } from '../support/people.js';
import { exampleOf } from '../support/route-examples.js';
import { askRoute, nameOf } from '../support/route-requests.js';
import { openWorld } from '../support/world.js';

/** Every list of the service is asked for: it has the shape that docs/api-clients.md promises, and the table there forgets none. */

const world = await openWorld({ env: { ROLES: 'api,projections' } });
const store = await world.newStore();
const person = await signedIn(world, await newPerson(world, store));
afterAll(() => world.close());

/** The words of the table, as routes. */
const ROUTES: Readonly<Record<string, readonly string[]>> = {
  categories: ['/categories'],
  brands: ['/brands'],
  tags: ['/product-tags'],
  recipes: ['/bakery-production/recipes'],
  'production orders': ['/bakery-production/orders'],
  'planning suggestions': ['/bakery-production/planning/suggestions'],
  'your stores': ['/auth/my-stores'],
  'the permission catalogue': ['/auth/permissions/catalog'],
  'documents of a sale': ['/fiscal/documents/by-sale/{saleId}'],
  'changes of a record': ['/audit/entities/{kind}/{id}/changes'],
  products: ['/products'],
  'products of a category': ['/categories/{id}/products'],
  'products of a brand': ['/brands/{id}/products'],
  'products of a tag': ['/product-tags/{id}/products'],
  'traceability (`orders`)': ['/bakery-production/traceability'],
  'recall (`sales`)': ['/bakery-production/recall'],
  'versions of a recipe': ['/bakery-production/recipes/{id}/versions'],
  explanations: [
    '/explain/lots/{lotId}',
    '/explain/lots/{lotId}/cost',
    '/explain/variants/{id}/average-cost',
    '/explain/orders/{id}',
    '/explain/sales/{id}',
    '/explain/planning/{recipeId}',
  ],
  'your sessions': ['/auth/sessions'],
  'labels of variants': ['/products/variant-labels'],
  'the summary of sales': ['/sales/summary'],
};

const OTHERS = 'all others';

interface Promised {
  readonly shape: string;
  readonly where: readonly string[];
  readonly goingOn: string;
}

function promises(): readonly Promised[] {
  const text = readFileSync('docs/api-clients.md', 'utf8');
  const table = text.slice(text.indexOf('| shape ')).split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, shape = '', where = '', goingOn = ''] = line.split('|').map((cell) => cell.trim());
      return { shape, where: where.split(', '), goingOn };
    });
}

const rows = promises();
const rowOf = (path: string): Promised | undefined =>
  rows.find(({ where }) => where.some((words) => ROUTES[words]?.includes(path))) ??
  rows.find(({ where }) => where.includes(OTHERS));

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}
interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get?: {
          readonly responses: Readonly<Record<string, { content?: Record<string, { schema: Schema }> }>>;
        };
      }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const { paths, components } = (await (await fetch(`${world.url}/openapi.json`)).json()) as OpenApi;

function isList(path: string): boolean {
  const answer = paths[path]?.get?.responses['200']?.content?.['application/json']?.schema;
  const schema = answer?.$ref === undefined ? answer : components.schemas[answer.$ref.split('/').at(-1) ?? ''];
  const members = Object.keys(schema?.properties ?? {});
  return (
    schema?.type === 'array' || members.includes('nextCursor') || members.includes('page') || members.join() === 'items'
  );
}

let asked = 0;
const lists = world.service.routes.filter(({ method, path }) => method === 'get' && isList(path));

test('the table speaks of lists alone, and of each in known words', () => {
  const known = rows.flatMap(({ where }) => where).filter((words) => words !== OTHERS);
  expect([...known].sort()).toEqual(Object.keys(ROUTES).sort());
  const listed = new Set(lists.map(({ path }) => path));
  expect(
    Object.values(ROUTES)
      .flat()
      .filter((path) => !listed.has(path)),
  ).toEqual([]);
  expect(lists.length).toBeGreaterThan(40);
});

describe.each(lists.map((route) => [nameOf(route), route] as const))('%s', (_, route) => {
  const row = rowOf(route.path);

  test('answers as its row promises', async () => {
    const client = route.permission === 'session' ? person : store;
    const example = await exampleOf({ ...route, takesBody: false }, `lista-${String(++asked)}`, store);
    const answer = await askRoute(client, route, example);
    expect(answer.status).toBe(200);
    const body = answer.body as object;
    expect(Array.isArray(body)).toBe(row?.shape === 'plain array');
    const members = row?.shape === 'plain array' ? [] : (row?.shape.match(/\w+/g) ?? []);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(members));
    if (row?.shape === '`{ items }`') expect(Object.keys(body)).toEqual(['items']);
    expect(route.response.continued ?? false).toBe(row?.goingOn.includes('X-Next-Cursor') ?? false);
    if (!row?.goingOn.includes('as `cursor`')) return;
    const elsewhere = { ...example, query: { ...example.query, cursor: 'de outra lista' } };
    expect(refusal(await askRoute(client, route, elsewhere))).toEqual([400, 'INVALID_INPUT']);
  });
});

test('a list refuses the cursor of another one that has the same order', async () => {
  for (const name of ['Ana', 'Bia']) await store.call('POST', '/customers', { name });
  const { nextCursor } = (await store.call('GET', '/customers?limit=1')).body as { readonly nextCursor: string };
  expect((await store.call('GET', `/customers?cursor=${nextCursor}`)).status).toBe(200);
  expect(refusal(await store.call('GET', `/fiscal/documents?cursor=${nextCursor}`))).toEqual([400, 'INVALID_INPUT']);
});

test('receipts, adjustments and transfers refuse the cursors of each other, though they are kept together', async () => {
  const { variantId } = await newProduct(store, 'Aveia');
  const items = [{ variantId, quantity: 2, unitCost: 1 }];
  for (let count = 0; count < 2; count += 1) await store.call('POST', '/stock/receipts', { items });
  const { nextCursor } = (await store.call('GET', '/stock/receipts?limit=1')).body as { readonly nextCursor: string };
  expect((await store.call('GET', `/stock/receipts?cursor=${nextCursor}`)).status).toBe(200);
  for (const other of ['/stock/adjustments', '/stock/transfers'])
    expect(refusal(await store.call('GET', `${other}?cursor=${nextCursor}`))).toEqual([400, 'INVALID_INPUT']);
});

test('a list of a small set refuses the cursor of another one', async () => {
  expect((await store.call('POST', '/locations', { name: 'Depósito' })).status).toBe(201);
  const { nextCursor } = (await store.call('GET', '/locations?limit=1')).body as { readonly nextCursor: string };
  expect((await store.call('GET', `/locations?cursor=${nextCursor}`)).status).toBe(200);
  for (const other of ['/users', '/api-keys', '/fiscal/tax-rules', '/outbound-webhooks'])
    expect(refusal(await store.call('GET', `${other}?cursor=${nextCursor}`))).toEqual([400, 'INVALID_INPUT']);
});
