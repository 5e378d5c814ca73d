import assert from 'node:assert/strict';
import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { averageCostsProjector } from '../../projections/inventory/average-costs.js';
import type { HoldingDocument } from '../../projections/inventory/holdings.js';
import { holdingsProjector } from '../../projections/inventory/holdings.js';
import type { Cause, LotDocument } from '../../projections/inventory/lots.js';
import { lotsProjector } from '../../projections/inventory/lots.js';
import { movesStock } from '../../projections/inventory/parts/stock-facts.js';
import type { StockMovement } from '../../projections/inventory/parts/stock-movements.js';
import { stockMovementsOf } from '../../projections/inventory/parts/stock-movements.js';
import type { StockDocument } from '../../projections/inventory/stock.js';
import { stockProjector } from '../../projections/inventory/stock.js';
import { inventory } from '../../src/features/inventory/decider.js';
import type { Inventory } from '../../src/features/inventory/ledger/state.js';
import type { InventoryEvent } from '../../src/features/inventory/events.js';
import type { Decimal } from '../../src/kernel/values/decimal.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import type { Projector } from '../../src/kernel/projections/projector.js';
import type { Row } from '../../src/ports/read-models.js';
import { NOBODY } from '../support/given.js';
import { recorded } from '../support/given-projection.js';
import { StockLife, step } from '../support/stock-lives.js';
import { units } from '../support/stock-model.js';
import { throughSnapshot } from '../support/through-snapshot.js';

/** Random lives of a stock, held against a model after every step. */

const of = (value: Decimal): bigint => units(value.toString());

