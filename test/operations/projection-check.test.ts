import { afterAll, expect, test } from '@jest/globals';
import { projectors } from '../../projections/index.js';
import { typicalBodies } from '../../src/adapters/embedded/packed-bodies.js';
import { openReadFileForWriting } from '../../src/adapters/embedded/read-file.js';
import type { ProjectionCheck } from '../../src/operations/projection-check.js';
import { systemClock } from '../../src/kernel/values/clock.js';
import { checkOf } from '../../src/core.js';
import { newTracedBakery, sell } from '../support/traced-bakery.js';
import { openWorld } from '../support/world.js';

/** The read models of a service that runs, compared with what a replay makes. */

const world = await openWorld({ env: { ROLES: 'api,projections' } });
const store = await world.newStore();
const { bread } = await newTracedBakery(store);
for (let count = 0; count < 12; count++) await sell(store, bread, 2);
await store.call('POST', '/customers', { name: 'Ana Lima', phone: '11912340002' });
afterAll(() => world.close());

const check = (): Promise<ProjectionCheck> => checkOf(world.service.core, world.service.projections, systemClock())();

/** Changes the read models behind the service's back, has them compared, and puts them back. */
async function changed(there: string, back: string): Promise<ProjectionCheck> {
  const collections = projectors.map(({ collection }) => collection);
  const database = openReadFileForWriting(world.dataDir, 8, typicalBodies(collections));
  try {
    database.exec(there);
    return await check();
  } finally {
    database.exec(back);
    database.close();
  }
}

test('what nobody changed is what a replay makes', async () => {
  const found = await check();
  expect(found).toMatchObject({ ok: true, differing: 0, differences: [], collections: projectors.length });
  expect(found.documents).toBeGreaterThan(30);
  expect(found.rows).toBeGreaterThan(30);
});

test('a document that differs is named, with the first differences by path', async () => {
  const found = await changed(
    `update "live:sales" set body = replace(unpacked(body, 'sales'), '"total":4,"returnedTotal"', '"total":5,"returnedTotal"') where "c:number" = 2`,
    `update "live:sales" set body = replace(unpacked(body, 'sales'), '"total":5,"returnedTotal"', '"total":4,"returnedTotal"') where "c:number" = 2`,
  );
  expect(found).toMatchObject({
    ok: false,
    differing: 1,
    differences: [{ collection: 'sales', store: store.storeId, changes: [{ path: 'total', from: 5, to: 4 }] }],
  });
});

test('a column that says something else than its document is named, since lists are found and sorted by it', async () => {
  const found = await changed(
    `update "live:sales" set "c:number" = 77 where "c:number" = 2`,
    `update "live:sales" set "c:number" = 2 where "c:number" = 77`,
  );
  expect(found).toMatchObject({
    ok: false,
    differing: 1,
    differences: [
      { collection: 'sales', store: store.storeId, changes: [{ path: 'columns.number', from: 77, to: 2 }] },
    ],
  });
});

test('a sale that is not found by one of its lots any more is named, since a recall finds it there', async () => {
  const table = '"live:sold-lots:by lotId,soldAt,saleId,customerId"';
  const found = await changed(
    `create table aside as select * from ${table}; delete from ${table} where "c:saleId" = (select max("c:saleId") from aside)`,
    `delete from ${table}; insert into ${table} select * from aside; drop table aside`,
  );
  expect(found).toMatchObject({ ok: false, differing: 1 });
  const id = expect.stringMatching(/^lotId [0-9a-f-]{36}$/) as unknown as string;
  expect(found.differences).toMatchObject([{ collection: 'sold-lots', id, changes: [{ from: null }] }]);
  expect(await check()).toMatchObject({ ok: true });
});

test('what is there too much is counted, also where a replay makes nothing of the kind', async () => {
  const { id } = (await store.call('POST', '/product-tags', { name: 'Vegano' })).body as { id: string };
  await store.call('GET', '/product-tags');
  const database = openReadFileForWriting(
    world.dataDir,
    8,
    typicalBodies(projectors.map(({ collection }) => collection)),
  );
  database.exec(`create table aside as select * from "live:tags"`);
  database.close();
  await store.call('DELETE', `/product-tags/${id}`);
  expect((await store.call('GET', '/product-tags')).body).toEqual([]);
  const found = await changed(
    `insert into "live:tags" select * from aside`,
    `delete from "live:tags"; drop table aside`,
  );
  expect(found).toMatchObject({ ok: false, differing: 1 });
  expect(found.differences).toMatchObject([
    { collection: 'tags', store: store.storeId, changes: [{ path: 'count', from: 1, to: 0 }] },
  ]);
});

test('in which order the members of a document are kept says nothing', async () => {
  const kept = await check();
  const database = openReadFileForWriting(
    world.dataDir,
    8,
    typicalBodies(projectors.map(({ collection }) => collection)),
  );
  const { body } = database
    .prepare(`select unpacked(body, 'sales') as body from "live:sales" where "c:number" = 2`)
    .get() as { body: string };
  database.close();
  const { id, ...rest } = JSON.parse(body) as { id: string };
  const reordered = JSON.stringify({ ...rest, id });
  expect(reordered).not.toBe(body);
  const quoted = (text: string) => text.replaceAll("'", "''");
  const set = (text: string) => `update "live:sales" set body = '${quoted(text)}' where "c:number" = 2`;
  expect(await changed(set(reordered), set(body))).toMatchObject({ ok: true, documents: kept.documents });
});

test('rows that are too few, or say something else, are named by what they have in common', async () => {
  const aside = 'create table aside as select * from "live:lot-graph";';
  const back = 'delete from "live:lot-graph"; insert into "live:lot-graph" select * from aside; drop table aside';
  const quantities = await changed(
    `${aside} update "live:lot-graph" set "c:quantity" = 7 where "c:kind" = 'USED'`,
    back,
  );
  const id = expect.stringMatching(/^source [0-9a-f-]{36}$/) as unknown as string;
  const path = expect.stringMatching(/quantity$/) as unknown as string;
  expect(quantities.differences[0]).toMatchObject({ collection: 'lot-graph', id, changes: [{ path, from: 7 }] });
  // Another lot's goods in an order: nothing adds up to something else.
  const [first, second] = ['min', 'max'].map(
    (which) => `(select ${which}("c:source") from aside where "c:kind" = 'USED')`,
  );
  const swapped = `update "live:lot-graph" set "c:source" = ${first ?? ''} where "c:source" = ${second ?? ''} and "c:kind" = 'USED'`;
  expect(await changed(`${aside} ${swapped}`, back)).toMatchObject({ ok: false, differing: 2 });
  const gone = await changed(`${aside} delete from "live:lot-graph" where "c:kind" = 'MADE'`, back);
  expect(gone.differences[0]).toMatchObject({ collection: 'lot-graph', id });
  expect(await check()).toMatchObject({ ok: true });
});
