import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { OrderDocument } from '../../projections/production/orders.js';
import { orderAfter } from '../../projections/production/orders.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { HistoryOutdated } from '../../src/features/inventory/ledger/known-history.js';
import { foreseeReversal } from '../../src/features/inventory/production/domain/reversal.js';
import { valueOf } from '../../src/features/inventory/ledger/taking.js';
import type { InventoryFact } from '../../src/features/inventory/events.js';
import { entriesOf } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { Rejection } from '../../src/kernel/events/rejection.js';
import { recorded } from '../support/given-projection.js';
import { NOON } from '../support/given.js';
import { issuesOf } from '../support/goods-orders/movements.js';
import { d, receive, sell } from '../support/inventory-history.js';
import type { RecipeSketch } from '../support/production-history.js';
import { ProductionHistory, makingOf, planOf, register } from '../support/production-history.js';

/** Random lives of orders, with receipts, sales, returns and transfers between them. */

const GOODS = ['flour', 'salt', 'bread', 'crumbs'] as const;

const quantity = fc.integer({ min: 1, max: 40_000 }).map((thousandths) => thousandths / 1_000);
const few = fc.integer({ min: 1, max: 9_000 }).map((thousandths) => thousandths / 1_000);
const cost = fc
  .integer({ min: 0, max: 99_999 })
  .map((units) => units / 7)
  .map((value) => value.toFixed(10));
const order = fc.constantFrom('a', 'b', 'c');
const owing = fc.boolean();

const OVEN = {
  name: 'Forno',
  required: true,
  workCenter: null,
  standardMinutes: d('12.5'),
  laborRatePerHour: d('33.33'),
};

const sketch: fc.Arbitrary<RecipeSketch> = fc.record({
  needs: fc.record({ flour: few, salt: few }),
  gives: quantity,
  lossPercent: fc.integer({ min: 0, max: 99 }),
  stages: fc.constantFrom([], [OVEN]),
  byproducts: fc.constantFrom([], [{ variantId: 'crumbs', quantity: 0.333, share: 12.3456 }]),
});
/** What was really used of inputs: of flour sometimes two parts, of salt sometimes nothing. */
const used = fc.constantFrom<readonly (readonly [string, string])[]>(
  ...([[], [], [['flour', '1.234567']], [['salt', '0']]] as const),
  [
    ['flour', '0.5'],
    ['salt', '3'],
    ['flour', '0.000001'],
  ],
);

/** Undefined is what was expected. */
const obtained = fc.option(fc.oneof(fc.constant(0), quantity), { nil: undefined });

const step = fc.oneof(
  fc.record({ do: fc.constant('receive' as const), goods: fc.constantFrom(...GOODS), quantity, cost }),
  fc.record({ do: fc.constant('sell' as const), goods: fc.constantFrom(...GOODS), quantity: few, owing }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), nth: fc.nat(2), quantity }) },
  fc.record({ do: fc.constant('transfer' as const), goods: fc.constantFrom(...GOODS), quantity: few }),
  fc.record({ do: fc.constant('plan' as const), order, sketch }),
  fc.record({ do: fc.constant('start' as const), order }),
  fc.record({ do: fc.constant('stage' as const), order, done: fc.boolean() }),
  fc.record({ do: fc.constant('cancel' as const), order }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('complete' as const), order, obtained, owing, used }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('register' as const), order, sketch, obtained, owing, used }) },
  // An output of which some is sold: what a partial reversal needs.
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      goods: fc.constant('bread' as const),
      quantity: few,
      owing,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('reverse' as const), order, partial: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const inputOf = ([componentVariantId, quantity]: readonly [string, string]) => ({
  componentVariantId,
  quantity: d(quantity),
  lotCode: null,
});

class Life extends ProductionHistory {
  private sales = 0;

