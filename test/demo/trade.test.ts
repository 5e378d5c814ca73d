import { describe, expect, test } from '@jest/globals';
import type { DemoRecipe } from '../../src/demo/formulas.js';
import { RECIPES } from '../../src/demo/formulas.js';
import type { Trader } from '../../src/demo/happening.js';
import { DAYS, trade } from '../../src/demo/trade.js';
import { orderKey } from '../../src/features/inventory/ledger/touched-revisions.js';
import { toIso } from '../../src/kernel/values/clock.js';
import { startOfDay } from '../../src/kernel/values/days.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import { newId } from '../../src/kernel/values/ids.js';
import type { RecipeCopy } from '../../src/features/contracts/recipe-book.js';
import { InventoryHistory } from '../support/inventory-history.js';

const NOW = Date.parse('2026-11-21T15:00:00Z');
const ZONE = 'America/Sao_Paulo';
const STORE = newId(NOW);
/** Twenty days it bakes every day, and before that every other day. */
const BAKING_DAYS = 40;
/** Of each recipe at least so many batches, or parts of one. */
const OFTEN = 5;
/** Planned the evening before, and told whole then. */
const PLANNED = 'PAO-001';

/** The first version of a recipe; percents are taken for quantities of 20 kg. */
function copyOf({ sku, name, formula }: DemoRecipe): RecipeCopy {
  const { inputs, packaging = [], stages, byproducts = [], percentBasis } = formula;
  const scale = percentBasis ? 0.2 : 1;
  const d = (value: number) => Decimal.from(value).round(6);
  return {
    recipeId: sku,
    version: 1,
    name,
    finishedVariantId: sku,
    yieldQty: d(formula.yieldQty),
    expectedLossPercent: d(formula.expectedLossPercent),
    items: [...inputs, ...packaging].map(([componentVariantId, amount]) => ({
      componentVariantId,
      quantity: Decimal.from(amount).times(d(scale)),
      lossPercent: Decimal.zero,
      costKind: 'MATERIAL',
    })),
    stages: stages.map(([stage, minutes, rate]) => ({
      name: stage,
      required: true,
      workCenter: null,
      standardMinutes: d(minutes),
      laborRatePerHour: d(rate),
    })),
    byproducts: byproducts.map(([variantId, quantity, share]) => ({
      variantId,
      quantityPerBatch: d(quantity),
      costSharePercent: d(share),
    })),
  };
}

const trader = (until = NOW): Trader => ({
  recipes: new Map(RECIPES.map((recipe) => [recipe.sku, copyOf(recipe)])),
  storeId: STORE,
  locationId: 'shop',
  customerIds: ['a', 'b'],
  timeZone: ZONE,
  until,
  variantIdOf: (sku) => sku,
  productIdOf: (sku) => sku,
  priceCard: () => ({ cardBrandId: null, feePercent: null, fee: null, feePending: true, feeTerms: null }),
});

/** What the stock records when all of it happens. */
function recorded(until = NOW): InventoryHistory {
  const history = new InventoryHistory();
  for (const happening of trade(trader(until))) {
    const at = toIso(happening.at);
    if ('command' in happening) history.run(happening.command, at);
    else if ('cancels' in happening) {
      const saleId = happening.cancels;
      history.run({ type: 'cancelSale', saleId, reason: 'engano', past: history.pastOf(saleId) }, at);
    } else if ('reverses' in happening) {
      const { reverses: orderId, reason, partial } = happening;
      const past = history.pastOf(orderId, orderKey(orderId));
      history.run({ type: 'reverseOrder', orderId, reason, partial, past }, at);
    } else if ('blocks' in happening) {
      const { blocks, variantId, reason } = happening;
      const lot = history.stock(variantId).lots.named(blocks);
      if (lot) history.run({ type: 'block', lot: { ...lot, variantId }, reason }, at);
    } else {
      const { returns: saleId, returnId, variantId, quantity } = happening;
      const past = history.pastOf(saleId);
      history.run({ type: 'returnSale', saleId, returnId, reason: null, items: [{ variantId, quantity }], past }, at);
    }
  }
  return history;
}

