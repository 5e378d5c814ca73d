import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inventory } from '../../src/features/inventory/decider.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { SYSTEM } from '../../src/kernel/routes/request-context.js';
import { salesContract } from '../contract/sales.js';
import { receive } from '../support/inventory-history.js';
import { refusal } from '../support/people.js';
import { plainProduct } from '../support/route-examples.js';
import type { Answer } from '../support/world.js';
import { openWorld } from '../support/world.js';

describe('in one process', () => {
  salesContract(() => ({}), 1);
});
const world = await openWorld();
afterAll(() => world.close());
const store = await world.newStore();
const shop = (await store.call('GET', '/locations')).body.items[0].id as string;

const run = (command: InventoryCommand) =>
  world.service.core.lanes.execute(inventory, `inventory-${store.storeId}`, command, {
    commandId: randomUUID(),
    storeId: store.storeId,
    actor: SYSTEM,
    requestId: 'test',
    at: new Date().toISOString(),
  });

let named = 0;
/** A product with so much of it in one lot. */
async function stocked(
  quantity: number,
  lotCode?: string,
): Promise<{ readonly variantId: string; readonly id: string }> {
  const product = await plainProduct(store, `produto ${String(++named)}`);
  const lot = { locationId: shop, ...(lotCode === undefined ? {} : { lotCode }) };
  if (quantity > 0) await run(receive(product.variantId, randomUUID(), quantity, 2, lot));
  return product;
}

const line = (variantId: string, quantity = 1, unitPrice = 10, rest = {}) => ({
  variantId,
  quantity,
  unitPrice,
  ...rest,
});
const cash = (amount: number) => [{ method: 'CASH', amount }];
const sell = (items: readonly object[], payments: readonly object[], rest = {}, client = store): Promise<Answer> =>
  client.call('POST', '/sales', { items, payments, ...rest });
const sold = async (variantId: string, quantity: number): Promise<Answer> => {
  const answer = await sell([line(variantId, quantity)], cash(quantity * 10));
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer;
};
const cancel = (id: unknown, headers = {}, reason = 'engano') =>
  store.call('POST', `/sales/${String(id)}/cancel`, { reason }, headers);
const giveBack = (id: unknown, variantId: string, quantity: number) =>
  store.call('POST', `/sales/${String(id)}/returns`, { items: [{ variantId, quantity }] });

