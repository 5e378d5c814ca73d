import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { z } from 'zod';
import { projectors } from '../../projections/index.js';
import { soldLots } from '../../projections/traceability/sold-lots.js';
import { planningRoutes } from '../../src/features/planning/planning-routes.js';
import { knownWay, walkKnown } from '../../src/features/traceability/edges.js';
import { MAX_DEPTH } from '../../src/features/traceability/graph-walk.js';
import type { recallAnswer, traceAnswer } from '../../src/features/traceability/answers.js';
import { recall } from '../../src/features/traceability/recall.js';
import { scopeOf } from '../../src/features/traceability/recall-scope.js';
import { recallCsv } from '../../src/features/traceability/recall-csv.js';
import { keptTrace } from '../../src/features/traceability/trace.js';
import { stockKeeper } from '../../src/features/inventory/stock/keeper.js';
import { totalsOf } from '../../src/kernel/projections/projector.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { FeatureServices } from '../../src/features/contracts/feature.js';
import type { RequestContext, StoreReads } from '../../src/kernel/routes/request-context.js';
import type { Catalogue } from '../../src/features/contracts/catalogue.js';
import type { CustomerDirectory } from '../../src/features/contracts/customer-directory.js';
import { recorded } from '../support/given-projection.js';
import { MemoryReads } from '../support/memory-reads.js';
import { variant } from '../support/recipes.js';
import type { Step } from '../support/traced-life.js';
import { CODES, GOODS, RECIPES, TracedLife, anyStep } from '../support/traced-life.js';
import { TracingOracle } from '../support/tracing-oracle.js';

/** What an investigator is told agrees with a count of the raw facts, whatever happened. */

const catalogue: Catalogue = {
  variants: () => Promise.reject(new Error('a query asks read models')),
  labels: (_, ids) => Promise.resolve(new Map(ids.map((id) => [id, variant(id, 'KG')]))),
  setTaxableUnit: () => Promise.reject(new Error('nobody asks')),
  taxableUnitSetBefore: () => Promise.reject(new Error('nobody asks')),
};
const customers: CustomerDirectory = {
  byIds: (_, ids) =>
    Promise.resolve(new Map(ids.map((id) => [id, { id, name: id, document: null, phone: null, email: null }]))),
  unseal: (_, people) => Promise.resolve(people),
  has: () => Promise.resolve(true),
};

function contextOf(life: TracedLife, reads: StoreReads = new MemoryReads(projectors, eventsOf(life))): RequestContext {
  const { state, at } = life;
  const client = { baseUrl: 'http://store.example' };
  const version = at;
  const current = () => Promise.resolve(state);
  return { reads, at, version, storeId: 's1', client, current } as unknown as RequestContext;
}

const eventsOf = ({ facts }: TracedLife) =>
  facts.map((fact, revision) => {
    const event = recorded(fact.event, revision);
    return { ...event, meta: { ...event.meta, at: fact.at } };
  });

