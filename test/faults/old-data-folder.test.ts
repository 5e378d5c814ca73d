import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { granted } from '../support/bakery.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** Data folders of releases before: what they hold is there with every later version, and goes on. */

const FOLDERS = 'test/fixtures/data-folders';

let world: World | undefined;
afterEach(() => world?.close());

/** This version on a copy of a folder that another one left, with a key of its store. */
async function startedOn(name: string, slug: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'old-folder-'));
  const folder = join(FOLDERS, name);
  for (const file of await readdir(folder)) {
    const held = await readFile(join(folder, file));
    const isPacked = file.endsWith('.gz');
    await writeFile(join(dataDir, isPacked ? file.slice(0, -'.gz'.length) : file), isPacked ? gunzipSync(held) : held);
  }
  world = await openWorld({ dataDir, env: { ROLES: 'api,projections' } });
  await world.service.projections.caughtUp();
  return world.newKey(slug);
}

const reader =
  (store: StoreClient) =>
  async <T = object>(path: string): Promise<T> =>
    (await granted(store.call('GET', path))).body as T;

test('a data folder of the first version starts, with everything that it held', async () => {
  const store = await startedOn('first', 'loja-1-1eae4ef3-c687-409f-bfa2-49929fbb9e84');
  const read = reader(store);
  const bread = '01a2031d-2f9e-701d-ab6b-8bcc02cf9f57';

  // Sealed with a key that lies in the vault.
  expect(await read('/customers/01a2031d-329a-7e11-85bb-603807e9b63a')).toMatchObject({
    name: 'Ana Lima',
    document: '52998224725',
  });
  expect(await read('/bakery-production/orders')).toHaveLength(2);
  expect(await read(`/stock/balances?variantId=${bread}`)).toMatchObject({ items: [{ quantity: 98 }] });
  const { items } = await read<{ items: readonly { id: string; number: number }[] }>('/sales');
  expect(items.map(({ number }) => number)).toEqual([1]);
  const { summary } = await read<{ summary: object }>('/bakery-production/recall?lotCode=F-1');
  const sold = { unit: 'UN', sold: 2, returned: 0, net: 2 };
  expect(summary).toMatchObject({ sales: 1, quantities: expect.arrayContaining([sold]) });

  // It goes on from there.
  await granted(store.call('POST', `/sales/${items[0]?.id ?? ''}/cancel`, { reason: 'engano' }));
  expect(await read(`/stock/balances?variantId=${bread}`)).toMatchObject({ items: [{ quantity: 100 }] });
});

test('a data folder that a killed process of the second version left starts with its read models', async () => {
  const store = await startedOn('second', 'loja-1-89ddc254-e9f5-4e68-94e6-3bc814b531cd');
  const read = reader(store);
  const bread = '01a205b5-36f7-75bb-9d18-50f5744b5032';
  const sale = '01a205b5-38b4-7ce5-b5b5-0dee8b70c9d6';

  expect(await read('/customers/01a205b5-3848-7939-b1a2-d217dd0bbde9')).toMatchObject({ name: 'Ana Lima' });
  // Kept in a new way since: made anew out of the log.
  expect(await read('/bakery-production/orders?status=COMPLETED&sort=ended')).toMatchObject([
    { number: 1, actualOutputQty: 30 },
  ]);
  expect(await read(`/stock/balances?variantId=${bread}`)).toMatchObject({ items: [{ quantity: 28 }] });
  const { summary } = await read<{ summary: object }>('/bakery-production/recall?lotCode=F-1');
  expect(summary).toMatchObject({ sales: 1, customers: 1 });
  expect(await read(`/sales/${sale}`)).toMatchObject({ payments: [{ amount: 25, fee: 0.63 }] });
  expect(await read(`/fiscal/documents/by-sale/${sale}`)).toMatchObject([
    { model: 65, number: 1, status: 'AUTHORIZED' },
  ]);
  expect(await read('/outbound-webhooks')).toMatchObject({ items: [{ url: 'https://example.com/notas' }] });
  expect(await read('/audit/verification')).toMatchObject({ ok: true });

  // It goes on from there.
  const again = { saleId: sale, model: 65 };
  expect((await store.call('POST', '/fiscal/documents', again)).body).toMatchObject({ code: 'DOCUMENT_EXISTS' });
  await granted(
    store.call('POST', `/sales/${sale}/returns`, { items: [{ variantId: bread, quantity: 2 }], reason: 'queimado' }),
  );
  expect(await read(`/sales/${sale}`)).toMatchObject({ items: [{ quantity: 2, returnedQuantity: 2 }] });
  expect(await read(`/stock/balances?variantId=${bread}`)).toMatchObject({ items: [{ quantity: 30 }] });
});
