import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FiscalRecord } from '../../projections/fiscal/documents.js';
import { granted } from '../support/bakery.js';
import { FISCAL, fiscalStore, soldSale } from '../support/fiscal/store.js';
import { SetClock, refusal } from '../support/people.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** What is found again of documents that were issued a minute after each other, around midnight in the store. */

const MINUTE = 60_000;
const BEFORE_MIDNIGHT = Date.parse('2026-03-02T23:58:00-03:00');
const clock = new SetClock();
let world: World;
let store: StoreClient;
let authorized: FiscalRecord;
let rejected: FiscalRecord;
let failed: FiscalRecord;
let large: FiscalRecord;

async function issued(saleId: string, model = 65): Promise<FiscalRecord> {
  clock.wait(MINUTE);
  return (await granted(store.call('POST', '/fiscal/documents', { saleId, model }))).body as FiscalRecord;
}

/** A sale whose buyer a document of model 55 can name. */
async function saleToKnown(variantId: string): Promise<string> {
  const buyer = { name: 'Ana Souza', document: '11144477735', address: FISCAL.address };
  const { body: customer } = await granted(store.call('POST', '/customers', buyer));
  const { body: sale } = await granted(
    store.call('POST', '/sales', {
      customerId: (customer as { id: string }).id,
      items: [{ variantId, quantity: 1, unitPrice: 5 }],
      payments: [{ method: 'CASH', amount: 5 }],
    }),
  );
  return (sale as { id: string }).id;
}

beforeAll(async () => {
  clock.wait(BEFORE_MIDNIGHT - clock.now());
  world = await openWorld({ clock });
  store = await fiscalStore(world);
  const { saleId, variantId } = await soldSale(store);
  authorized = await issued(saleId);
  rejected = await issued((await soldSale(store, { ncm: null })).saleId);
  large = await issued(await saleToKnown(variantId), 55);
  await granted(store.call('PATCH', '/store', { fiscal: { ...FISCAL, stateRegistration: null } }));
  failed = await issued((await soldSale(store)).saleId);
  expect([authorized, rejected, large, failed].map(({ status }) => status)).toEqual([
    'AUTHORIZED',
    'REJECTED',
    'AUTHORIZED',
    'FAILED',
  ]);
});
afterAll(() => world.close());

const listed = async (query: string): Promise<{ ids: readonly string[]; nextCursor: string | null }> => {
  const { body } = await granted(store.call('GET', `/fiscal/documents${query}`));
  const { items, nextCursor } = body as { items: readonly FiscalRecord[]; nextCursor: string | null };
  return { ids: items.map(({ id }) => id), nextCursor };
};

describe('the list', () => {
  test('goes from the newest to the oldest, over its pages', async () => {
    const first = await listed('?limit=3');
    expect(first.ids).toEqual([failed, large, rejected].map(({ id }) => id));
    expect(await listed(`?limit=3&cursor=${String(first.nextCursor)}`)).toEqual({
      ids: [authorized.id],
      nextCursor: null,
    });
  });

  test('is narrowed by each of its filters, and by several', async () => {
    expect((await listed('?status=REJECTED')).ids).toEqual([rejected.id]);
    expect((await listed('?model=55')).ids).toEqual([large.id]);
    expect((await listed(`?saleId=${authorized.saleId}`)).ids).toEqual([authorized.id]);
    expect((await listed('?status=AUTHORIZED&model=65')).ids).toEqual([authorized.id]);
    expect((await listed(`?status=FAILED&saleId=${authorized.saleId}`)).ids).toEqual([]);
  });

  test('of a day holds what was made on it by the clocks of the store', async () => {
    expect((await listed('?from=2026-03-02&to=2026-03-02')).ids).toEqual([authorized.id]);
    expect((await listed('?from=2026-03-03')).ids).toEqual([failed, large, rejected].map(({ id }) => id));
  });

  test('is that of the store alone', async () => {
    const other = await world.newStore();
    expect((await other.call('GET', '/fiscal/documents')).body).toEqual({ items: [], nextCursor: null });
    for (const path of ['', '/xml', '/pdf']) {
      expect(refusal(await other.call('GET', `/fiscal/documents/${authorized.id}${path}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect(refusal(await other.call('GET', `/fiscal/documents/by-sale/${authorized.saleId}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
});

test('a sale without documents has none, and one that there is not is not found', async () => {
  const { saleId } = await soldSale(store);
  expect((await store.call('GET', `/fiscal/documents/by-sale/${saleId}`)).body).toEqual([]);
  for (const unknown of [randomUUID(), 'none']) {
    expect(refusal(await store.call('GET', `/fiscal/documents/by-sale/${unknown}`))).toEqual([404, 'NOT_FOUND']);
  }
});

test('files are named by the access key; a rejected document gives what was signed, and one that failed has none', async () => {
  const fileOf = async ({ id }: FiscalRecord, kind: string) => {
    const { status, headers, text } = await store.call('GET', `/fiscal/documents/${id}/${kind}`);
    return { status, name: /filename="(.*)"/.exec(headers.get('content-disposition') ?? '')?.[1], text };
  };
  expect(await fileOf(authorized, 'pdf')).toMatchObject({ status: 200, name: `${String(authorized.accessKey)}.pdf` });
  expect(await fileOf(authorized, 'xml')).toMatchObject({
    status: 200,
    name: `${String(authorized.accessKey)}-procNFe.xml`,
  });
  const signed = await fileOf(rejected, 'xml');
  expect(signed).toMatchObject({ status: 200, name: `${String(rejected.accessKey)}-nfe.xml` });
  expect(signed.text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?><NFe /);
  for (const kind of ['xml', 'pdf']) {
    expect(refusal(await store.call('GET', `/fiscal/documents/${failed.id}/${kind}`))).toEqual([404, 'NO_XML']);
  }
  expect(refusal(await store.call('GET', `/fiscal/documents/${authorized.id}/xml?part=cancellation`))).toEqual([
    404,
    'NO_XML',
  ]);
});
