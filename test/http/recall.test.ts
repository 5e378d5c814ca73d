import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recallContract } from '../contract/recall.js';
import { granted, newProduct } from '../support/bakery.js';
import { refusal } from '../support/people.js';
import type { TracedBakery } from '../support/traced-bakery.js';
import { ask, download, make, newTracedBakery, recallOf, receive, sell } from '../support/traced-bakery.js';
import type { StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

describe('in one process', () => {
  recallContract(() => ({}), 1);
});

let world: World;
let store: StoreClient;
let bakery: TracedBakery;
let erased: string;

beforeAll(async () => {
  world = await openWorld();
  store = await world.newStore();
  bakery = await newTracedBakery(store);
  const people = ['=SOMA(A1)', 'Zé; "o padeiro"', 'Apagada'].map(async (name) => {
    const { body } = await granted(store.call('POST', '/customers', { name, phone: '+5511987650001' }));
    return (body as { id: string }).id;
  });
  const [formula, quoted, gone = ''] = await Promise.all(people);
  for (const customerId of [formula, quoted, gone, undefined]) {
    await sell(store, bakery.bread, 1.5, { customerId, occurredAt: '2026-03-01T10:00:00Z' });
  }
  await granted(store.call('POST', `/customers/${gone}/erase`));
  erased = gone;
});
afterAll(() => world.close());

const recalled = (query: Readonly<Record<string, string | number>>) => ask(store, 'recall', query);
const traced = (query: Readonly<Record<string, string | number>>) => ask(store, 'traceability', query);

describe('limits', () => {
  test('a code that no lot has is not found, nor one of another store', async () => {
    const other = await world.newStore();
    for (const path of ['recall', 'traceability']) {
      expect(refusal(await ask(store, path, { lotCode: 'nobody' }))).toEqual([404, 'LOT_NOT_FOUND']);
      expect(refusal(await ask(other, path, { lotCode: 'F-1' }))).toEqual([404, 'LOT_NOT_FOUND']);
      expect(refusal(await ask(store, path, { lotCode: 'F-1', variantId: bakery.bread }))).toEqual([
        404,
        'LOT_NOT_FOUND',
      ]);
    }
  });

  test.each([
    ['recall', 500],
    ['traceability', 200],
  ])('a page of %s has 1 to %d', async (path, most) => {
    for (const pageSize of [1, most]) {
      expect((await ask(store, path, { lotCode: 'P-1', pageSize })).status).toBe(200);
    }
    for (const pageSize of [0, most + 1, -1, '1.5', 'x']) {
      expect((await ask(store, path, { lotCode: 'P-1', pageSize })).status).toBe(400);
    }
  });

  test.each([
    ['recall', {}],
    ['recall', { lotCode: '' }],
    ['recall', { lotCode: 'x'.repeat(61) }],
    ['recall', { lotCode: 'P-1', page: 0 }],
    ['recall', { lotCode: 'P-1', page: 1_000_001 }],
    ['recall', { lotCode: 'P-1', format: 'ods' }],
    ['recall', { lotCode: 'P-1', direction: 'forward' }],
    ['recall', { lotCode: 'P-1', variantId: 'none' }],
    ['traceability', { lotCode: 'P-1', direction: 'sideways' }],
    ['traceability', { lotCode: 'P-1', depth: 0 }],
    ['traceability', { lotCode: 'P-1', depth: 21 }],
    ['traceability', { lotCode: 'P-1', format: 'csv' }],
  ])('%s refuses %j', async (path, query) => {
    expect((await ask(store, path, query)).status).toBe(400);
  });

  test('codes of 60 characters are found, and codes with anything in them', async () => {
    for (const lotCode of ['x'.repeat(60), 'L/1 & ção=+%25;"']) {
      await receive(store, bakery.flour, 1, lotCode);
      expect((await recalled({ lotCode })).body).toMatchObject({ lotCode, lots: [{ lotCode }], total: 0 });
      const csv = await download(world.url, store, { lotCode, format: 'csv' });
      expect([csv.status, csv.text.split('\r\n').length]).toEqual([200, 2]);
    }
  });
});

describe('pages of a recall', () => {
  test('together hold every line once, in one order; beyond the end there is none', async () => {
    const all = (await recalled({ lotCode: 'F-1', pageSize: 500 })).body;
    const paged: object[] = [];
    for (let page = 1; page <= 3; page++) {
      const { body } = await recalled({ lotCode: 'F-1', page, pageSize: 2 });
      expect(body).toMatchObject({ page, pageSize: 2, total: 4, summary: all.summary });
      paged.push(...(body.sales as object[]));
    }
    expect(paged).toEqual(all.sales);
    expect(all.sales).toHaveLength(4);
    expect((await recalled({ lotCode: 'F-1', page: 1_000_000, pageSize: 500 })).body).toMatchObject({
      sales: [],
      total: 4,
    });
  });
});

describe('traces', () => {
  test('a depth ends them', async () => {
    const near = (await traced({ lotCode: 'P-1', depth: 1 })).body;
    expect([near.total, near.nodes.length, near.edges.length]).toEqual([1, 3, 2]);
    const far = (await traced({ lotCode: 'P-1', depth: 20 })).body;
    expect([far.total, far.nodes.length, far.edges.length]).toEqual([2, 5, 4]);
  });

  test('pages hold the orders with their lots and edges', async () => {
    const pages = [
      await traced({ lotCode: 'P-1', pageSize: 1 }),
      await traced({ lotCode: 'P-1', pageSize: 1, page: 2 }),
    ];
    for (const { body } of pages) expect([body.total, body.orders.length, body.edges.length]).toEqual([2, 1, 2]);
    const beyond = (await traced({ lotCode: 'P-1', pageSize: 1, page: 3 })).body;
    expect(beyond).toMatchObject({ lots: [{ lotCode: 'P-1' }], orders: [], edges: [], total: 2 });
  });

  test('a code of several products matches all of them unless one is named', async () => {
    const [salt, sugar] = [(await newProduct(store, 'Sal')).variantId, (await newProduct(store, 'Açúcar')).variantId];
    await receive(store, salt, 1, 'COMUM');
    await receive(store, sugar, 2, 'COMUM');
    await receive(store, sugar, 3, 'COMUM');
    for (const path of ['recall', 'traceability']) {
      expect((await ask(store, path, { lotCode: 'COMUM' })).body.lots).toHaveLength(3);
      const { body } = await ask(store, path, { lotCode: 'COMUM', variantId: sugar });
      expect(body).toMatchObject({ lots: [{ variantId: sugar }, { variantId: sugar }] });
    }
    expect((await recalled({ lotCode: 'COMUM', variantId: sugar })).body.massBalance).toMatchObject({ produced: 5 });
  });
});

describe('customers', () => {
  test('are shown to who may see reports, also without the permission for customers', async () => {
    const auditor = await world.newKey(store.slug, 'reports.view');
    const { sales } = await recallOf(auditor, { lotCode: 'P-1' });
    const names = sales.map(({ customer }) => customer?.name ?? null);
    expect(names).toEqual(expect.arrayContaining(['=SOMA(A1)', 'Zé; "o padeiro"', null]));
  });

  test('who were erased are ids alone, and still counted', async () => {
    const { sales, summary } = await recallOf(store, { lotCode: 'P-1' });
    const gone = sales.find(({ customer }) => customer?.id === erased);
    expect(gone?.customer).toEqual({ id: erased, name: null, document: null, phone: null, email: null });
    expect(summary).toMatchObject({ sales: 4, customers: 3, salesWithoutCustomer: 1 });
  });
});

test('each asks for its permission', async () => {
  const reports = await world.newKey(store.slug, 'reports.view');
  const production = await world.newKey(store.slug, 'production.view');
  const status = async (client: StoreClient, path: string) => (await ask(client, path, { lotCode: 'P-1' })).status;
  expect(await status(reports, 'recall')).toBe(200);
  expect(await status(production, 'recall')).toBe(403);
  expect(await status(production, 'traceability')).toBe(200);
  expect(await status(reports, 'traceability')).toBe(403);
  const csv = await download(world.url, production, { lotCode: 'P-1', format: 'csv' });
  expect([csv.status, csv.text]).toEqual([403, expect.stringContaining('PERMISSION_DENIED')]);
});

describe('as a spreadsheet', () => {
  test('a recall has all pages, whatever page is asked for', async () => {
    const { headers, text } = await download(world.url, store, {
      lotCode: 'F-1',
      format: 'csv',
      page: '9',
      pageSize: '1',
    });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="recall-F-1.csv"');
    expect(text.startsWith('\uFEFFlotCode;sourceLotCode;depth;productId;description;gtin;ncm;manufacturedAt;')).toBe(
      true,
    );
    const [head = '', ...lines] = text.slice(1).split('\r\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(4);
    expect(head.split(';')).toHaveLength(29);
    const [line = ''] = lines.filter((one) => one.includes('Apagada') || one.includes(';;;;;;;;;'));
    expect(line.split(';').slice(0, 3)).toEqual(['P-1', 'F-1', '2']);
    for (const one of lines) expect(one).toContain(';2026-03-01T10:00:00.000Z;1,5;0;1,5;UN;');
    expect(text).toContain(";'=SOMA(A1);;'+5511987650001;");
    expect(text).toContain(';"Zé; ""o padeiro""";');
    expect(text).not.toContain('Apagada');
  });

  test('what an order made shows when and by which order, what was bought does not', async () => {
    const order = await make(store, bakery.breadRecipe, 'P-9');
    const { body } = await granted(store.call('GET', `/bakery-production/orders/${order}`));
    await sell(store, bakery.flour, 2, {
      items: [{ variantId: bakery.flour, quantity: 2, unitPrice: 2, lotCode: 'F-1' }],
    });
    await sell(store, bakery.bread, 2, {
      items: [{ variantId: bakery.bread, quantity: 2, unitPrice: 2, lotCode: 'P-9' }],
    });
    const { text } = await download(world.url, store, { lotCode: 'F-1', format: 'csv' });
    const cells = text.split('\r\n').map((line) => line.replace('\uFEFF', '').split(';'));
    const columns = cells[0] ?? [];
    const of = (lotCode: string, name: string) => cells.find(([code]) => code === lotCode)?.[columns.indexOf(name)];
    const at = (body as { completedAt: string; number: number }).completedAt;
    expect([of('P-9', 'manufacturedAt'), of('P-9', 'productionOrderNumber'), of('P-9', 'depth')]).toEqual([
      at,
      String((body as { number: number }).number),
      '2',
    ]);
    expect([of('F-1', 'manufacturedAt'), of('F-1', 'productionOrderNumber'), of('F-1', 'depth')]).toEqual([
      '',
      '',
      '0',
    ]);
    expect(of('F-1', 'location')).not.toBe('');
    expect(of('F-1', 'ncm')).toBe('19059090');
  });
});

describe('as EPCIS', () => {
  interface EpcisEvent {
    readonly [member: string]: unknown;
    readonly type: string;
  }

  test('a recall is a document of transformations and sales with everything that the standard requires', async () => {
    const { status, headers, text } = await download(world.url, store, { lotCode: 'F-1', format: 'epcis' });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/ld+json; charset=utf-8']);
    const document = JSON.parse(text) as Record<string, unknown> & { epcisBody: { eventList: readonly EpcisEvent[] } };
    expect(document).toMatchObject({ type: 'EPCISDocument', schemaVersion: '2.0', creationDate: expect.any(String) });
    expect(document['@context']).toEqual(expect.arrayContaining([expect.stringContaining('epcis-context.jsonld')]));
    const { eventList } = document.epcisBody;
    for (const event of eventList) {
      expect(event).toMatchObject({ eventID: expect.any(String), eventTimeZoneOffset: '-03:00' });
      expect(event['eventTime']).toBe(new Date(String(event['eventTime'])).toISOString());
    }
    expect(new Set(eventList.map(({ eventID }) => eventID)).size).toBe(eventList.length);
    const made = eventList.filter(({ type }) => type === 'TransformationEvent');
    for (const event of made) {
      expect(event['inputQuantityList']).toEqual([
        expect.objectContaining({ epcClass: expect.stringMatching(/\/01\/\d{14}\/10\//) }),
      ]);
      expect(event['outputQuantityList']).toEqual([expect.objectContaining({ quantity: expect.any(Number) })]);
    }
    const sold = eventList.filter(({ type }) => type === 'ObjectEvent');
    expect(sold.length).toBe((await recalled({ lotCode: 'F-1' })).body.total);
    for (const event of sold) {
      expect(event).toMatchObject({ action: 'OBSERVE', bizStep: 'retail_selling', disposition: 'retail_sold' });
    }
    expect(made.length + sold.length).toBe(eventList.length);
    expect(text).not.toContain('SOMA');
  });
});
