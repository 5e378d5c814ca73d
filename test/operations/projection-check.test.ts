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

test('rows that are too few, or say something else, are counted', async () => {
  const found = await changed(
    `create table aside as select * from "live:lot-graph"; update "live:lot-graph" set "c:quantity" = 7 where "c:kind" = 'USED'`,
    `delete from "live:lot-graph"; insert into "live:lot-graph" select * from aside; drop table aside`,
  );
  expect(found.differences).toMatchObject([{ collection: 'lot-graph', changes: [{ path: 'sum of quantity' }] }]);
  expect(await check()).toMatchObject({ ok: true });
});
