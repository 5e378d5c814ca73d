import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../support/people.js';
import { plainProduct } from '../support/route-examples.js';
import { until } from '../support/until.js';
import type { Answer, StoreClient, World } from '../support/world.js';
import { openWorld } from '../support/world.js';

/** The clock of the service: months begin when a test says so. */
let now = Date.parse('2026-03-20T12:00:00Z');
const clock = { now: () => now++ };
let world: World;
let store: StoreClient;
let variantId: string;

beforeAll(async () => {
  world = await openWorld({ clock });
});
afterAll(() => world.close());

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  store.call(method, `/card-fees${path}`, body);
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const expectOk = async (answering: Promise<Answer>, status = 200): Promise<any> => {
  const answer = await answering;
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  return answer.body as unknown;
};
const addAccount = async (name: string, debitFeePercent: number): Promise<string> =>
  ((await expectOk(call('POST', '/accounts', { name, debitFeePercent }), 201)) as { id: string }).id;
const sold = async (amount: number, occurredAt?: string, rest = {}): Promise<string> => {
  const body = {
    items: [{ variantId, quantity: 1, unitPrice: amount }],
    payments: [{ method: 'DEBIT', amount, ...rest }],
    allowNegativeStock: true,
    ...(occurredAt === undefined ? {} : { occurredAt }),
  };
  return ((await expectOk(store.call('POST', '/sales', body), 201)) as { id: string }).id;
};
const inFreshStore = () => {
  beforeAll(async () => {
    store = await world.newStore();
    ({ variantId } = await plainProduct(store, 'Pão'));
  });
};
const ended = async (id: string): Promise<Answer['body']> => {
  let found: Answer['body'];
  await until('the recalculation is over', async () => {
    const { items } = await expectOk(call('GET', '/calc-jobs'));
    found = (items as { id: string }[]).find((job) => job.id === id);
    return !['QUEUED', 'RUNNING'].includes(found?.status as string);
  });
  return found;
};

describe('a fee that was unknown', () => {
  inFreshStore();

  test('becomes known, and the past of its sale tells only what changed', async () => {
    const { id: blue } = await expectOk(call('POST', '/accounts', { name: 'Azul' }), 201);
    const sale = await sold(100);
    await expectOk(call('PATCH', `/accounts/${blue as string}`, { debitFeePercent: 2 }));
    const { id } = await expectOk(call('POST', '/calc-jobs', { month: '2026-03' }), 201);
    expect(await ended(id as string)).toMatchObject({ feeBefore: 0, feeAfter: 2 });
    const to = new Date(now).toISOString();
    const changes = await expectOk(store.call('GET', `/audit/entities/sale/${sale}/changes?from=2026-01-01&to=${to}`));
    const told = (changes as { path: string; from: unknown; to: unknown }[]).slice(1);
    expect(told).toContainEqual(expect.objectContaining({ path: 'payments[0].fee', from: null, to: 2 }));
    expect(told.filter((change) => change.from === change.to)).toEqual([]);
  });
});