// Clocks change within the drawn lives: by an hour, by half of one, at midnight, in autumn and in spring; or never, half an hour apart.
const ZONES = [
  'America/Sao_Paulo',
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const;
const BEGINNINGS = ['2026-03-01T09:00Z', '2026-03-20T22:20Z', '2026-10-01T09:00Z', '2026-10-20T03:40Z'] as const;

const storesIn = (timeZone: string) =>
  ({ byId: () => Promise.resolve({ timeZone }) }) as unknown as FeatureServices['stores'];

const sorted = <T>(values: Iterable<T>): T[] => [...values].sort();

const SIZE = 4;

/** All pages of a trace, as one. */
async function traced(context: RequestContext, lotCode: string, direction: 'backward' | 'forward', depth: number) {
  const all = { edges: new Map<string, object>(), orders: new Map<string, number>(), nodes: new Set<string>() };
  let matched: readonly { readonly lotId: string }[] = [];
  for (let page = 1, total = 1; (page - 1) * SIZE < total; page++) {
    const request = { lotCode, variantId: undefined, direction, depth, page, pageSize: SIZE };
    const bytes = await keptTrace(context, { catalogue, timeZone: 'America/Sao_Paulo' }, request);
    const answer = JSON.parse(bytes.toString()) as z.output<typeof traceAnswer>;
    for (const { from, to, quantity, settledLater } of answer.edges) {
      assert.equal(all.edges.has(`${from} > ${to}`), false);
      all.edges.set(`${from} > ${to}`, { quantity, settledLater });
    }
    for (const order of answer.orders) all.orders.set(order.id, order.depth);
    for (const { id } of answer.nodes) all.nodes.add(id);
    ({ total } = answer);
    matched = answer.lots;
    assert.equal(answer.orders.length, Math.min(SIZE, Math.max(0, total - (page - 1) * SIZE)));
  }
  return { ...all, matched };
}

async function expectTraces(context: RequestContext, oracle: TracingOracle, lotCode: string): Promise<void> {
  for (const direction of ['backward', 'forward'] as const) {
    for (const depth of [1, MAX_DEPTH]) {
      const found = await traced(context, lotCode, direction, depth);
      const start = oracle.matching(lotCode);
      const expected = oracle.trace(start, direction, depth);
      assert.deepEqual(sorted(found.matched.map(({ lotId }) => lotId)), sorted(start));
      assert.deepEqual(new Map(sorted(found.orders)), new Map(sorted(expected.orders)));
      assert.deepEqual(sorted(found.nodes), sorted([...expected.lots.keys(), ...expected.orders.keys()]));
      const edges = [...expected.edges].map(
        ([key, { quantity, settledLater }]) => [key, { quantity: quantity.toNumber(), settledLater }] as const,
      );
      assert.deepEqual(new Map(sorted(found.edges)), new Map(sorted(edges)));
    }
  }
}

async function expectRecall(
  context: RequestContext,
  oracle: TracingOracle,
  lotCode: string,
  variantId: string | undefined,
): Promise<void> {
  const locations = { names: () => Promise.resolve(new Map([['shop', 'Loja']])) };
  const { timeZone } = oracle;
  const services = {
    catalogue,
    customers,
    locations,
    stores: storesIn(timeZone),
  };
  const ask = async (page: number) => {
    const text = await recall(context, services, { lotCode, variantId, page, pageSize: SIZE });
    return JSON.parse(text.toString()) as z.output<typeof recallAnswer>;
  };
  const start = oracle.matching(lotCode, variantId);
  const reached = new Set(oracle.trace(start, 'forward').lots.keys());
  const sold = oracle.sold(reached);
  let answer = await ask(1);
  const rows = [...answer.sales];
  for (let page = 2; rows.length < answer.total; page++) {
    answer = await ask(page);
    assert.notEqual(answer.sales.length, 0);
    rows.push(...answer.sales);
  }
  assert.deepEqual(
    sorted(answer.lots.map(({ lotId, kind }) => `${kind} ${lotId}`)),
    sorted([...reached].map((lotId) => `${start.includes(lotId) ? 'MATCHED' : 'REACHED'} ${lotId}`)),
  );
  assert.deepEqual(
    sorted(
      rows.map((row) =>
        JSON.stringify([
          row.saleId,
          row.soldAt,
          row.variantId,
          row.lotCode,
          row.quantity,
          row.returnedQuantity,
          row.netQuantity,
          row.customer?.id ?? null,
        ]),
      ),
    ),
    sorted(
      [...sold.values()].map(({ flow, quantity, returned }) =>
        JSON.stringify([
          flow.id,
          flow.soldAt,
          flow.variantId,
          oracle.lots.get(flow.lotId)?.lotCode ?? null,
          quantity.toNumber(),
          returned.toNumber(),
          quantity.minus(returned).toNumber(),
          flow.customerId,
        ]),
      ),
    ),
  );
  const lines = [...sold.values()];
  const times = sorted(lines.map(({ flow }) => flow.soldAt));
  const net = (of: (line: (typeof lines)[number]) => Decimal) => Decimal.sum(lines.map(of)).toNumber();
  assert.deepEqual(answer.summary, {
    sales: new Set(lines.map(({ flow }) => flow.id)).size,
    customers: new Set(lines.map(({ flow }) => flow.customerId).filter((id) => id !== null)).size,
    salesWithoutCustomer: new Set(lines.filter(({ flow }) => flow.customerId === null).map(({ flow }) => flow.id)).size,
    invoices: 0,
    soldQuantity: net(({ quantity }) => quantity),
    returnedQuantity: net(({ returned }) => returned),
    netQuantity: net(({ quantity, returned }) => quantity.minus(returned)),
    quantities: [
      {
        unit: 'KG',
        sold: net(({ quantity }) => quantity),
        returned: net(({ returned }) => returned),
        net: net(({ quantity, returned }) => quantity.minus(returned)),
      },
    ],
    firstSaleAt: times[0] ?? null,
    lastSaleAt: times.at(-1) ?? null,
  });
  const stateOf = (lotId: string) =>
    `${oracle.isBlocked(lotId) ? 'BLOCKED' : 'AVAILABLE'} ${String(oracle.expiryDay(lotId))}`;
  assert.deepEqual(
    sorted(
      answer.remainingStock.map(
        (one) =>
          `${one.lotId}/${one.locationId} ${String(one.quantity)} ${String(one.status)} ${String(one.expiresOn)}`,
      ),
    ),
    sorted(
      [...oracle.remaining(reached)].map(
        ([key, quantity]) => `${key} ${quantity.toString()} ${stateOf(key.split('/')[0] ?? '')}`,
      ),
    ),
  );
  assert.deepEqual(answer.massBalance, oracle.balance(new Set(start)));
  const scope = await scopeOf(context, services, { lotCode, variantId });
  let text = '';
  const places = { locationNames: new Map([['shop', 'Loja']]), timeZone };
  for await (const piece of recallCsv(context, services, scope, places)) text += piece;
  assert.equal(text.split('\r\n').length - 2, lines.length);
}

/** Whatever is reached from a lot reaches it the other way round. */
async function expectBothWays(context: RequestContext, oracle: TracingOracle): Promise<void> {
  const pairs = async (direction: 'backward' | 'forward') => {
    const found: string[] = [];
    for (const lotId of oracle.lots.keys()) {
      const { lots } = await walkKnown(knownWay(context, direction), [lotId], MAX_DEPTH);
      for (const { subject: other } of lots)
        found.push(direction === 'forward' ? `${lotId}>${other}` : `${other}>${lotId}`);
    }
    return sorted(found);
  };
  assert.deepEqual(await pairs('forward'), await pairs('backward'));
}

async function expectPlanning(context: RequestContext, oracle: TracingOracle, lookbackDays: number): Promise<void> {
  const [planning] = planningRoutes({
    recipes: {
      active: () => Promise.resolve(Object.values(RECIPES)),
      inForce: () => Promise.resolve(undefined),
      finished: () => Promise.resolve(new Set()),
    },
    stock: stockKeeper,
    stores: storesIn(oracle.timeZone),
  });
  const days = 15;
  const input = { query: { days, lookbackDays }, params: undefined, body: undefined };
  const { body } = (await planning?.handle(input, context)) as { readonly body: unknown };
  const today = Date.parse(`${oracle.dayAt(context.at)}T00:00:00Z`);
  const firstDay = new Date(today - (lookbackDays - 1) * 86_400_000).toISOString().slice(0, 10);
  const expected = Object.values(RECIPES).map((recipe) => {
    const { finishedVariantId } = recipe;
    const { used, firstAt } = oracle.usage(finishedVariantId, firstDay);
    const age = firstAt === undefined ? Infinity : (Date.parse(context.at) - Date.parse(firstAt)) / 86_400_000;
    const spread = Math.min(lookbackDays, Math.max(1, Math.ceil(age)));
    const sold = Math.max(0, used.toNumber());
    const [free, planned] = [oracle.free(finishedVariantId, context.at), oracle.planned(finishedVariantId)].map(Number);
    return { finishedVariantId, free, planned, sold, spread };
  });
  const rows = body as readonly { readonly [name: string]: number | string | null }[];
  const near = (found: unknown, wanted: number) => {
    assert.ok(Math.abs(Number(found) - wanted) < 0.01, `${String(found)} is not ${String(wanted)}`);
  };
  assert.equal(rows.length, expected.length);
  for (const [index, { finishedVariantId, free, planned, sold, spread }] of expected.entries()) {
    const row = rows[index] ?? {};
    const target = (sold / spread) * days;
    assert.equal(row['finishedVariantId'], finishedVariantId);
    near(row['stockQty'], free ?? NaN);
    near(row['plannedQty'], planned ?? NaN);
    near(row['averageDailySales'], sold / spread);
    near(row['targetQty'], target);
    const yields = finishedVariantId === 'toast' ? 3.6 : 4;
    const exact = Math.max(0, target - (free ?? 0) - (planned ?? 0)) / yields;
    assert.ok(Number(row['suggestedBatches']) >= exact - 1e-6 && Number(row['suggestedBatches']) < exact + 1 + 1e-6);
    near(row['suggestedQty'], Number(row['suggestedBatches']) * yields);
    if (sold === 0) assert.equal(row['coverageDays'], null);
    else near(row['coverageDays'], (free ?? 0) / (sold / spread));
  }
}

describe('random lives of a bakery', () => {
  test('are traced, recalled and planned as the raw facts say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 15, maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(...ZONES),
        fc.constantFrom(...BEGINNINGS),
        async (steps, lookbackDays, timeZone, begin) => {
          const life = new TracedLife(timeZone, Date.parse(begin));
          for (const one of steps) life.take(one);
          const oracle = new TracingOracle(life.facts, timeZone);
          const context = contextOf(life);
          await expectBothWays(context, oracle);
          await expectPlanning(context, oracle, lookbackDays);
          for (const lotCode of [...CODES, 'X', 'Y']) {
            const matched = oracle.matching(lotCode);
            if (matched.length === 0) continue;
            await expectTraces(context, oracle, lotCode);
            await expectRecall(context, oracle, lotCode, undefined);
            const variantId = GOODS.find((goods) => oracle.matching(lotCode, goods).length > 0);
            await expectRecall(context, oracle, lotCode, variantId);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a sale that is recorded while a recall is made', () => {
  test('hides none that was there, even if it is said to be older', async () => {
    const life = new TracedLife();
    const sell = (late: number): Step => {
      const lines = [{ goods: 'flour' as const, quantity: 1, lotCode: null, kit: false }];
      return { do: 'sell', hours: 2, place: 'shop', owing: false, customerId: null, lines, late };
    };
    life.take({ do: 'receive', hours: 1, goods: 'flour', quantity: 9, lotCode: 'A', place: 'shop', soon: false });
    life.take(sell(0));
    const before = new MemoryReads(projectors, eventsOf(life));
    life.take(sell(3));
    const reads = new MemoryReads(projectors, eventsOf(life));
    const { getBodies } = reads;
    reads.getBodies = (collection, ids) => {
      // What was sold of each lot is counted before the second sale, and everything after it is read behind it.
      if (collection.name !== totalsOf(soldLots).name) return getBodies(collection, ids);
      reads.getBodies = getBodies;
      return before.getBodies(collection, ids);
    };
    await expectRecall(contextOf(life, reads), new TracingOracle(life.facts), 'A', undefined);
  });
});
