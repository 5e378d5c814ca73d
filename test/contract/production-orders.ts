import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OrderDocument } from '../../projections/production/orders.js';
import { RECIPES, granted, insist, newProduct, newRecipe, readPast } from '../support/bakery.js';
import type { Processes } from '../support/processes.js';
import { openProcesses } from '../support/processes.js';
import type { Answer, StoreClient } from '../support/world.js';

type Settings = Readonly<Record<string, string>>;

const ORDERS = '/bakery-production/orders';
const AT_ONCE = 50;

/** What production orders must do on every engine, in one process or several; `settings` choose the engine. */
export function productionOrdersContract(settings: () => Settings, count: number): void {
  let processes: Processes;
  let store: StoreClient;
  let recipeId: string;
  let flour: string;
  let bread: string;

  beforeAll(async () => {
    processes = await openProcesses(settings(), count);
    ({ store } = processes);
    flour = (await newProduct(store, 'Farinha', { saleUnit: 'KG', stockQty: 1_000, managerialCost: 4 })).variantId;
    bread = (await newProduct(store, 'Pão')).variantId;
    const stages = [{ name: 'Forno', required: true, standardMinutes: 30, laborRatePerHour: 12 }];
    const items = [{ componentVariantId: flour, quantity: 2 }];
    const recipe = { name: 'Pão', finishedVariantId: bread, yieldQty: 10, expectedLossPercent: 10, stages, items };
    recipeId = (await newRecipe(store, recipe)).id;
  });
  afterAll(() => processes.close());

  const plan = async (): Promise<OrderDocument> =>
    (await granted(insist(store, 'POST', `${ORDERS}/plan`, { recipeId, batches: 1, expectedAt: '2026-12-01' })))
      .body as OrderDocument;
  const register = async (body: object = {}): Promise<OrderDocument> =>
    (await granted(insist(store, 'POST', ORDERS, { recipeId, batches: 1, ...body }))).body as OrderDocument;
  const balances = async (after: readonly Answer[] = []) => {
    const { body } = await readPast(after, store, '/products?q=farinha');
    return (body as { items: { stockQty: number }[] }).items[0]?.stockQty ?? 0;
  };

  /** Sends a request many times at once, to each process in turn. */
  async function race(method: string, path: string, body?: unknown): Promise<readonly Answer[]> {
    return Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => insist(processes.client(index), method, path, body)),
    );
  }
  const outcomes = (answers: readonly Answer[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const outcome = status === 200 ? 'ok' : (body as { code: string }).code;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  };

  describe('the life of an order', () => {
    test('goes from its plan over its stages to its completion, and every answer is the whole record', async () => {
      const order = await plan();
      expect(order).toMatchObject({
        status: 'PLANNED',
        recipeId,
        recipeVersion: 1,
        nominalQty: 10,
        expectedQty: 9,
        actualOutputQty: null,
        expectedAt: '2026-12-01T03:00:00.000Z',
        unitCost: null,
        stages: [{ name: 'Forno', done: false }],
      });
      const path = `${ORDERS}/${order.id}`;
      expect((await granted(insist(store, 'POST', `${path}/start`))).body).toMatchObject({ status: 'IN_PROGRESS' });
      const pending = await store.call('POST', `${path}/complete`, {});
      expect([pending.status, pending.body.code, pending.body.stages]).toMatchObject([
        409,
        'STAGES_PENDING',
        [{ name: 'Forno' }],
      ]);
      const stageId = order.stages[0]?.stageId ?? '';
      const marked = await granted(insist(store, 'POST', `${path}/stages/${stageId}`, { done: true, notes: 'quente' }));
      expect(marked.body.stages).toMatchObject([{ done: true, notes: 'quente', doneBy: { kind: 'apiKey' } }]);
      const completed = await granted(insist(store, 'POST', `${path}/complete`, { actualOutputQty: 8 }));
      expect(completed.body).toMatchObject({
        status: 'COMPLETED',
        actualOutputQty: 8,
        lossQty: 2,
        lossPercent: 20,
        materialCost: 8,
        laborCost: 6,
        totalCost: 14,
        unitCost: 1.75,
        consumptions: [{ componentVariantId: flour, quantity: 2, perBatch: 2, unitCost: 4, cost: 8 }],
      });
      const read = await granted(store.call('GET', path));
      expect(read.body).toEqual(completed.body);
      expect(read.headers.get('etag')).toBe(completed.headers.get('etag'));
    });

    test('can be one request, answered as it is read', async () => {
      const order = await register({ outputExpiresAt: '2026-12-24', notes: 'Natal' });
      expect(order).toMatchObject({ status: 'COMPLETED', stages: [], outputExpiresAt: '2026-12-25T03:00:00.000Z' });
      expect(order.outputLotCode).toMatch(/^\d{6}-\d+$/);
      expect((await granted(store.call('GET', `${ORDERS}/${order.id}`))).body).toEqual(order);
    });

    test('can be followed by a reversal that its preview foretold', async () => {
      const before = await balances();
      const path = `${ORDERS}/${(await register()).id}`;
      const { body: preview } = await granted(store.call('GET', `${path}/reversal-preview`));
      expect(preview).toMatchObject({
        obtainedQty: 9,
        remainingQty: 9,
        availableQty: 9,
        reversibleFraction: 1,
        full: true,
      });
      const { body } = await granted(insist(store, 'POST', `${path}/reverse`, { reason: 'engano' }));
      expect(body).toMatchObject({
        status: 'REVERSED',
        costReversal: preview.costReversal,
        coproductCostReversals: [],
      });
      expect(body.reversals).toMatchObject([{ reason: 'engano', quantity: 9, fraction: 1, inputs: [{ quantity: 2 }] }]);
      expect(await balances()).toBe(before);
      const again = await store.call('GET', `${path}/reversal-preview`);
      expect([again.status, again.body.code]).toEqual([409, 'ALREADY_REVERSED']);
    });
  });

  describe(`${String(AT_ONCE)} at once`, () => {
    test('start an order once', async () => {
      const answers = await race('POST', `${ORDERS}/${(await plan()).id}/start`);
      expect(outcomes(answers)).toEqual({ ok: 1, ORDER_NOT_PLANNED: AT_ONCE - 1 });
    });

    test('complete an order once, and take its inputs once', async () => {
      const order = await plan();
      const path = `${ORDERS}/${order.id}`;
      await granted(insist(store, 'POST', `${path}/stages/${order.stages[0]?.stageId ?? ''}`, { done: true }));
      const before = await balances();
      const answers = await race('POST', `${path}/complete`, {});
      expect(outcomes(answers)).toEqual({ ok: 1, ORDER_NOT_OPEN: AT_ONCE - 1 });
      expect(await balances(answers)).toBe(before - 2);
    });

    test('cancel an order once', async () => {
      const answers = await race('POST', `${ORDERS}/${(await plan()).id}/cancel`);
      expect(outcomes(answers)).toEqual({ ok: 1, ORDER_NOT_OPEN: AT_ONCE - 1 });
    });

    test('reverse an order once, and bring its inputs back once', async () => {
      const order = await register();
      const before = await balances();
      const answers = await race('POST', `${ORDERS}/${order.id}/reverse`, { reason: 'engano' });
      expect(outcomes(answers)).toEqual({ ok: 1, ALREADY_REVERSED: AT_ONCE - 1 });
      expect(await balances(answers)).toBe(before + 2);
    });

    test('register orders under numbers and lot codes of their own', async () => {
      const answers = await race('POST', ORDERS, { recipeId, batches: 0.1 });
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => (body as { number: number }).number)).size).toBe(AT_ONCE);
      expect(new Set(answers.map(({ body }) => (body as { outputLotCode: string }).outputLotCode)).size).toBe(AT_ONCE);
    });
  });

  test('a refreshed order takes the version in force, and none when the recipe is not active', async () => {
    const order = await plan();
    const path = `${ORDERS}/${order.id}/refresh-recipe`;
    await granted(insist(store, 'PUT', `${RECIPES}/${recipeId}`, { yieldQty: 20, changeReason: 'teste' }));
    const { body } = await granted(insist(store, 'POST', path));
    expect(body).toMatchObject({ recipeVersion: 2, nominalQty: 20, expectedQty: 18 });
    expect(body.stages[0].stageId).not.toBe(order.stages[0]?.stageId);
    await granted(insist(store, 'PUT', `${RECIPES}/${recipeId}`, { active: false }));
    expect((await store.call('POST', path)).status).toBe(404);
    const refused = await store.call('POST', ORDERS, { recipeId, batches: 1 });
    expect([refused.status, refused.body.errors]).toMatchObject([404, [{ path: 'recipeId' }]]);
    await granted(
      insist(store, 'PUT', `${RECIPES}/${recipeId}`, { yieldQty: 10, active: true, changeReason: 'teste' }),
    );
  });
}