describe('a recalculation', () => {
  inFreshStore();
  let first: string;
  let green: string;

  test('gives the figures of the preview, and sales show the fee in force and the one before', async () => {
    await addAccount('Azul', 2);
    const ids = [];
    for (let sale = 0; sale < 5; sale++) ids.push(await sold(100 + sale));
    const [, cancelled = '', back = ''] = ids;
    await expectOk(store.call('POST', `/sales/${cancelled}/cancel`, { reason: 'engano' }));
    await expectOk(store.call('POST', `/sales/${back}/returns`, { items: [{ variantId, quantity: 1 }] }), 201);
    await sold(7, '2026-02-28');
    first = ids[0] ?? '';
    green = await addAccount('Verde', 1.5);
    await expectOk(call('POST', `/accounts/${green}/activate`));
    const { asOf, ...preview } = await expectOk(call('POST', '/recalc-month/preview', { month: '2026-03' }));
    const queued = await expectOk(call('POST', '/calc-jobs', { month: '2026-03' }), 201);
    expect(queued).toMatchObject({ status: 'QUEUED', month: '2026-03', accountName: 'Verde' });
    const job = await ended(queued.id as string);
    expect(job).toMatchObject({ status: 'DONE', error: null, createdBy: { kind: 'apiKey' } });
    const { matched, ...counts } = job.progress as { matched: number };
    expect({ totalMatched: matched, ...counts, ...sumsOf(job) }).toEqual({
      totalMatched: 4,
      updated: 4,
      skipped: 0,
      failed: 0,
      grossTotal: 409,
      feeBefore: 8.18,
      feeAfter: 6.14,
    });
    expect(preview).toMatchObject({ totalMatched: matched, ...counts, ...sumsOf(job) });
    // As positions everywhere: sealed, since they count what all stores wrote, and fit for X-Min-Position.
    const { asOf: ofSummary } = await expectOk(call('GET', '/summary?month=2026-03'));
    for (const position of [asOf, queued.asOf, job.asOf, ofSummary] as string[]) {
      await expectOk(store.call('GET', '/sales', undefined, { 'x-min-position': position }));
    }
    const at = new Date(now).toISOString();
    const { state } = await expectOk(store.call('GET', `/audit/entities/feeJob/${job.id as string}/state?at=${at}`));
    const { asOf: _, ...lasting } = job as { readonly asOf: string };
    expect(state).toEqual(lasting);
    const { payments } = await expectOk(store.call('GET', `/sales/${first}`));
    expect(payments).toMatchObject([
      { fee: 1.5, feePercent: 1.5, accountName: 'Verde', previousFee: 2, previousFeePercent: 2 },
    ]);
    const { items } = await expectOk(store.call('GET', '/sales'));
    const fees = (items as { payments: { fee: number; previousFee?: number }[] }[]).map(({ payments: [paid] }) => [
      paid?.fee,
      paid?.previousFee,
    ]);
    expect(fees).toEqual([
      [1.56, 2.08],
      [1.55, 2.06],
      [1.53, 2.04],
      [2.02, undefined],
      [1.5, 2],
      [0.14, undefined],
    ]);
  });

  test('is part of the past of a sale from its moment on', async () => {
    const { customerName: _, ...sale } = await expectOk(store.call('GET', `/sales/${first}`));
    const past = `/audit/entities/sale/${first}`;
    const stateAt = async (at: string) =>
      (await expectOk(store.call('GET', `${past}/state?at=${at}`))).state as unknown;
    expect(await stateAt(new Date(now).toISOString())).toEqual(sale);
    const asSold = { fee: 2, feePercent: 2, accountName: 'Azul' };
    expect(await stateAt(sale.createdAt as string)).toMatchObject({ payments: [asSold] });
    const period = `from=${sale.createdAt as string}&to=${new Date(now).toISOString()}`;
    const changes = await expectOk(store.call('GET', `${past}/changes?${period}`));
    expect(changes).toContainEqual(expect.objectContaining({ path: 'payments[0].fee', from: 2, to: 1.5 }));
  });

  test('again changes nothing', async () => {
    const { id } = await expectOk(call('POST', '/calc-jobs', { month: '2026-03' }), 201);
    expect(await ended(id as string)).toMatchObject({
      status: 'DONE',
      progress: { matched: 4, updated: 0, skipped: 4, failed: 0 },
      feeBefore: 6.14,
      feeAfter: 6.14,
    });
  });

  test('is refused while one of the same month is not over', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', '/calc-jobs', { month: '2026-03' })));
    const queued = answers.filter(({ status }) => status === 201);
    expect(queued).toHaveLength(1);
    const refused = answers.filter((answer) => answer !== queued[0]);
    expect(refused.map(refusal)).toEqual([
      [409, 'JOB_EXISTS'],
      [409, 'JOB_EXISTS'],
    ]);
    await ended(queued[0]?.body.id as string);
  });

  test('leaves a cancelled sale showing the fee in force', async () => {
    const cancelled = await expectOk(store.call('POST', `/sales/${first}/cancel`, { reason: 'engano' }));
    expect(cancelled.payments).toMatchObject([{ fee: 1.5, previousFee: 2 }]);
    const { total } = await expectOk(call('GET', '/summary?month=2026-03'));
    expect(total).toMatchObject({ payments: 3, gross: 309, fee: 4.64 });
  });

  test('without a rate keeps the fee, and counts as failed', async () => {
    await expectOk(call('PATCH', `/accounts/${green}`, { debitFeePercent: null }));
    const { id } = await expectOk(call('POST', '/calc-jobs', { month: '2026-03' }), 201);
    expect(await ended(id as string)).toMatchObject({ progress: { updated: 0, failed: 3 }, feeAfter: 4.64 });
  });

  test('is refused for a month long before any store, as a slip of the hand; the preview too', async () => {
    for (const path of ['/calc-jobs', '/recalc-month/preview'])
      for (const month of ['0026-03', '0000-01'])
        expect(refusal(await call('POST', path, { month }))).toEqual([400, 'INVALID_INPUT']);
  });

  test('is refused for a month that has not begun, and not found or over when it is to be cancelled', async () => {
    expect(refusal(await call('POST', '/calc-jobs', { month: '2026-04' }))).toEqual([400, 'MONTH_NOT_BEGUN']);
    expect((await call('DELETE', `/calc-jobs/${randomUUID()}`)).status).toBe(404);
    const { items } = await expectOk(call('GET', '/calc-jobs?limit=1'));
    const [{ id }] = items as [{ id: string }];
    expect(refusal(await call('DELETE', `/calc-jobs/${id}`))).toEqual([409, 'JOB_FINISHED']);
  });
});

