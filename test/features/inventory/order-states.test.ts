import { describe, expect, test } from '@jest/globals';
import type { InventoryCommand } from '../../../src/features/inventory/decider.js';
import { foreseeReversal } from '../../../src/features/inventory/production/domain/reversal.js';
import { LOT_CODE_TAKEN, STAGES_PENDING } from '../../../src/features/inventory/rejections.js';
import { NOT_KEPT_IN_STOCK, PRODUCT_HAS_MOVED, PRODUCT_IN_USE } from '../../../src/features/contracts/stock-keeper.js';
import { NOT_FOUND, Rejection } from '../../../src/kernel/events/rejection.js';
import { NOON } from '../../support/given.js';
import { d, receive, sell } from '../../support/inventory-history.js';
import { ProductionHistory, makingOf, planOf, recipeOf, register } from '../../support/production-history.js';

const sketch = { needs: { flour: 1 }, gives: 4 };
const plan: InventoryCommand = { type: 'planOrder', orderId: 'order', plan: planOf(sketch) };

const stage = { name: 'Forno', required: false, workCenter: null, standardMinutes: null, laborRatePerHour: null };

/** A store with an order in each state, and the operations on it. */
class OneOrder extends ProductionHistory {
  constructor(readonly name: string) {
    super();
    this.run(receive('flour', 'lot', 1_000, 1));
    STATES[name]?.(this);
  }

  commands(): Readonly<Record<string, () => unknown>> {
    const named = this.named('order');
    const making = makingOf('order');
    return {
      start: () => this.run({ type: 'startOrder', ...named }),
      stage: () => this.run({ type: 'markStage', ...named, stageId: 'stage 1', done: true, notes: undefined }),
      refresh: () => this.run({ type: 'refreshRecipe', ...named, recipe: recipeOf(sketch), stageIds: [] }),
      cancel: () => this.run({ type: 'cancelOrder', ...named }),
      complete: () => this.run({ type: 'completeOrder', ...named, making }),
      preview: () => foreseeReversal(this.state, named, NOON),
      reverse: () => this.run({ type: 'reverseOrder', ...named, reason: 'engano', partial: true }),
    };
  }
}

const complete = (store: ProductionHistory) =>
  store.run({ type: 'completeOrder', ...store.named('order'), making: makingOf('order') });

const planWithStage: InventoryCommand = {
  type: 'planOrder',
  orderId: 'order',
  plan: planOf({ ...sketch, stages: [stage] }),
};

const STATES: Readonly<Record<string, (store: ProductionHistory) => void>> = {
  NONE: () => undefined,
  PLANNED: (store) => store.run(planWithStage),
  IN_PROGRESS(store) {
    store.run(planWithStage);
    store.run({ type: 'startOrder', ...store.named('order') });
  },
  COMPLETED(store) {
    store.run(planWithStage);
    complete(store);
  },
  'COMPLETED directly': (store) => store.run(register('order', sketch)),
  PARTIALLY_REVERSED(store) {
    store.run(register('order', sketch));
    store.run(sell('sale', [{ variantId: 'bread', quantity: 2 }]));
    store.reverse('order', true);
    const items = [{ variantId: 'bread', quantity: d(1) }];
    const past = store.pastOf('sale');
    store.run({ type: 'returnSale', saleId: 'sale', returnId: 'return', reason: null, items, past });
  },
  REVERSED(store) {
    store.run(register('order', sketch));
    store.reverse('order');
  },
  CANCELLED(store) {
    store.run(plan);
    store.run({ type: 'cancelOrder', ...store.named('order') });
  },
};

const OPERATIONS = ['start', 'stage', 'refresh', 'cancel', 'complete', 'preview', 'reverse'] as const;

/** What each operation comes to in each state, in the order of the operations. */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  NONE: OPERATIONS.map(() => 'NOT_FOUND'),
  PLANNED: ['ok', 'ok', 'ok', 'ok', 'ok', 'ORDER_NOT_COMPLETED', 'ORDER_NOT_COMPLETED'],
  IN_PROGRESS: [
    'ORDER_NOT_PLANNED',
    'ok',
    'ORDER_NOT_PLANNED',
    'ok',
    'ok',
    'ORDER_NOT_COMPLETED',
    'ORDER_NOT_COMPLETED',
  ],
  COMPLETED: closed('ok', 'ok'),
  'COMPLETED directly': closed('ok', 'ok'),
  PARTIALLY_REVERSED: closed('ok', 'ok'),
  REVERSED: closed('ALREADY_REVERSED', 'ALREADY_REVERSED'),
  CANCELLED: closed('ORDER_NOT_COMPLETED', 'ORDER_NOT_COMPLETED'),
};