describe('a sale', () => {
  test('is answered from its fact and read alike', async () => {
    const { variantId } = await stocked(10, 'L1');
    const items = [line(variantId, 1.5, 3.33, { discount: 0.5, lotCode: 'L1' })];
    const [visa] = (await store.call('GET', '/card-fees')).body.brands as { id: string }[];
    const brand = visa?.id;
    const payments = [
      { method: 'CREDIT', amount: 4, cardBrandId: brand, installments: 3 },
      { method: 'PIX', amount: 0.5 },
    ];
    const made = await sell(items, payments, { occurredAt: '2026-01-02T03:04:05-03:00' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      number: 1,
      status: 'COMPLETED',
      customerId: null,
      locationId: shop,
      occurredAt: '2026-01-02T06:04:05.000Z',
      total: 4.5,
      items: [
        {
          variantId,
          quantity: 1.5,
          total: 4.5,
          returnedQuantity: 0,
          owed: [],
          lots: [{ lotCode: 'L1', quantity: 1.5 }],
        },
      ],
      payments: [
        {
          method: 'CREDIT',
          amount: 4,
          cardBrandId: brand,
          installments: 3,
          feePercent: null,
          fee: null,
          feePending: true,
        },
        {
          method: 'PIX',
          amount: 0.5,
          cardBrandId: null,
          installments: null,
          feePercent: null,
          fee: 0,
          feePending: false,
        },
      ],
    });
    const read = await store.call('GET', `/sales/${made.body.id as string}`);
    expect([read.status, read.body]).toEqual([200, { ...made.body, customerName: null }]);
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
  });

  test('is nobody’s where its customer is null, as it is shown', async () => {
    const { variantId } = await stocked(1);
    expect(await sell([line(variantId)], cash(10), { customerId: null })).toMatchObject({
      status: 201,
      body: { customerId: null },
    });
  });

  test('of a kit takes its parts, of a service nothing', async () => {
    const [flour, egg] = [await stocked(10), await stocked(10)];
    const service = await store.call('POST', '/products', {
      description: 'Entrega',
      priceCash: 5,
      priceCredit: 5,
      productType: 'SERVICE',
    });
    const inner = await store.call('POST', '/products', {
      description: 'Massa',
      priceCash: 5,
      priceCredit: 5,
      isComposite: true,
      components: [{ componentVariantId: flour.variantId, quantity: 0.5 }],
    });
    const kit = await store.call('POST', '/products', {
      description: 'Cesta',
      priceCash: 5,
      priceCredit: 5,
      isComposite: true,
      components: [
        { componentVariantId: inner.body.variants[0].id as string, quantity: 2 },
        { componentVariantId: egg.variantId, quantity: 3 },
      ],
    });
    const lines = [line(kit.body.variants[0].id as string, 2), line(service.body.variants[0].id as string)];
    const made = await sell(lines, cash(30));
    expect([made.status, made.text]).toEqual([201, made.text]);
    expect(made.body.items).toMatchObject([
      {
        lots: [
          { variantId: flour.variantId, quantity: 2 },
          { variantId: egg.variantId, quantity: 6 },
        ],
      },
      { lots: [] },
    ]);
  });

  test('needs goods, unless they may be owed', async () => {
    const { variantId } = await stocked(1);
    const short = await sell([line(variantId, 2)], cash(20));
    expect(refusal(short)).toEqual([409, 'INSUFFICIENT_STOCK']);
    expect(short.body.shortages).toEqual([{ variantId, required: 2, available: 1 }]);
    const owed = await sell([line(variantId, 2)], cash(20), { allowNegativeStock: true });
    expect(owed.body.items[0]).toMatchObject({ lots: [{ quantity: 1 }], owed: [{ variantId, quantity: 1 }] });
    await run(receive(variantId, randomUUID(), 5, 2, { locationId: shop, lotCode: 'depois' }));
    const read = await store.call('GET', `/sales/${owed.body.id as string}`);
    expect(read.body.items[0]).toMatchObject({
      lots: [{ settledLater: false }, { lotCode: 'depois', quantity: 1, settledLater: true }],
      owed: [],
    });
    expect(read.headers.get('etag')).toBe(owed.headers.get('etag'));
    const back = await giveBack(owed.body.id, variantId, 1);
    expect(back.body.items[0].lots).toMatchObject([{ lotCode: 'depois', quantity: 1 }]);
  });

  test('knows whose it is, in lists too', async () => {
    const { variantId } = await stocked(10);
    const customer = await store.call('POST', '/customers', { name: 'Ana Prado' });
    const customerId = customer.body.id as string;
    const made = await sell([line(variantId)], cash(10), { customerId });
    const list = await store.call('GET', `/sales?customerId=${customerId}`);
    expect(list.body).toMatchObject({
      items: [{ id: made.body.id as string, customerName: 'Ana Prado' }],
      nextCursor: null,
    });
    expect((await store.call('GET', `/sales/${made.body.id as string}`)).body).toMatchObject({
      customerId,
      customerName: 'Ana Prado',
    });
  });

  test('is refused where it names what is not there', async () => {
    const { variantId, id } = await stocked(10, 'L1');
    const nobody = randomUUID();
    const paths = async (answer: Promise<Answer>): Promise<readonly unknown[]> => {
      const { status, body } = await answer;
      return [status, body.code as string, (body.errors as { path: string }[]).map(({ path }) => path)];
    };
    expect(await paths(sell([line(variantId), line(nobody)], cash(20)))).toEqual([
      404,
      'NOT_FOUND',
      ['items[1].variantId'],
    ]);
    expect(await paths(sell([line(variantId)], cash(10), { customerId: nobody }))).toEqual([
      404,
      'NOT_FOUND',
      ['customerId'],
    ]);
    expect(await paths(sell([line(variantId)], cash(10), { locationId: nobody }))).toEqual([
      404,
      'NOT_FOUND',
      ['locationId'],
    ]);
    expect(await paths(sell([line(variantId, 1, 10, { lotCode: 'L2' })], cash(10)))).toEqual([
      404,
      'LOT_NOT_FOUND',
      ['items[0].lotCode'],
    ]);
    await store.call('PATCH', `/products/${id}`, { active: false });
    expect(await paths(sell([line(variantId)], cash(10)))).toEqual([409, 'PRODUCT_INACTIVE', ['items[0].variantId']]);
  });

  test('has numbers without gaps, also when many sell at once', async () => {
    const fresh = await world.newStore();
    const { variantId } = await plainProduct(fresh, 'Pão');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => sell([line(variantId)], cash(10), { allowNegativeStock: true }, fresh)),
    );
    const numbers = answers.map(({ body }) => body.number as number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });
});

type BodyCase = readonly [
  name: string,
  of: (variantId: string) => readonly [items: readonly object[], payments: readonly object[], rest?: object],
  status: number,
  code?: string,
];

