import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { inventory } from '../../src/features/inventory/decider.js';
import { refusal } from '../support/people.js';
import { plainProduct } from '../support/route-examples.js';
import type { StoreClient } from '../support/world.js';
import { openWorld } from '../support/world.js';
import { until } from '../support/until.js';

const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();

interface Location {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly isProductionDefault: boolean;
}
const list = async (client: StoreClient, query = ''): Promise<{ items: Location[]; nextCursor: string | null }> =>
  (await client.call('GET', `/locations${query}`)).body as { items: Location[]; nextCursor: string | null };

test('a new store has one location, the same at every look', async () => {
  const fresh = await world.newStore();
  const { items } = await list(fresh);
  expect(items).toMatchObject([{ name: 'Principal', isDefault: true, isProductionDefault: true, active: true }]);
  const [first] = items;
  const read = await fresh.call('GET', `/locations/${first?.id ?? ''}`);
  expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, first, '"0"']);
  const other = await fresh.call('POST', '/locations', { name: 'Depósito' });
  expect([other.status, other.headers.get('etag')]).toEqual([201, '"1"']);
  expect((await fresh.call('GET', `/locations/${first?.id ?? ''}`)).headers.get('etag')).toBe('"0"');
});

test('locations are created, read, changed, deactivated and deleted', async () => {
  const made = await store.call('POST', '/locations', { name: 'Câmara fria', isProductionDefault: true });
  expect(made.body).toMatchObject({
    name: 'Câmara fria',
    isDefault: false,
    isProductionDefault: true,
    active: true,
    updatedAt: made.body.createdAt,
  });
  const path = `/locations/${made.body.id as string}`;
  const etag = made.headers.get('etag') ?? '';
  const renamed = await store.call('PATCH', path, { name: 'Câmara 1' }, { 'if-match': etag });
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Câmara 1']);
  expect((await store.call('PATCH', path, { name: 'x' }, { 'if-match': etag })).status).toBe(412);
  expect(refusal(await store.call('PATCH', path, { active: false }))).toEqual([409, 'LOCATION_IS_DEFAULT']);
  expect(refusal(await store.call('DELETE', path))).toEqual([409, 'LOCATION_IS_DEFAULT']);
  const heir = await store.call('POST', '/locations', { name: 'Cozinha', isProductionDefault: true });
  expect(heir.status).toBe(201);
  expect((await store.call('PATCH', path, { active: false })).body).toMatchObject({ active: false });
  expect((await store.call('DELETE', path)).status).toBe(204);
  expect((await store.call('GET', path)).status).toBe(404);
});

test('what lies at an inactive location can be taken away, and nothing comes to it', async () => {
  const { id } = (await store.call('POST', '/locations', { name: 'Fechado' })).body as Location;
  const { variantId } = await plainProduct(store, 'Leite');
  const post = async (path: string, body: object) => (await store.call('POST', `/stock/${path}`, body)).status;
  const items = [{ variantId, quantity: 5, unitCost: 1 }];
  expect(await post('receipts', { locationId: id, items })).toBe(201);
  expect((await store.call('PATCH', `/locations/${id}`, { active: false })).status).toBe(200);
  expect(await post('receipts', { locationId: id, items })).toBe(404);
  const open = (await list(store)).items.find(({ isDefault }) => isDefault)?.id;
  const moved = [{ variantId, quantity: 2 }];
  expect(await post('transfers', { fromLocationId: id, toLocationId: open, items: moved })).toBe(201);
  expect(await post('transfers', { fromLocationId: open, toLocationId: id, items: moved })).toBe(404);
  const adjusted = (quantity: number) => ({ reason: 'contagem', locationId: id, items: [{ variantId, quantity }] });
  expect(await post('adjustments', adjusted(-3))).toBe(201);
  expect(await post('adjustments', adjusted(1))).toBe(404);
});