/** As the model shows itself. */
function shown({ variants }: Inventory): Record<string, unknown> {
  return Object.fromEntries(
    [...variants.keys()].sort().map((variantId) => {
      const stock = variants.get(variantId);
      assert.ok(stock);
      const lots = [...stock.lots].map(({ lotId, blocked, holdings }) => [
        lotId,
        blocked,
        holdings
          .map(({ locationId, quantity, value }) => [locationId, of(quantity), of(value)] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ]);
      const debts = stock.debts.map((debt) => [debt.debtId, debt.locationId, of(debt.quantity), of(debt.value)]);
      const balances = stock.balances
        .map(({ locationId, quantity }) => [locationId, of(quantity)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const { quantity, value, last } = stock.pool;
      return [variantId, { lots, debts, balances, average: [of(quantity), of(value), of(last)] }];
    }),
  );
}

type Fact = Recorded<InventoryEvent>;

/** What projectors make of facts, one after the other. */
class Projected {
  readonly documents = new Map<Projector, Map<string, object>>();
  readonly rows = new Map<Projector, Row[]>();
  readonly movements: StockMovement[] = [];

  constructor(
    private readonly projectors: readonly Projector[],
    private readonly stored: (document: object) => object = (document) => document,
  ) {
    for (const projector of projectors) {
      this.documents.set(projector, new Map());
      this.rows.set(projector, []);
    }
  }

  see(fact: Fact): void {
    if (movesStock(fact)) this.movements.push(...stockMovementsOf(fact));
    for (const projector of this.projectors) {
      const documents = this.documents.get(projector);
      const handler = projector.records.get(fact.type);
      for (const id of handler?.ids(fact) ?? []) {
        const next = handler?.evolve(documents?.get(id), fact, id);
        if (next) documents?.set(id, this.stored(next));
      }
      for (const { values } of projector.rows.get(fact.type)?.(fact) ?? []) this.rows.get(projector)?.push(values);
    }
  }

  of(projector: Projector): readonly object[] {
    return [...(this.documents.get(projector)?.values() ?? [])];
  }
}

const PROJECTORS = [lotsProjector, holdingsProjector, stockProjector, averageCostsProjector];
const throughJson = (document: object): object => JSON.parse(JSON.stringify(document)) as object;

const amountOf = ({ totalsByCause: fates }: LotDocument, fate: Cause, what: 'quantity' | 'value'): bigint =>
  units(fates[fate]?.[what] ?? '0');

/** For every lot, over all locations: what entered is there, or it is known what became of it. */
function assertConserved(projected: Projected): void {
  const held = new Map<string, { quantity: bigint; value: bigint }>();
  for (const { lotId, exact } of projected.of(holdingsProjector) as readonly HoldingDocument[]) {
    const sum = held.get(lotId) ?? { quantity: 0n, value: 0n };
    held.set(lotId, { quantity: sum.quantity + units(exact.quantity), value: sum.value + units(exact.value) });
  }
  for (const lot of projected.of(lotsProjector) as readonly LotDocument[]) {
    for (const what of ['quantity', 'value'] as const) {
      const fate = (name: Cause) => amountOf(lot, name, what);
      assert.equal(
        fate('entered') + fate('returned') + fate('givenBack'),
        (held.get(lot.lotId)?.[what] ?? 0n) + fate('sold') + fate('consumed') + fate('adjusted') + fate('reversed'),
        `${what} of ${lot.lotId}`,
      );
    }
  }
}

/** The read models say what the state says. */
function assertProjected(projected: Projected, { variants }: Inventory): void {
  const holdings = (projected.of(holdingsProjector) as readonly HoldingDocument[]).filter(
    ({ quantity }) => quantity !== 0,
  );
  const held = variants
    .valueSeq()
    .flatMap(({ lots }) => [...lots].flatMap(({ holdings: all, lotId }) => all.map((one) => ({ lotId, ...one }))));
  assert.deepEqual(
    new Set(holdings.map(({ lotId, locationId, exact }) => `${lotId} ${locationId} ${exact.quantity} ${exact.value}`)),
    new Set(
      held.map(
        ({ lotId, locationId, quantity, value }) => `${lotId} ${locationId} ${quantity.toString()} ${value.toString()}`,
      ),
    ),
  );
  for (const { variantId, balances, averageCost, quantity } of projected.of(
    stockProjector,
  ) as readonly StockDocument[]) {
    const stock = variants.get(variantId);
    assert.deepEqual(
      balances,
      Object.fromEntries(stock?.balances.map((balance) => [balance.locationId, balance.quantity.toString()]) ?? []),
    );
    assert.equal(averageCost ?? 0, stock?.pool.last.toNumber());
    assert.equal(quantity, stock?.pool.quantity.toNumber());
  }
}

/** Balances run, lots add up to what is left of them, owed goods to the debts, and the last average is the present one. */
function assertLedger(projected: Projected, { variants }: Inventory): void {
  const running = new Map<string, bigint>();
  const sums = new Map<string, { quantity: bigint; value: bigint }>();
  const exact = (value: Decimal): bigint => units(value.toNumber().toFixed(6));
  for (const { variantId, locationId, lotId, quantity, balance, value } of projected.movements) {
    const place = `${variantId} ${locationId}`;
    running.set(place, (running.get(place) ?? 0n) + exact(quantity));
    assert.equal(running.get(place), exact(balance), place);
    const key = `${String(lotId)} ${place}`;
    const sum = sums.get(key) ?? { quantity: 0n, value: 0n };
    sums.set(key, { quantity: sum.quantity + exact(quantity), value: sum.value + units(value.toString()) });
  }
  for (const holding of projected.of(holdingsProjector) as readonly HoldingDocument[]) {
    const { lotId, variantId, locationId } = holding;
    const there = { quantity: units(holding.exact.quantity), value: units(holding.exact.value) };
    assert.deepEqual(sums.get(`${lotId} ${variantId} ${locationId}`), there, lotId);
  }
  for (const [variantId, { debts, balances }] of variants) {
    for (const { locationId } of balances) {
      const owed = debts.filter((debt) => debt.locationId === locationId);
      const sum = (amount: (debt: (typeof owed)[number]) => Decimal) =>
        owed.reduce((all, one) => all - of(amount(one)), 0n);
      assert.deepEqual(sums.get(`null ${variantId} ${locationId}`) ?? { quantity: 0n, value: 0n }, {
        quantity: sum(({ quantity }) => quantity),
        value: sum(({ value }) => value),
      });
    }
  }
  const costs = new Map(
    projected.rows.get(averageCostsProjector)?.map((row) => [row['variantId'], row['averageCost']]),
  );
  for (const [variantId, cost] of costs) assert.equal(cost, variants.get(String(variantId))?.pool.last.toNumber());
}

function assertNothingNegative({ variants }: Inventory): void {
  for (const { lots, debts, balances } of variants.values()) {
    for (const { holdings } of lots) {
      for (const { quantity, value } of holdings) assert.ok(quantity.isPositive && !value.isNegative);
    }
    for (const { locationId, quantity } of balances) {
      assert.ok(!quantity.isNegative || debts.some((debt) => debt.locationId === locationId));
    }
  }
}

/** Everything of a state, as texts. */
const whole = (state: Inventory): unknown => JSON.parse(JSON.stringify(state));

const lives = fc.tuple(fc.array(step, { minLength: 1, maxLength: 24 }), fc.nat({ max: 20 }));

describe('a stock', () => {
  test('does what the model does, conserves every lot, and is projected and stored as it is', () => {
    fc.assert(
      fc.property(lives, ([steps, cut]) => {
        const life = new StockLife();
        const projected = new Projected(PROJECTORS);
        const facts: Fact[] = [];
        let restored: Inventory | undefined;
        for (const one of steps) {
          life.take(one);
          for (const event of life.history.events.slice(facts.length)) {
            const fact = recorded(event, facts.length);
            facts.push(fact);
            projected.see(fact);
            const moment = { revision: fact.revision, at: life.now, actor: NOBODY };
            if (restored) restored = inventory.decider.evolve(restored, event, moment);
          }
          const { state } = life.history;
          if (facts.length === cut) restored ??= throughSnapshot(inventory, state);
          assert.deepEqual(shown(state), life.model.shown());
          assertNothingNegative(state);
          assertConserved(projected);
          assertProjected(projected, state);
        }
        const { state } = life.history;
        assertLedger(projected, state);
        if (restored) assert.deepEqual(whole(restored), whole(state));
        const replayed = new Projected(PROJECTORS, throughJson);
        for (const fact of facts) {
          const data = JSON.parse(JSON.stringify(fact.data)) as unknown;
          replayed.see({ ...fact, ...inventory.events.decode(fact.type, 1, data) });
        }
        assert.deepEqual(replayed.rows, projected.rows);
        assert.deepEqual(
          [...replayed.documents.values()],
          [...projected.documents.values()].map(
            (documents) => new Map([...documents].map(([id, one]) => [id, throughJson(one)])),
          ),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