describe('the body of a sale', () => {
  let variantId: string;
  beforeAll(async () => {
    ({ variantId } = await stocked(0));
  });
  const owed = { allowNegativeStock: true };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

  test.each<BodyCase>([
    ['200 items', (id) => [Array.from({ length: 200 }, () => line(id)), cash(2000)], 201],
    ['201 items', (id) => [Array.from({ length: 201 }, () => line(id)), cash(2010)], 400],
    ['no items', () => [[], []], 400],
    ['50 payments', (id) => [[line(id, 5)], Array.from({ length: 50 }, () => ({ method: 'CASH', amount: 1 }))], 201],
    ['51 payments', (id) => [[line(id, 5.1)], Array.from({ length: 51 }, () => ({ method: 'CASH', amount: 1 }))], 400],
    ['payments a cent short', (id) => [[line(id)], cash(9.99)], 400, 'PAYMENTS_MISMATCH'],
    ['payments a cent over', (id) => [[line(id)], cash(10.01)], 400, 'PAYMENTS_MISMATCH'],
    ['half a cent up', (id) => [[line(id, 0.5, 0.01)], cash(0.01)], 201],
    ['less than half a cent', (id) => [[line(id, 0.499999, 0.01)], []], 201],
    ['a discount of all', (id) => [[line(id, 0.333, 9.99, { discount: 3.33 })], []], 201],
    ['a discount of more', (id) => [[line(id, 1, 10, { discount: 10.01 })], []], 400, 'DISCOUNT_TOO_HIGH'],
    ['a negative discount', (id) => [[line(id, 1, 10, { discount: -0.01 })], cash(10.01)], 400],
    ['three decimals of money', (id) => [[line(id, 1, 1.001)], cash(1)], 400],
    ['seven decimals of quantity', (id) => [[line(id, 0.0000001, 1)], []], 400],
    ['nothing of something', (id) => [[line(id, 0)], []], 400],
    ['a tenth of a cent tendered', (id) => [[line(id)], [{ method: 'CASH', amount: 10, tendered: 10.001 }]], 400],
    ['too many digits tendered', (id) => [[line(id)], [{ method: 'CASH', amount: 10, tendered: 1e20 }]], 400],
    ['a tenth of a cent paid of 20', (id) => [[line(id)], [{ method: 'CASH', amount: 9.999, tendered: 20 }]], 400],
    ['a payment of nothing', (id) => [[line(id)], [...cash(10), { method: 'PIX', amount: 0 }]], 400],
    ['5 minutes ahead', (id) => [[line(id)], cash(10), { occurredAt: inMinutes(4.9) }], 201],
    [
      'more than 5 minutes ahead',
      (id) => [[line(id)], cash(10), { occurredAt: inMinutes(5.2) }],
      400,
      'OCCURRED_IN_FUTURE',
    ],
    ['a day', (id) => [[line(id)], cash(10), { occurredAt: '2026-03-01' }], 201],
    ['no time', (id) => [[line(id)], cash(10), { occurredAt: 'ontem' }], 400],
    ['12 instalments', (id) => [[line(id)], [{ method: 'CREDIT', amount: 10, installments: 12 }]], 201],
    [
      'more instalments than the store allows',
      (id) => [[line(id)], [{ method: 'CREDIT', amount: 10, installments: 13 }]],
      400,
      'TOO_MANY_INSTALLMENTS',
    ],
    ['100 instalments', (id) => [[line(id)], [{ method: 'CREDIT', amount: 10, installments: 100 }]], 400],
    ['cash in instalments', (id) => [[line(id)], [{ method: 'CASH', amount: 10, installments: 2 }]], 400],
    ['a brand of cash', (id) => [[line(id)], [{ method: 'CASH', amount: 10, cardBrandId: randomUUID() }]], 400],
    ['another method', (id) => [[line(id)], [{ method: 'CHEQUE', amount: 10 }]], 400],
    ['an unknown field', (id) => [[line(id, 1, 10, { price: 1 })], cash(10)], 400],
    ['a variant that is no UUID', () => [[line('1')], cash(10)], 400],
    ['more than a sale can cost', (id) => [[line(id, 999_999_999, 101)], cash(1)], 400, 'TOTAL_TOO_HIGH'],
  ])('with %s', async (...[, bodyOf, status, code]) => {
    const [items, payments, rest] = bodyOf(variantId);
    const answer = await sell(items, payments, { ...owed, ...rest });
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
    if (status === 400) {
      expect(answer.body).toMatchObject({ code: code ?? 'INVALID_INPUT', errors: expect.any(Array) });
    }
  });

  test('may be a day of the store', async () => {
    const answer = await sell([line(variantId)], cash(10), { ...owed, occurredAt: '2026-03-01' });
    expect(answer.body.occurredAt).toBe('2026-03-01T03:00:00.000Z');
  });
});

