import { afterAll, expect, test } from '@jest/globals';
import { SetClock, expectOk } from '../support/people.js';
import { plainProduct } from '../support/route-examples.js';
import { openWorld } from '../support/world.js';

// 2026-03-02, nine o'clock in the morning of the store.
const clock = new SetClock();

const world = await openWorld({ clock });
afterAll(() => world.close());
const store = await world.newStore();
const { variantId } = await plainProduct(store, 'Leite');

interface Shown {
  readonly items: readonly { readonly lotCode: string; readonly lotId: string }[];
  readonly nextCursor: string | null;
}
const receive = (items: readonly object[]) =>
  expectOk(
    store.call('POST', '/stock/receipts', {
      items: items.map((item) => ({ variantId, quantity: 3, unitCost: 2, ...item })),
    }),
  );
const expiring = async (query = ''): Promise<Shown> =>
  (await expectOk(store.call('GET', `/stock/expiring${query}`))) as Shown;
const codes = async (query?: string) => (await expiring(query)).items.map(({ lotCode }) => lotCode);

test('lots that expire are listed while something is left of them, the first to expire first', async () => {
  await receive([
    { lotCode: 'SEMANA', expiresAt: '2026-03-09' },
    { lotCode: 'DEPOIS', expiresAt: '2026-03-10' },
    { lotCode: 'NUNCA' },
    { lotCode: 'HOJE', expiresAt: '2026-03-02' },
    { lotCode: 'GASTO', expiresAt: '2026-03-03' },
    { lotCode: 'VENCIDO', expiresAt: '2026-02-20' },
  ]);
  const spent = (await expiring()).items.find(({ lotCode }) => lotCode === 'GASTO');
  const away = { reason: 'quebra', items: [{ variantId, lotId: spent?.lotId, quantity: -3 }] };
  await expectOk(store.call('POST', '/stock/adjustments', away));
  expect(await codes()).toEqual(['VENCIDO', 'HOJE', 'SEMANA']);
  expect(await codes('?days=8')).toEqual(['VENCIDO', 'HOJE', 'SEMANA', 'DEPOIS']);
  expect(await codes('?days=0')).toEqual(['VENCIDO', 'HOJE']);
  expect(await codes('?includeExpired=false')).toEqual(['HOJE', 'SEMANA']);
  expect((await expiring()).items[1]).toMatchObject({
    variantId,
    description: 'Leite',
    unit: 'UN',
    quantity: 3,
    expired: false,
    expiresOn: '2026-03-02',
    status: 'AVAILABLE',
    expiresAt: '2026-03-03T03:00:00.000Z',
  });
  expect((await expiring()).items[0]).toMatchObject({ expired: true });
});

test('the list goes on page by page, and knows its own parameters alone', async () => {
  const first = await expiring('?limit=2');
  const second = await expiring(`?limit=2&cursor=${first.nextCursor ?? ''}`);
  expect([...first.items, ...second.items].map(({ lotCode }) => lotCode)).toEqual(['VENCIDO', 'HOJE', 'SEMANA']);
  expect(second.nextCursor).toBeNull();
  for (const wrong of ['?days=-1', '?days=4000', '?days=x', '?from=2026-01-01']) {
    expect((await store.call('GET', `/stock/expiring${wrong}`)).status).toBe(400);
  }
});