describe('the days of the demonstration', () => {
  test('can all happen, one fact each, with nothing sold that is not there', () => {
    const { events, state } = recorded();
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(events).toHaveLength([...trade(trader())].length);
    expect(count('StockReceived')).toBeGreaterThanOrEqual(BAKING_DAYS);
    expect(count('SaleCompleted')).toBeGreaterThan(DAYS * 10);
    expect(Math.min(count('SaleReturned'), count('SaleCancelled'))).toBeGreaterThan(5);
    expect([...state.variants.values()].flatMap(({ debts }) => debts)).toEqual([]);
  });

  test('see orders in all states, a burnt batch and by-products', () => {
    const { events, state } = recorded();
    const completed = events.flatMap((event) => (event.type === 'OrderCompleted' ? [event.data] : []));
    expect(completed.length).toBeGreaterThan(BAKING_DAYS * 3);
    for (const { sku } of RECIPES) {
      const made = completed.filter(({ plan }) => plan?.recipe.finishedVariantId === sku);
      // An order that was planned is not told again when it is completed.
      expect(sku === PLANNED ? completed.filter(({ plan }) => !plan).length : made.length).toBeGreaterThan(OFTEN);
    }
    expect(completed.filter(({ output }) => output === null)).toHaveLength(1);
    expect(completed.some(({ byproducts }) => byproducts.length > 0)).toBe(true);
    const reversed = events.flatMap((event) => (event.type === 'OrderReversed' ? [event.data.whole] : []));
    expect(reversed.sort()).toEqual([false, true]);
    expect(events.filter(({ type }) => type === 'OrderCancelled')).toHaveLength(1);
    expect([...state.openOrders.values()].map(({ started }) => started).sort()).toEqual([false, true]);
  });

  test.each([0, 2, 4, 5, 8, 17, 23])('have work planned and begun at %d o’clock', (hour) => {
    const midnight = startOfDay('2026-11-21', ZONE);
    const { state } = recorded(midnight + (hour + 1 / 60) * 3_600_000);
    const begun = new Set([...state.openOrders.values()].map(({ started }) => started));
    expect([...begun].sort()).toEqual([false, true]);
  });

  test('end with fresh goods, in all that was asked for, and with one lot that is in doubt', () => {
    const { events, state } = recorded();
    const lots = [...state.variants.values()].flatMap((stock) => [...stock.lots]);
    const left = lots.filter(({ holdings }) => holdings.length > 0);
    expect(left.length).toBeGreaterThan(50);
    expect(left.filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) <= NOW)).toEqual([]);
    expect(lots.filter(({ blocked }) => blocked).length).toBe(
      events.filter(({ type }) => type === 'LotBlocked').length + 2,
    );
    expect(events.filter(({ type }) => type === 'StockAdjusted').length).toBeGreaterThan(BAKING_DAYS);
  });

  test('are the same for the same store, in the order of time, none later than its making', () => {
    const times = [...trade(trader())].map(({ at }) => at);
    expect(times.every((at, index) => at >= (times[index - 1] ?? 0))).toBe(true);
    expect(times.at(-1)).toBeLessThanOrEqual(NOW);
    expect(times[0]).toBeLessThan(NOW - (DAYS - 1) * 86_400_000);
    expect(JSON.stringify([...trade(trader())])).toBe(JSON.stringify([...trade(trader())]));
  });

  test('pay their sales in many ways, customers and kits among them', () => {
    const sales = [...trade(trader())].flatMap((one) =>
      'command' in one && one.command.type === 'completeSale' ? [one.command] : [],
    );
    const methods = new Set(sales.flatMap(({ payments }) => payments.map(({ method }) => method)));
    expect([...methods].sort()).toEqual(['CASH', 'CREDIT', 'DEBIT', 'PIX']);
    for (const { payments, total } of sales) {
      expect(payments.reduce((sum, { amount }) => sum.plus(amount), total.minus(total))).toEqual(total);
    }
    expect(sales.some(({ customerId }) => customerId === 'a')).toBe(true);
    expect(sales.some(({ lines }) => lines.some(({ goods }) => goods.length > 1))).toBe(true);
  });
});
