import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { insist } from '../support/bakery.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

type Settings = Readonly<Record<string, string>>;

/** What categories, brands and tags must do on every engine; `settings` choose it. */
export function namedSetsContract(settings: () => Settings): void {
  let world: World;
  let store: StoreClient;
  let other: StoreClient;

  beforeAll(async () => {
    world = await openWorld({ env: settings() });
    [store, other] = await Promise.all([world.newStore(), world.newStore()]);
  });
  afterAll(() => world.close());

  const create = async (path: string, body: object): Promise<{ id: string; etag: string }> => {
    const { status, body: made, headers } = await store.call('POST', path, body);
    expect(status).toBe(201);
    return { id: (made as { id: string }).id, etag: headers.get('etag') ?? '' };
  };

  describe.each([
    ['/categories', { name: 'Pães', defaultNcm: '19059090' }, 'NAME_TAKEN'],
    ['/brands', { name: 'Moinho Dourado' }, 'NAME_TAKEN'],
    ['/product-tags', { name: 'Vegano' }, undefined],
  ])('%s', (path, body, onTaken) => {
    test('gives back what was created, at once and in every later answer', async () => {
      const { id } = await create(path, { ...body, name: `${body.name} A` });
      const expected = { id, ...body, name: `${body.name} A`, productCount: 0 };
      expect((await store.call('GET', `${path}/${id}`)).body).toMatchObject(expected);
      const { body: list } = await store.call('GET', path);
      expect((list as { id: string }[]).find((one) => one.id === id)).toMatchObject(expected);
    });

    test('lists by name, whatever case and accents', async () => {
      for (const name of ['Água', 'abacaxi', 'Zebra']) await create(path, { name });
      const { body: list } = await store.call('GET', path);
      const names = (list as { name: string }[]).map(({ name }) => name);
      expect(names.filter((name) => ['Água', 'abacaxi', 'Zebra'].includes(name))).toEqual(['abacaxi', 'Água', 'Zebra']);
    });

    test('gives its list in pages to who asks for them', async () => {
      const all = (await store.call('GET', path)).body as object[];
      const paged: object[] = [];
      let cursor: string | null = null;
      do {
        const suffix: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await store.call('GET', `${path}?limit=2${suffix}`);
        expect((page.body as object[]).length).toBeLessThanOrEqual(2);
        paged.push(...(page.body as object[]));
        cursor = page.headers.get('x-next-cursor');
      } while (cursor !== null);
      expect(paged).toEqual(all);
      for (const wrong of ['limit=0', 'limit=10001', 'limit=1e1', 'cursor=', 'cursor=nonsense', 'other=1']) {
        expect((await store.call('GET', `${path}?${wrong}`)).status).toBe(400);
      }
    });

    test('knows a taken name', async () => {
      const { id } = await create(path, { name: 'Café' });
      const again = await store.call('POST', path, { name: 'CAFE\u0301' });
      if (onTaken) expect([again.status, again.body.code]).toEqual([409, onTaken]);
      else expect([again.status, again.body.id, again.body.existing]).toEqual([201, id, true]);
    });

    test('lets one of 50 creations with one name win', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => store.call('POST', path, { name: 'Disputado' })),
      );
      const made = answers.filter(({ status, body: answer }) => status === 201 && answer.existing === undefined);
      expect(made).toHaveLength(1);
      expect(
        new Set(answers.flatMap(({ status, body: answer }) => (status === 201 ? [answer.id as string] : []))).size,
      ).toBe(1);
    });

    test('lets one of 50 changes with one entity tag win', async () => {
      const { id, etag } = await create(path, { name: 'Mudança' });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          insist(store, 'PATCH', `${path}/${id}`, { name: `Mudança ${String(index)}` }, randomUUID(), {
            'if-match': etag,
          }),
        ),
      );
      const others = answers.filter(({ status }) => status !== 412);
      expect(others).toMatchObject([{ status: 200, body: { id } }]);
    });

    test('answers a change with the whole record and a new entity tag', async () => {
      const { id, etag } = await create(path, { name: 'Antes' });
      const changed = await store.call('PATCH', `${path}/${id}`, { name: 'Depois' });
      expect(changed.body).toMatchObject({ id, name: 'Depois', productCount: 0 });
      expect(changed.headers.get('etag')).not.toBe(etag);
      expect((await store.call('GET', `${path}/${id}`)).headers.get('etag')).toBe(changed.headers.get('etag'));
    });

    test('deletes, and then there is nothing', async () => {
      const { id } = await create(path, { name: 'Some' });
      expect((await store.call('DELETE', `${path}/${id}`)).status).toBe(204);
      expect((await store.call('GET', `${path}/${id}`)).status).toBe(404);
      expect((await store.call('DELETE', `${path}/${id}`)).status).toBe(404);
      await create(path, { name: 'Some' });
    });

    test('tells another store nothing and lets it change nothing', async () => {
      const { id } = await create(path, { name: 'Nosso' });
      const before = await store.call('GET', `${path}/${id}`);
      const attempts = [
        await other.call('GET', `${path}/${id}`),
        await other.call('PATCH', `${path}/${id}`, { name: 'Deles' }),
        await other.call('DELETE', `${path}/${id}`),
      ];
      const unknown = await other.call('GET', `${path}/01a1fe3e-9906-738c-84d5-8a2d82a0e196`);
      for (const { status, body: answer } of attempts) {
        expect([status, answer.code, answer.detail]).toEqual([404, unknown.body.code, unknown.body.detail]);
      }
      expect((await store.call('GET', `${path}/${id}`)).text).toBe(before.text);
      expect((await other.call('GET', path)).body).toEqual([]);
    });

    test('finds an id whatever its case, and what is no id nowhere', async () => {
      const { id } = await create(path, { name: 'Maiúsculas' });
      expect((await store.call('GET', `${path}/${id.toUpperCase()}`)).status).toBe(200);
      expect((await store.call('PATCH', `${path}/not-an-id`, { name: 'x' })).status).toBe(404);
    });

    test('needs its permission to change and another to look', async () => {
      const reader = await world.newKey(store.slug, 'products.view');
      const stranger = await world.newKey(store.slug, 'sales.view');
      expect((await reader.call('GET', path)).status).toBe(200);
      expect((await reader.call('POST', path, { name: 'x' })).status).toBe(403);
      expect((await stranger.call('GET', path)).status).toBe(403);
    });

    test('repeats an answer for its idempotency key', async () => {
      const key = { 'idempotency-key': `${path}-1` };
      const first = await store.call('POST', path, { name: 'Uma vez' }, key);
      const second = await store.call('POST', path, { name: 'Uma vez' }, key);
      expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([
        201,
        first.text,
        'true',
      ]);
    });
  });

  describe('bulk deletions', () => {
    test.each([
      ['/categories', 'unlinkedProducts'],
      ['/product-tags', 'untaggedProducts'],
    ])('%s ignore what is unknown and count what is gone', async (path, counted) => {
      const made = [await create(path, { name: 'Lote 1' }), await create(path, { name: 'Lote 2' })];
      const ids = [...made.map(({ id }) => id), '01a1fe3e-9906-738c-84d5-8a2d82a0e196'];
      const { status, body } = await store.call('POST', `${path}/bulk-delete`, { ids });
      expect([status, body]).toEqual([200, { deleted: 2, [counted]: 0 }]);
      expect((await store.call('GET', `${path}/${made[0]?.id ?? ''}`)).status).toBe(404);
    });

    test('count the products of an id once, however often it is named', async () => {
      const { id: categoryId } = await create('/categories', { name: 'Duas vezes' });
      const product = { description: 'Pão', priceCash: 1, priceCredit: 1, categoryId };
      expect((await store.call('POST', '/products', product)).status).toBe(201);
      const { body } = await store.call('POST', '/categories/bulk-delete', { ids: [categoryId, categoryId] });
      expect(body).toEqual({ deleted: 1, unlinkedProducts: 1 });
    });

    test('take at most 200 ids', async () => {
      const ids = Array.from({ length: 201 }, () => '01a1fe3e-9906-738c-84d5-8a2d82a0e196');
      expect((await store.call('POST', '/categories/bulk-delete', { ids })).status).toBe(400);
      expect((await store.call('POST', '/categories/bulk-delete', { ids: ids.slice(1) })).status).toBe(200);
    });
  });

  test('a category keeps its NCM until null clears it', async () => {
    const { id } = await create('/categories', { name: 'Com NCM', defaultNcm: '19059090' });
    expect((await store.call('PATCH', `/categories/${id}`, { name: 'Com NCM 2' })).body.defaultNcm).toBe('19059090');
    expect(
      (await store.call('PATCH', `/categories/${id}`, { name: 'Com NCM 2', defaultNcm: null })).body.defaultNcm,
    ).toBeNull();
  });

  test('what was answered is there after a restart', async () => {
    const env = settings();
    const first = await openWorld({ env });
    const client = await first.newStore();
    const { body } = await client.call('POST', '/categories', { name: 'Fica' }, { 'idempotency-key': 'k' });
    await first.close('keep');
    const second = await openWorld({ dataDir: first.dataDir, env });
    const headers = { authorization: `Bearer ${client.key}`, 'x-store-slug': client.slug };
    const list = (await (await fetch(`${second.url}/categories`, { headers })).json()) as object[];
    const replayed = await fetch(`${second.url}/categories`, {
      method: 'POST',
      body: JSON.stringify({ name: 'Fica' }),
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'k' },
    });
    await second.close();
    expect(list).toEqual([body]);
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });
}