function closed(...reversal: readonly string[]): readonly string[] {
  return ['ORDER_NOT_PLANNED', 'ORDER_NOT_OPEN', 'ORDER_NOT_PLANNED', 'ORDER_NOT_OPEN', 'ORDER_NOT_OPEN', ...reversal];
}

function outcomeOf(run: () => unknown): string {
  try {
    run();
    return 'ok';
  } catch (error) {
    if (error instanceof Rejection) return error.kind.code;
    throw error;
  }
}

describe.each(Object.keys(STATES))('an order that is %s', (state) => {
  test.each(OPERATIONS.map((operation, index) => [operation, TABLE[state]?.[index]] as const))(
    '%s: %s',
    (operation, expected) => {
      const store = new OneOrder(state);
      const before = store.events.length;
      expect(outcomeOf(store.commands()[operation] as () => unknown)).toBe(expected);
      expect(store.events.length - before).toBe(expected === 'ok' && operation !== 'preview' ? 1 : 0);
    },
  );
});

describe('stages', () => {
  const required = { ...stage, required: true };
  const planned = () => {
    const store = new ProductionHistory();
    store.run(receive('flour', 'lot', 10, 1));
    const stages = [required, stage];
    store.run({ type: 'planOrder', orderId: 'order', plan: planOf({ ...sketch, stages }) });
    return store;
  };
  const mark = (stageId: string, done?: boolean, notes?: string | null): InventoryCommand => ({
    type: 'markStage',
    orderId: 'order',
    past: undefined,
    stageId,
    done,
    notes,
  });

  test('that are required must be done before the order is completed', () => {
    const store = planned();
    store.run(mark('stage 2', true));
    const extra = { stages: [{ stageId: 'stage 1', name: 'Forno' }] };
    expect(() => complete(store)).toThrow(expect.objectContaining({ kind: STAGES_PENDING, extra }));
    store.run(mark('stage 1', true));
    expect(complete(store)).toMatchObject([{ type: 'OrderCompleted', data: { plan: null } }]);
  });

  test('can be unmarked, and noted on alone', () => {
    const store = planned();
    store.run(mark('stage 1', true, 'quente'));
    expect(store.run(mark('stage 1', true))).toEqual([]);
    expect(store.fact('OrderStageMarked', mark('stage 1', false))).toMatchObject({ done: false, notes: 'quente' });
    expect(store.fact('OrderStageMarked', mark('stage 1', undefined, null))).toMatchObject({
      done: false,
      notes: null,
    });
    expect(() => complete(store)).toThrow(STAGES_PENDING.title);
  });

  test('of another order are unknown', () => {
    expect(() => planned().run(mark('stage 3', true))).toThrow(new Rejection(NOT_FOUND));
  });

  test('begin anew with a refreshed recipe, which must be in force', () => {
    const store = planned();
    store.run(mark('stage 1', true));
    const refresh = (recipe: ReturnType<typeof recipeOf> | undefined): InventoryCommand => ({
      type: 'refreshRecipe',
      orderId: 'order',
      past: undefined,
      recipe,
      stageIds: ['new stage'],
    });
    expect(() => store.run(refresh(undefined))).toThrow(expect.objectContaining({ kind: NOT_FOUND }));
    const newer = { ...recipeOf({ ...sketch, gives: 9, stages: [required] }), version: 2 };
    expect(store.fact('OrderRecipeRefreshed', refresh(newer))).toMatchObject({ nominalQty: d(9), expectedQty: d(9) });
    expect(() => complete(store)).toThrow(STAGES_PENDING.title);
    store.run(mark('new stage', true));
    const [event] = complete(store);
    expect(event?.data).toMatchObject({ actualOutputQty: d(9) });
  });
});

