import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { granted } from '../support/bakery.js';
import type { World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** The oldest data folder that was ever released: what it holds is there with every later version, and goes on. */

const FOLDER = 'test/fixtures/data-folder';
const SLUG = 'loja-1-1eae4ef3-c687-409f-bfa2-49929fbb9e84';
const BREAD = '01a2031d-2f9e-701d-ab6b-8bcc02cf9f57';
const SOLD = { unit: 'UN', sold: 2, returned: 0, net: 2 };
const CUSTOMER = '01a2031d-329a-7e11-85bb-603807e9b63a';

let world: World | undefined;
afterEach(() => world?.close());

test('a data folder of the first version starts, with everything that it held', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'old-folder-'));
  await writeFile(join(dataDir, 'events.db'), gunzipSync(await readFile(join(FOLDER, 'events.db.gz'))));
  await copyFile(join(FOLDER, 'secrets.json'), join(dataDir, 'secrets.json'));
  world = await openWorld({ dataDir, env: { ROLES: 'api,projections' } });
  await world.service.projections.caughtUp();
  const store = await world.newKey(SLUG);
  const read = async <T>(path: string) => (await granted(store.call('GET', path))).body as T;

  // Sealed with a key that lies in the vault.
  expect(await read(`/customers/${CUSTOMER}`)).toMatchObject({ name: 'Ana Lima', document: '52998224725' });
  expect(await read('/bakery-production/orders')).toHaveLength(2);
  expect(await read(`/stock/balances?variantId=${BREAD}`)).toMatchObject({ items: [{ quantity: 98 }] });
  const { items } = await read<{ readonly items: readonly { readonly id: string; readonly number: number }[] }>(
    '/sales',
  );
  expect(items.map(({ number }) => number)).toEqual([1]);
  const recall = await read<{ readonly summary: object }>('/bakery-production/recall?lotCode=F-1');
  expect(recall.summary).toMatchObject({ sales: 1, quantities: expect.arrayContaining([SOLD]) });

  // It goes on from there.
  await granted(store.call('POST', `/sales/${items[0]?.id ?? ''}/cancel`, { reason: 'engano' }));
  expect(await read(`/stock/balances?variantId=${BREAD}`)).toMatchObject({ items: [{ quantity: 100 }] });
});