  take(one: Step, index: number): void {
    try {
      const command = this.commandOf(one, index);
      if (command) this.run(command);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }

  private commandOf(one: Step, index: number): InventoryCommand | undefined {
    const making =
      'obtained' in one
        ? { actualOutputQty: one.obtained === undefined ? null : d(one.obtained), actualInputs: one.used.map(inputOf) }
        : {};
    switch (one.do) {
      case 'receive':
        return receive(one.goods, `lot ${String(index)}`, one.quantity, one.cost);
      case 'sell':
        return sell(`sale ${String(++this.sales)}`, [{ variantId: one.goods, quantity: one.quantity }], one.owing);
      case 'return':
        return this.returnOf(`sale ${String(this.sales - one.nth)}`, index, one.quantity);
      case 'transfer':
        return {
          type: 'transfer',
          transferId: `transfer ${String(index)}`,
          fromLocationId: 'shop',
          toLocationId: 'cellar',
          items: [{ variantId: one.goods, quantity: d(one.quantity), lotCode: null }],
          knownCodes: undefined,
        };
      case 'plan':
        return this.isNew(one.order) ? { type: 'planOrder', orderId: one.order, plan: planOf(one.sketch) } : undefined;
      case 'register':
        return this.isNew(one.order)
          ? register(one.order, one.sketch, { ...making, allowNegativeStock: one.owing })
          : undefined;
      case 'start':
        return { type: 'startOrder', ...this.named(one.order) };
      case 'stage':
        return {
          type: 'markStage',
          ...this.named(one.order),
          stageId: 'stage 1',
          done: one.done,
          notes: undefined,
        };
      case 'cancel':
        return { type: 'cancelOrder', ...this.named(one.order) };
      case 'complete':
        return {
          type: 'completeOrder',
          ...this.named(one.order),
          making: makingOf(one.order, { ...making, allowNegativeStock: one.owing }),
        };
      case 'reverse':
        return this.reversing(one.order, one.partial);
    }
  }

  private isNew = (orderId: string): boolean =>
    !this.events.some((event) => 'orderId' in event.data && event.data.orderId === orderId);

  private returnOf(saleId: string, index: number, given: number): InventoryCommand | undefined {
    const sale = this.events.find((event) => event.type === 'SaleCompleted' && event.data.saleId === saleId);
    const line = sale?.type === 'SaleCompleted' ? sale.data.lines[0] : undefined;
    if (!line) return undefined;
    const items = [{ variantId: line.variantId, quantity: line.quantity.min(d(given)) }];
    const past = this.pastOf(saleId);
    return { type: 'returnSale', saleId, returnId: `return ${String(index)}`, reason: null, items, past };
  }
}

type Sums = Map<string, readonly [quantity: Decimal, value: Decimal]>;

function add(sums: Sums, lotId: string, quantity: Decimal, value: Decimal): void {
  const [before, worth] = sums.get(lotId) ?? [Decimal.zero, Decimal.zero];
  sums.set(lotId, [before.plus(quantity), worth.plus(value)]);
}

/** What the facts say of each lot, against what the state holds. */
function expectLotsConserved(life: Life): void {
  const told: Sums = new Map();
  for (const event of life.events) {
    for (const { takes } of issuesOf(event)) {
      for (const { lotId, quantity, value } of takes) add(told, lotId, quantity.negated(), value.negated());
    }
    for (const { lotId, quantity, value, settlements } of entriesOf(event)) {
      add(told, lotId, quantity, value);
      for (const settled of settlements) add(told, lotId, settled.quantity.negated(), settled.value.negated());
    }
  }
  const held: Sums = new Map();
  for (const { lots } of life.state.variants.values()) {
    for (const { lotId, holdings } of lots) {
      for (const { quantity, value } of holdings) {
        assert.equal(quantity.isPositive && !value.isNegative, true);
        add(held, lotId, quantity, value);
      }
    }
  }
  const left = (sums: Sums) =>
    [...sums]
      .filter(([, [quantity, value]]) => !quantity.isZero || !value.isZero)
      .map(([id, sum]) => [id, ...sum.map(String)]);
  assert.deepEqual(
    new Map(left(told).map(([id, ...sum]) => [id, sum])),
    new Map(left(held).map(([id, ...sum]) => [id, sum])),
  );
}

/** A balance is what lots hold less what is owed. */
function expectBalances(life: Life): void {
  for (const { lots, debts, balances, pool } of life.state.variants.values()) {
    for (const { locationId, quantity } of balances) {
      const there = [...lots].flatMap(({ holdings }) =>
        holdings.filter((holding) => holding.locationId === locationId),
      );
      const owed = debts.filter((debt) => debt.locationId === locationId);
      const sum = Decimal.sum(there.map((holding) => holding.quantity)).minus(
        Decimal.sum(owed.map((debt) => debt.quantity)),
      );
      assert.equal(quantity.toString(), sum.toString());
    }
    assert.equal(pool.quantity.toString(), Decimal.sum(balances.map((balance) => balance.quantity)).toString());
    assert.equal(pool.value.isNegative, false);
  }
}

function expectCostsAddUp({ consumptions, byproducts, output, ...order }: InventoryFact<'OrderCompleted'>): void {
  const inputs = Decimal.sum(consumptions.map(valueOf));
  const gave = [order.productCost, ...byproducts.map(({ value }) => value), order.roundingDifference];
  assert.equal(inputs.plus(order.laborCost).toString(), Decimal.sum(gave).toString());
  const parts = consumptions.flatMap(({ takes, debt }) => [...takes, ...(debt ? [debt] : [])].map((part) => part.cost));
  assert.equal(Decimal.sum(parts).toString(), order.materialCost.toString());
  assert.equal(output?.value.toString() ?? order.productCost.toString(), order.productCost.toString());
}

/** Once all is reversed, nothing of an input is left with the order. */
function expectAllBack(life: Life, orderId: string): void {
  const past = life.pastOfOrder(orderId).events.map(({ event }) => event);
  const completed = past.find((event) => event.type === 'OrderCompleted');
  if (completed?.type !== 'OrderCompleted') throw new Error('reversed without being completed');
  const settled = past
    .flatMap(entriesOf)
    .flatMap(({ settlements }) => settlements)
    .filter(({ originId }) => originId === orderId);
  const reversals = past.flatMap((event) =>
    event.type === 'OrderReversed' && event.data.orderId === orderId ? [event.data] : [],
  );
  for (const [index, { takes, debt }] of completed.data.consumptions.entries()) {
    const own = settled.filter(({ debtId }) => debtId === debt?.debtId);
    const back = reversals.flatMap(({ inputs }) => inputs[index] ?? []);
    const sum = (parts: readonly { readonly quantity: Decimal; readonly value: Decimal }[]) =>
      [Decimal.sum(parts.map((part) => part.quantity)), Decimal.sum(parts.map((part) => part.value))].map(String);
    assert.deepEqual(sum(back.flatMap(({ entries }) => entries)), sum([...takes, ...own]));
    const forgiven = back.flatMap((one) => one.forgiven);
    const provisional = own.map((one) => ({ quantity: one.quantity, value: one.provisional }));
    assert.deepEqual(sum([...forgiven, ...provisional]), sum(debt ? [debt] : []));
  }
}

const stored = (document: OrderDocument | undefined) =>
  document && (JSON.parse(JSON.stringify(document)) as OrderDocument);

/** Each order's document, kept and read between two facts that come twice, against one folded at once. */
function expectDocumentsReplay(life: Life): void {
  const facts = life.events.map((event, revision) => recorded(event, revision));
  const named = new Set(facts.flatMap(({ data }) => ('orderId' in data ? [data.orderId] : [])));
  for (const orderId of named) {
    const own = facts.filter(
      (event) =>
        ('orderId' in event.data && event.data.orderId === orderId) ||
        entriesOf(event).some(({ settlements }) => settlements.some(({ originId }) => originId === orderId)),
    );
    const kept = own.reduce<OrderDocument | undefined>(
      (document, event) => stored(orderAfter(stored(orderAfter(document, event)), event)),
      undefined,
    );
    assert.deepEqual(kept, stored(own.reduce(orderAfter, undefined)));
    expectPartsAddUp(kept);
  }
}

function expectPartsAddUp(order: OrderDocument | undefined): void {
  if (order?.materialCost === undefined || order.materialCost === null) return;
  assert.equal(Decimal.sum(order.consumptions.map((part) => d(part.cost))).toNumber(), order.materialCost);
}

describe('random lives of orders', () => {
  test('keep quantities and costs to the last decimal', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => {
        const life = new Life();
        for (const goods of ['flour', 'salt']) life.run(receive(goods, `first ${goods}`, 60, '3.3333333333'));
        for (const [index, one] of steps.entries()) {
          const foreseen = one.do === 'reverse' ? previewOf(life, one.order) : undefined;
          const before = life.events.length;
          life.take(one, index);
          const event = life.events[before];
          if (event?.type === 'OrderCompleted') expectCostsAddUp(event.data);
          if (event?.type !== 'OrderReversed') continue;
          assert.deepEqual({ ...foreseen, reason: event.data.reason }, event.data);
          if (event.data.whole) expectAllBack(life, event.data.orderId);
        }
        expectLotsConserved(life);
        expectBalances(life);
        expectDocumentsReplay(life);
      }),
      { numRuns: 1_000 },
    );
  });
});

function previewOf(life: Life, orderId: string) {
  try {
    return foreseeReversal(life.state, life.named(orderId), NOON).reversal;
  } catch (error) {
    if (error instanceof Rejection || error instanceof HistoryOutdated) return undefined;
    throw error;
  }
}