describe.each(['flour', 'bread', 'crumbs'])('%s, which an order takes or gives', (variantId) => {
  const byproducts = [{ variantId: 'crumbs', quantity: 1, share: 0 }];
  const planned = { ...plan, plan: planOf({ ...sketch, byproducts }) };

  test.each([
    ['retire', NOT_FOUND],
    ['endKeeping', NOT_KEPT_IN_STOCK],
  ] as const)('is not planned with after %s', (type, kind) => {
    const store = new ProductionHistory();
    store.run({ type, variantIds: [variantId], hold: { id: 'hold', revision: 0 } });
    expect(() => store.run(planned)).toThrow(
      expect.objectContaining({ kind, extra: { errors: [expect.objectContaining({ path: 'recipeId' })] } }),
    );
  });

  test.each([
    ['retire', PRODUCT_IN_USE],
    ['endKeeping', PRODUCT_HAS_MOVED],
  ] as const)('refuses %s as long as the order is open', (type, kind) => {
    const store = new ProductionHistory();
    store.run(planned);
    expect(() => store.run({ type, variantIds: [variantId], hold: { id: 'hold', revision: 0 } })).toThrow(
      expect.objectContaining({ kind }),
    );
    store.run({ type: 'cancelOrder', ...store.named('order') });
    expect(store.run({ type, variantIds: [variantId], hold: { id: 'hold', revision: 0 } })).toHaveLength(1);
  });
});

test('orders and sales are numbered one after the other, also when an older one is completed last', () => {
  const store = new ProductionHistory();
  store.run(receive('flour', 'lot', 100, 1));
  store.run(plan);
  const numbered = (orderId: string) => store.fact('OrderCompleted', register(orderId, sketch)).number;
  expect([numbered('second'), numbered('third')]).toEqual([2, 3]);
  complete(store);
  expect(numbered('fourth')).toBe(4);
  const sold = (saleId: string) =>
    store.fact('SaleCompleted', sell(saleId, [{ variantId: 'bread', quantity: 1 }])).number;
  expect([sold('a'), sold('b')]).toEqual([1, 2]);
});

describe('the lot code of an output', () => {
  const stocked = () => {
    const store = new ProductionHistory();
    store.run(receive('flour', 'lot', 100, 1));
    return store;
  };

  test('is made up of the day and the number, and taken ones get a suffix', () => {
    const store = stocked();
    store.run(receive('bread', 'bought', 1, 1, { lotCode: '261121-2' }));
    const codes = ['first', 'second'].map(
      (orderId) => store.fact('OrderCompleted', register(orderId, sketch)).output?.lotCode,
    );
    expect(codes).toEqual(['261121-1', '261121-2-2']);
  });

  test('must be new for the product, and for that product alone', () => {
    const store = stocked();
    store.run(receive('bread', 'bought', 1, 1, { lotCode: 'A' }));
    store.run(sell('sale', [{ variantId: 'bread', quantity: 1 }]));
    store.run(receive('cake', 'cake', 1, 1, { lotCode: 'B' }));
    expect(() => store.run(register('order', sketch, { outputLotCode: 'A' }))).toThrow(new Rejection(LOT_CODE_TAKEN));
    expect(store.fact('OrderCompleted', register('order', sketch, { outputLotCode: 'B' })).output?.lotCode).toBe('B');
  });

  test('goes to by-products as well', () => {
    const byproducts = [{ variantId: 'crumbs', quantity: 1, share: 0 }];
    const order = stocked().fact('OrderCompleted', register('order', { ...sketch, byproducts }));
    expect(order.byproducts[0]?.lotCode).toBe(order.output?.lotCode);
  });
});

test('the expiry of an output is not that of by-products', () => {
  const store = new ProductionHistory();
  store.run(receive('flour', 'lot', 100, 1));
  const byproducts = [{ variantId: 'crumbs', quantity: 1, share: 0 }];
  const outputExpiresAt = '2026-12-01T03:00:00.000Z';
  const order = store.fact('OrderCompleted', register('order', { ...sketch, byproducts }, { outputExpiresAt }));
  expect([order.output?.expiresAt, order.byproducts[0]?.expiresAt]).toEqual([outputExpiresAt, null]);
});