function sumsOf(figures: unknown) {
  const { grossTotal, feeBefore, feeAfter } = figures as Record<string, number>;
  return { grossTotal, feeBefore, feeAfter };
}

describe('the adjustment', () => {
  inFreshStore();
  let [blue, green] = ['', ''];
  const run = async () => (await expectOk(call('POST', '/auto-adjust/run'))).result as unknown;
  const active = async () => {
    const { accounts } = await expectOk(call('GET', ''));
    return (accounts as { name: string; active: boolean }[]).find((account) => account.active)?.name;
  };

  test('is refused while it is off, enabled without tiers, with a tier twice or of an unknown machine', async () => {
    blue = await addAccount('Azul', 2);
    green = await addAccount('Verde', 1);
    expect(refusal(await call('POST', '/auto-adjust/run'))).toEqual([409, 'AUTO_ADJUST_OFF']);
    const put = (enabled: boolean, tiers: object[]) => call('PUT', '/auto-adjust', { enabled, tiers });
    const tier = { minGross: 10, accountId: blue };
    expect((await put(true, [])).status).toBe(400);
    expect((await put(true, [tier, { ...tier, accountId: green }])).status).toBe(400);
    expect((await put(true, [{ ...tier, accountId: randomUUID() }])).status).toBe(404);
    const many = Array.from({ length: 21 }, (_, minGross) => ({ ...tier, minGross }));
    expect((await put(true, many)).status).toBe(400);
    expect((await put(false, [])).status).toBe(200);
  });

  test('by hand takes the machine of the volume of the month before, once', async () => {
    const tiers = [
      { minGross: 500, accountId: green },
      { minGross: 0, accountId: blue },
    ];
    const saved = await expectOk(call('PUT', '/auto-adjust', { enabled: true, tiers }));
    expect(saved).toMatchObject({ enabled: true, lastMonth: null, tiers: [...tiers].reverse() });
    await sold(499.99, '2026-02-10');
    await sold(0.01, '2026-02-28');
    await sold(5_000, '2026-02-10', { method: 'PIX' });
    const result = { month: '2026-02', volume: 500, accountId: green, accountName: 'Verde' };
    expect(await run()).toMatchObject({ ...result, status: 'applied' });
    expect(await active()).toBe('Verde');
    expect(await run()).toMatchObject({ ...result, status: 'already_run' });
    expect(await expectOk(call('GET', '/auto-adjust'))).toMatchObject({ enabled: true, lastMonth: '2026-02' });
    expect(refusal(await call('DELETE', `/accounts/${blue}`))).toEqual([409, 'ACCOUNT_IN_USE']);
  });

  const reopened = async (at: string, env = {}): Promise<void> => {
    const { dataDir } = world;
    await world.close('keep');
    now = Date.parse(at);
    const { slug } = store;
    world = await openWorld({ clock, dataDir, env });
    store = await world.newKey(slug);
  };
  const usedMonth = async (month: string) => {
    let adjusted: Readonly<Record<string, unknown>> = {};
    await until(`${month} is used`, async () => {
      adjusted = (await expectOk(call('GET', '/auto-adjust'))) as typeof adjusted;
      return adjusted.lastMonth === month;
    });
    return adjusted;
  };

  test('is made up for after a downtime of months, in order, and only once', async () => {
    await sold(600);
    await reopened('2026-05-03T12:00:00Z');
    const adjusted = await usedMonth('2026-04');
    // March chose Verde again, and April, without a sale, Azul.
    expect(await active()).toBe('Azul');
    expect(adjusted.lastNote).toContain('2026-04');
    expect(await run()).toMatchObject({ status: 'already_run', month: '2026-04', volume: 0 });
  });

  test('is not put off by tiers that are saved when a month has begun and nobody has run it yet', async () => {
    await reopened('2026-06-01T12:00:00Z', { ROLES: 'api,projections' });
    await expectOk(call('PUT', '/auto-adjust', { enabled: true, tiers: [{ minGross: 1, accountId: green }] }));
    await reopened('2026-06-01T12:10:00Z');
    expect((await usedMonth('2026-05')).lastNote).toContain('2026-05');
  });
});