test('the list comes in pages and knows when locations were made', async () => {
  const fresh = await world.newStore();
  for (const name of ['A', 'B', 'C']) await fresh.call('POST', '/locations', { name });
  const all = (await list(fresh)).items;
  expect(all).toHaveLength(4);
  const pages: Location[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(fresh, `?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
    pages.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(pages).toEqual(all);
  expect((await list(fresh, '?to=2020-01-01')).items).toEqual([]);
  for (const query of ['?limit=0', '?limit=201', '?cursor=x', '?q=x']) {
    expect((await fresh.call('GET', `/locations${query}`)).status).toBe(400);
  }
});

test('20 locations that want to be the default leave one', async () => {
  const fresh = await world.newStore();
  const names = Array.from({ length: 20 }, (_, index) => `Local ${String(index)}`);
  const answers = await Promise.all(names.map((name) => fresh.call('POST', '/locations', { name, isDefault: true })));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
  const { items } = await list(fresh);
  expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  expect(items.filter(({ isProductionDefault }) => isProductionDefault)).toMatchObject([{ name: 'Principal' }]);
});

test('20 parallel creations with one name leave one', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => store.call('POST', '/locations', { name: 'Vitrine' })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code as string))).toEqual(
    new Set(['NAME_TAKEN']),
  );
});

test.each([
  [{}],
  [{ name: '' }],
  [{ name: 'x'.repeat(121) }],
  [{ name: 'x', active: 'true' }],
  [{ name: 'x', isDefault: null }],
  [{ name: 'x', capacity: 1 }],
])('a body such as %j is refused', async (body) => {
  expect(refusal(await store.call('POST', '/locations', body))).toEqual([400, 'INVALID_INPUT']);
});

test('a name may have 120 characters', async () => {
  expect((await store.call('POST', '/locations', { name: 'x'.repeat(120) })).status).toBe(201);
});

test('who comes to use a location while it is deleted finds it gone, or keeps it', async () => {
  const { variantId } = await plainProduct(store, 'Fubá');
  const item = { variantId, quantity: 1 };
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const { body: location } = await store.call('POST', '/locations', { name: `Prateleira ${String(index)}` });
      const locationId = location.id as string;
      const receive = () => store.call('POST', '/stock/receipts', { locationId, items: [{ ...item, unitCost: 1 }] });
      const sell = () =>
        store.call('POST', '/sales', {
          locationId,
          items: [{ ...item, unitPrice: 1 }],
          payments: [{ method: 'CASH', amount: 1 }],
          allowNegativeStock: true,
        });
      const [used, deleted] = await Promise.all([
        index % 2 === 0 ? receive() : sell(),
        store.call('DELETE', `/locations/${locationId}`),
      ]);
      const after = await store.call('GET', `/locations/${locationId}`);
      return `${String(used.status)} ${String(deleted.status)} ${String(after.status)}`;
    }),
  );
  expect(outcomes.filter((outcome) => outcome !== '201 409 200' && outcome !== '404 204 404')).toEqual([]);
});

describe('when the process ends in the middle of a deletion', () => {
  /** The location of a store whose service ended before it was retired, `meanwhile` having happened before it was deleted; two minutes later. */
  async function afterCrash(meanwhile: (client: StoreClient, locationId: string) => Promise<unknown>) {
    const dying = await openWorld();
    const client = await dying.newStore();
    const locationId = (await client.call('POST', '/locations', { name: 'Anexo' })).body.id as string;
    const { lanes } = dying.service.core;
    const execute = lanes.execute.bind(lanes);
    jest.spyOn(lanes, 'execute').mockImplementation(async (type, stream, command, envelope) => {
      const is = (name: string) => (command as { readonly type: string }).type === name;
      if (is('retireLocation')) throw new Error('the process has ended');
      if (is('delete')) await meanwhile(client, locationId);
      return execute(type, stream, command, envelope);
    });
    expect((await client.call('DELETE', `/locations/${locationId}`)).status).toBe(500);
    expect((await client.call('GET', `/locations/${locationId}`)).status).toBe(404);
    await dying.close('keep');
    const later = await openWorld({ dataDir: dying.dataDir, clock: { now: () => Date.now() + 120_000 } });
    const reader = await later.newKey(client.slug);
    const isRetired = async () => {
      const context = later.service.features.contextOf(reader.storeId);
      return (await context.current(inventory)).retiredLocations.has(locationId);
    };
    return { later, reader, locationId, isRetired };
  }

  test('nothing comes to the location once the service runs again', async () => {
    const { later, reader, locationId, isRetired } = await afterCrash(() => Promise.resolve());
    try {
      await until('the location is retired', isRetired);
      expect((await reader.call('GET', `/locations/${locationId}`)).status).toBe(404);
    } finally {
      await later.close();
    }
  });

  test('who came to use the location meanwhile gets it back', async () => {
    const { later, reader, locationId, isRetired } = await afterCrash(async (client, id) => {
      const { variantId } = await plainProduct(client, 'Sal');
      const items = [{ variantId, quantity: 1, unitCost: 1 }];
      expect((await client.call('POST', '/stock/receipts', { locationId: id, items })).status).toBe(201);
    });
    try {
      const location = () => reader.call('GET', `/locations/${locationId}`);
      await until('the location is back', async () => (await location()).status === 200);
      expect((await location()).body).toMatchObject({ name: 'Anexo', isDefault: false, active: true });
      expect(await isRetired()).toBe(false);
    } finally {
      await later.close();
    }
  });
});
