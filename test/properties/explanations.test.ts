import assert from 'node:assert/strict';
import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { projectors } from '../../projections/index.js';
import { holdings } from '../../projections/inventory/holdings.js';
import { lots } from '../../projections/inventory/lots.js';
import { stock } from '../../projections/inventory/stock.js';
import { orders } from '../../projections/production/orders.js';
import { sales } from '../../projections/sales/sales.js';
import type { FeatureServices } from '../../src/features/contracts/feature.js';
import type { explanationAnswer } from '../../src/features/contracts/explanation.js';
import { inventoryEvents } from '../../src/features/inventory/events.js';
import { explanationRoutes } from '../../src/features/inventory/explanations/explanation-routes.js';
import { stockKeeper } from '../../src/features/inventory/stock/keeper.js';
import { withCosts } from '../../src/features/inventory/sales/costs.js';
import { explainPlanning } from '../../src/features/planning/explanation-route.js';
import { planningRoutes } from '../../src/features/planning/planning-routes.js';
import type { RequestContext } from '../../src/kernel/routes/request-context.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { RecordCollection } from '../../src/ports/read-models.js';
import { recorded } from '../support/given-projection.js';
import { MemoryReads } from '../support/memory-reads.js';
import { GOODS, RECIPES, TracedLife, anyStep } from '../support/traced-life.js';
import { documentOf } from '../../src/kernel/routes/stored-records.js';

/** Every explanation adds up, to the last decimal, to the figure that other answers show; whatever happened. */

type Answer = z.output<typeof explanationAnswer>;
type Line = Answer['lines'][number];

const LIMIT = 3;
const DAYS = { days: 15, lookbackDays: 30 };
const made = Object.values(RECIPES);
const d = (value: number | string): Decimal => Decimal.from(value);

function worldOf({ facts, state, at }: TracedLife) {
  const events = facts.map((fact, revision) => {
    const event = recorded(fact.event, revision);
    const schemaVersion = inventoryEvents.versionOf(event.type);
    return { ...event, meta: { ...event.meta, schemaVersion, at: fact.at } };
  });
  const stored = events.map(({ data, meta, ...event }) => ({
    id: event.id,
    stream: event.stream,
    type: event.type,
    revision: event.revision,
    position: event.position,
    data: JSON.stringify(data),
    meta: JSON.stringify(meta),
  }));
  const reads = new MemoryReads(projectors, events);
  const context = {
    reads,
    at,
    storeId: 's1',
    client: {},
    current: () => Promise.resolve(state),
    readsPast: () => reads,
    may: () => true,
    eventsAt: (_: unknown, revisions: readonly number[]) =>
      Promise.resolve(revisions.flatMap((revision) => events[revision] ?? [])),
  } as unknown as RequestContext;
  const services = {
    eventStore: {
      readAt: (positions: readonly string[]) =>
        Promise.resolve(stored.filter(({ position }) => positions.includes(position))),
    },
    catalogue: {
      variants: () => Promise.resolve(new Map()),
      labels: (_: unknown, ids: readonly string[]) =>
        Promise.resolve(new Map(ids.map((id) => [id, { description: id }]))),
    },
    stores: { byId: () => Promise.resolve({ timeZone: 'UTC' }) },
    stock: stockKeeper,
    recipes: {
      inForce: (_: unknown, id: string) => Promise.resolve(made.find(({ recipeId }) => recipeId === id)),
      active: () => Promise.resolve(made),
    },
  } as unknown as FeatureServices;
  const ids = new Set(events.map(({ id }) => id));
  const [planning] = planningRoutes(services);
  return { context, reads, ids, planning, routes: [...explanationRoutes(services), explainPlanning(services)] };
}
type LivedWorld = ReturnType<typeof worldOf>;

/** All pages as one answer. */
async function explained(
  { routes, context }: LivedWorld,
  path: string,
  params: Readonly<Record<string, string>>,
): Promise<Answer> {
  const route = routes.find((one) => one.path === path);
  assert.ok(route);
  const lines: Line[] = [];
  const parts = new Map<string, NonNullable<Answer['parts']>[number]>();
  let cursor: string | undefined;
  for (;;) {
    const input = {
      params,
      query: { ...DAYS, limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) },
      body: undefined,
    };
    const { body } = (await route.handle(input, context)) as { readonly body: Answer };
    lines.push(...body.lines);
    for (const part of body.parts ?? []) parts.set(part.ref, part);
    if (body.nextCursor === null) return { ...body, lines, parts: [...parts.values()] };
    cursor = body.nextCursor;
  }
}

const sum = (lines: readonly Line[], of: 'quantity' | 'value') => Decimal.sum(lines.map((line) => d(line[of] ?? 0)));