describe('returns and cancellations', () => {
  test('at once each find the sale as the one before left it', async () => {
    const { variantId } = await stocked(12);
    const sale = await sold(variantId, 12);
    const answers = await Promise.all(Array.from({ length: 20 }, () => giveBack(sale.body.id, variantId, 1)));
    const refused = answers.filter(({ status }) => status !== 201).map(refusal);
    expect(refused).toEqual(Array.from({ length: 8 }, () => [409, 'RETURN_EXCEEDS_SOLD']));
  });

  test('what no sale took is not returned, and what does not exist is told where it stands', async () => {
    const [{ variantId }, other] = [await stocked(5), await stocked(5)];
    const { body: sale } = await sold(variantId, 1);
    expect(refusal(await giveBack(sale.id, other.variantId, 1))).toEqual([409, 'RETURN_EXCEEDS_SOLD']);
    const items = [
      { variantId, quantity: 1 },
      { variantId: '019a0000-0000-7000-8000-000000000000', quantity: 1 },
    ];
    const unknown = await store.call('POST', `/sales/${sale.id as string}/returns`, { items });
    expect(refusal(unknown)).toEqual([404, 'NOT_FOUND']);
    expect(unknown.body.errors).toEqual([{ path: 'items[1].variantId', message: 'names no record' }]);
  });

  test('a return says what to refund and from where it came, and stands in the sale', async () => {
    const { variantId } = await stocked(5, 'L1');
    const sale = await sell([line(variantId, 3, 3.33, { discount: 0.01 })], cash(9.98));
    const back = await giveBack(sale.body.id, variantId, 1);
    expect([back.status, back.body]).toMatchObject([
      201,
      {
        saleId: sale.body.id as string,
        total: 3.33,
        reason: null,
        items: [{ line: 0, quantity: 1, total: 3.33, lots: [{ lotCode: 'L1', quantity: 1 }] }],
      },
    ]);
    const { id, at } = back.body as { id: string; at: string };
    const read = await store.call('GET', `/sales/${sale.body.id as string}`);
    expect(read.body).toMatchObject({
      status: 'COMPLETED',
      returnedTotal: 3.33,
      updatedAt: at,
      items: [{ returnedQuantity: 1 }],
      returns: [{ id, total: 3.33 }],
    });
    expect(read.headers.get('etag')).toBe(back.headers.get('etag'));
    expect(refusal(await giveBack(sale.body.id, variantId, 2.000001))).toEqual([409, 'RETURN_EXCEEDS_SOLD']);
    const cancelled = await cancel(sale.body.id);
    expect([cancelled.status, cancelled.body]).toMatchObject([
      200,
      { status: 'CANCELLED', cancelReason: 'engano', returnedTotal: 3.33, items: [{ returnedQuantity: 1 }] },
    ]);
    expect((await store.call('GET', `/sales/${sale.body.id as string}`)).body).toEqual({
      ...cancelled.body,
      customerName: null,
    });
    expect((await sell([line(variantId, 5)], cash(50))).status).toBe(201);
  });

  test('leave nothing to cancel when all was returned', async () => {
    const { variantId } = await stocked(2);
    const sale = await sold(variantId, 2);
    await giveBack(sale.body.id, variantId, 2);
    expect(refusal(await cancel(sale.body.id))).toEqual([409, 'SALE_FULLY_RETURNED']);
    const other = await sold(variantId, 2);
    await cancel(other.body.id);
    expect(refusal(await giveBack(other.body.id, variantId, 1))).toEqual([409, 'SALE_CANCELLED']);
    expect((await store.call('GET', '/sales?status=CANCELLED&limit=1')).body.items[0].id).toBe(other.body.id);
  });

  test('a key makes a return once', async () => {
    const { variantId } = await stocked(4);
    const sale = await sold(variantId, 4);
    const key = { 'idempotency-key': randomUUID() };
    const path = `/sales/${sale.body.id as string}/returns`;
    const body = { items: [{ variantId, quantity: 3 }], reason: 'velho' };
    const answers = [await store.call('POST', path, body, key), await store.call('POST', path, body, key)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });

  test('need the present entity tag where they name one', async () => {
    const { variantId } = await stocked(4);
    const sale = await sold(variantId, 4);
    const tag = { 'if-match': sale.headers.get('etag') ?? '' };
    await giveBack(sale.body.id, variantId, 1);
    expect((await cancel(sale.body.id, tag)).status).toBe(412);
  });

  test('find nothing of what is no sale, and take no empty body', async () => {
    const { variantId } = await stocked(1);
    for (const id of [randomUUID(), 'x']) {
      expect(refusal(await cancel(id))).toEqual([404, 'NOT_FOUND']);
      expect(refusal(await giveBack(id, variantId, 1))).toEqual([404, 'NOT_FOUND']);
      expect((await store.call('GET', `/sales/${id}`)).status).toBe(404);
    }
    const sale = await sold(variantId, 1);
    expect((await cancel(sale.body.id, {}, '')).status).toBe(400);
    expect((await cancel(sale.body.id, {}, 'x'.repeat(501))).status).toBe(400);
    expect((await cancel(sale.body.id, {}, 'x'.repeat(500))).status).toBe(200);
    const path = `/sales/${sale.body.id as string}/returns`;
    expect((await store.call('POST', path, { items: [] })).status).toBe(400);
  });
});

test('sales come newest first, in pages and periods', async () => {
  const fresh = await world.newStore();
  const { variantId } = await plainProduct(fresh, 'Pão');
  for (const day of ['2026-02-02', '2026-02-01', '2026-02-03']) {
    await sell([line(variantId)], cash(10), { allowNegativeStock: true, occurredAt: day }, fresh);
  }
  const numbers = async (query: string) => {
    const { body } = await fresh.call('GET', `/sales${query}`);
    return (body.items as { number: number }[]).map(({ number }) => number);
  };
  expect(await numbers('')).toEqual([3, 1, 2]);
  expect(await numbers('?from=2026-02-02')).toEqual([3, 1]);
  expect(await numbers('?to=2026-02-02')).toEqual([1, 2]);
  expect(await numbers('?from=2026-02-02&to=2026-02-02&status=COMPLETED')).toEqual([1]);
  const { nextCursor } = (await fresh.call('GET', '/sales?limit=2')).body as { nextCursor: string };
  expect(await numbers(`?limit=2&cursor=${nextCursor}`)).toEqual([2]);
  for (const query of ['?limit=201', '?status=OPEN', '?customerId=x', '?cursor=x', '?q=x']) {
    expect((await fresh.call('GET', `/sales${query}`)).status).toBe(400);
  }
});

describe('what a sale cost and what it left', () => {
  test('adds up by line and in all, follows returns and ends with a cancellation', async () => {
    const { variantId: bread } = await stocked(10); // at 2.00
    const { variantId: cake } = await stocked(0);
    for (const unitCost of [0.335, 0.335]) {
      await store.call('POST', '/stock/receipts', { items: [{ variantId: cake, quantity: 1, unitCost }] });
    }
    const items = [line(bread, 3), line(cake, 1, 5), line(cake, 1, 5)];
    const made = await sell(items, cash(40));
    const costs = { cost: 6.67, margin: 33.33 };
    const lines = [
      { cost: 6, margin: 24 },
      { cost: 0.34, margin: 4.66 },
      { cost: 0.33, margin: 4.67 },
    ];
    expect(made.body).toMatchObject({ ...costs, items: lines });
    const path = `/sales/${String(made.body.id)}`;
    expect((await store.call('GET', path)).body).toMatchObject({ ...costs, items: lines });
    await giveBack(made.body.id, bread, 1);
    const rest = { cost: 4.67, margin: 25.33, items: [{ cost: 4, margin: 16 }, {}, {}] };
    expect((await store.call('GET', path)).body).toMatchObject(rest);
    const { body: list } = await store.call('GET', `/sales?number=${String(made.body.number)}`);
    expect(list).toMatchObject({ items: [{ id: made.body.id as string, ...rest }], nextCursor: null });
    expect((await cancel(made.body.id)).body).toMatchObject({ cost: 0, margin: 0, total: 40 });
  });

  test('is shown with production.costs alone', async () => {
    const cashier = await world.newKey(store.slug, 'sales.view,sales.manage');
    const { variantId } = await stocked(10);
    const made = await sell([line(variantId, 1)], cash(10), {}, cashier);
    const path = `/sales/${String(made.body.id)}`;
    const cancelled = { reason: 'engano' };
    for (const answer of [
      made,
      await cashier.call('GET', path),
      await cashier.call('GET', '/sales'),
      await cashier.call('POST', `${path}/cancel`, cancelled),
    ]) {
      expect([answer.status < 300, answer.text]).toEqual([true, expect.not.stringMatching(/"(?:cost|margin)s?"/)]);
    }
  });
});