/** A JSON number has about sixteen digits: the last of them may be lost where a line has more. */
function expectSum(lines: readonly Line[], whole: number): void {
  const largest = Math.max(Math.abs(whole), ...lines.map(({ value = 0 }) => Math.abs(value)));
  const missing = Math.abs(Number(sum(lines, 'value').minus(d(whole)).toString()));
  assert.ok(missing <= largest * lines.length * Number.EPSILON, JSON.stringify({ whole, lines }));
}

function expectAddsUp(world: LivedWorld, whole: Pick<Line, 'quantity' | 'value'>, lines: readonly Line[]): void {
  if (whole.value !== undefined) expectSum(lines, whole.value);
  if (whole.quantity !== undefined) assert.equal(sum(lines, 'quantity').toString(), d(whole.quantity).toString());
  for (const line of lines) {
    assert.notEqual(line.text, '');
    if (line.eventId !== undefined) assert.ok(world.ids.has(line.eventId));
    if (line.lines) expectAddsUp(world, { value: line.value }, line.lines);
  }
}

function expectWhole(world: LivedWorld, answer: Answer): void {
  expectAddsUp(world, answer.total, answer.lines);
  const refs = new Set((answer.parts ?? []).map(({ ref }) => ref));
  assert.equal(refs.size, answer.parts?.length ?? 0);
  for (const part of answer.parts ?? []) {
    expectAddsUp(world, part.total, part.lines);
    for (const { ref } of part.lines) if (ref !== undefined) assert.ok(refs.has(ref));
  }
  for (const line of answer.lines) assert.ok(line.eventId !== undefined, line.text);
}

const all = async ({ reads }: LivedWorld, collection: RecordCollection<never>, column: string) =>
  (await reads.find(collection, { sort: { column, direction: 'asc' }, limit: 10_000 })).items;

async function expectLots(world: LivedWorld): Promise<void> {
  const held = (await all(world, holdings, 'entered')).map((record) => documentOf(holdings, record));
  for (const { id: lotId } of await all(world, lots, 'entered')) {
    const answer = await explained(world, '/explain/lots/{lotId}', { lotId });
    expectWhole(world, answer);
    const own = held.filter((holding) => holding.lotId === lotId);
    for (const figure of ['quantity', 'value'] as const) {
      const there = Decimal.sum(own.map(({ exact }) => d(exact[figure])));
      assert.equal(d(answer.total[figure] ?? NaN).toString(), there.toString());
    }
    expectWhole(world, await explained(world, '/explain/lots/{lotId}/cost', { lotId }));
  }
}

async function expectOrders(world: LivedWorld): Promise<void> {
  for (const record of await all(world, orders, 'number')) {
    const answer = await explained(world, '/explain/orders/{id}', { id: record.id });
    expectWhole(world, answer);
    assert.equal(answer.total.value ?? null, documentOf(orders, record).totalCost);
  }
}

async function expectSales(world: LivedWorld): Promise<void> {
  for (const record of await all(world, sales, 'number')) {
    const answer = await explained(world, '/explain/sales/{id}', { id: record.id });
    expectWhole(world, answer);
    const sale = documentOf(sales, record);
    const shown = withCosts(world.context, sale, sale.costs) as unknown as {
      readonly margin: number;
      readonly items: readonly { readonly margin: number }[];
    };
    assert.equal(answer.total.value, shown.margin);
    assert.deepEqual(
      answer.lines.map(({ value }) => value),
      shown.items.map(({ margin }) => margin),
    );
  }
}

async function expectAverages(world: LivedWorld): Promise<void> {
  for (const id of GOODS) {
    const answer = await explained(world, '/explain/variants/{id}/average-cost', { id });
    expectWhole(world, answer);
    const record = await world.reads.get(stock, id);
    const average = record ? documentOf(stock, record).averageCost : null;
    assert.equal(answer.total.value ?? null, average);
  }
}

async function expectPlanning(world: LivedWorld): Promise<void> {
  const input = { params: undefined, query: DAYS, body: undefined };
  const { body } = (await world.planning?.handle(input, world.context)) as {
    readonly body: readonly { readonly recipeId: string; readonly suggestedQty: number }[];
  };
  assert.equal(body.length, made.length);
  for (const { recipeId, suggestedQty } of body) {
    const { total, lines } = await explained(world, '/explain/planning/{recipeId}', { recipeId });
    assert.equal(total.quantity, suggestedQty);
    expectAddsUp(world, total, lines);
    for (const line of lines)
      if (line.lines) assert.equal(sum(line.lines, 'quantity').toString(), d(line.quantity ?? NaN).toString());
  }
}

describe('random lives of a bakery', () => {
  test('are explained to the last decimal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 15, maxLength: 40 }), async (steps) => {
        const life = new TracedLife();
        for (const one of steps) life.take(one);
        const world = worldOf(life);
        await expectLots(world);
        await expectOrders(world);
        await expectSales(world);
        await expectAverages(world);
        await expectPlanning(world);
      }),
      { numRuns: 60 },
    );
  });
});
