import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { SnapshotCodec } from '../../../kernel/events/decider.js';
import type { Hold } from '../../../kernel/patterns/holds.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { OrderPlan } from '../events.js';
import type { Holding, Lot } from './lots.js';
import { Lots } from './lots.js';
import type { Debt, Inventory, MarkedStage, OpenOrder, MovingAverage, VariantStock } from './state.js';

/** The state in parts of one variant, one order or some touches each. Decimals are texts in it. */

const TOUCHES = 500;

type Stored<T> = T extends Decimal
  ? string
  : T extends Lots
    ? readonly Stored<Lot>[]
    : T extends readonly (infer Item)[]
      ? readonly Stored<Item>[]
      : T extends object
        ? { readonly [K in keyof T]: Stored<T[K]> }
        : T;

type Touches = readonly (readonly [key: string, revisions: readonly number[]])[];

type StoredHolds = readonly (readonly [variantId: string, holds: readonly Hold[]])[];

type Part =
  | {
      readonly part: 'counters';
      readonly lastSale: number;
      readonly lastOrder: number;
      readonly lastEntered: number;
      readonly since: number;
      readonly youngSince: number;
      readonly retired: StoredHolds;
      readonly soldUnkept: readonly string[];
      readonly usedLocations: readonly string[];
      readonly retiredLocations: readonly string[];
      readonly unkept: StoredHolds;
    }
  | { readonly part: 'variant'; readonly id: string; readonly stock: Stored<VariantStock> }
  | {
      readonly part: 'order';
      readonly id: string;
      readonly plan: Stored<OrderPlan>;
      readonly started: boolean;
      readonly stages: readonly (readonly [id: string, stage: MarkedStage])[];
    }
  | { readonly part: 'touches'; readonly generation: 'young' | 'old'; readonly touches: Touches };

export const inventorySnapshot = (planOf: (stored: unknown) => OrderPlan): SnapshotCodec<Inventory> => ({
  version: 4,
  save: saved,
  load() {
    const variants = ImmutableMap<string, VariantStock>().asMutable();
    let lotCount = 0;
    const openOrders = ImmutableMap<string, OpenOrder>().asMutable();
    const generations = {
      young: ImmutableMap<string, readonly number[]>().asMutable(),
      old: ImmutableMap<string, readonly number[]>().asMutable(),
    };
    let counters: Extract<Part, { readonly part: 'counters' }> | undefined;
    const add = (part: Part): void => {
      switch (part.part) {
        case 'counters':
          counters = part;
          break;
        case 'variant':
          variants.set(part.id, stockOfStored(part.stock));
          lotCount += part.stock.lots.length;
          break;
        case 'order': {
          const { plan, started, stages } = part;
          openOrders.set(part.id, { plan: planOf(plan), started, stages: ImmutableMap(stages) });
          break;
        }
        case 'touches':
          for (const [key, revisions] of part.touches) generations[part.generation].set(key, revisions);
      }
    };
    return {
      add: (part) => {
        add(part as Part);
      },
      state() {
        if (!counters) throw new Error('the snapshot has no counters');
        const { lastSale, lastOrder, lastEntered, since, youngSince } = counters;
        return {
          variants: variants.asImmutable(),
          lotCount,
          openOrders: openOrders.asImmutable(),
          retired: ImmutableMap(counters.retired),
          unkept: ImmutableMap(counters.unkept),
          soldUnkept: ImmutableSet(counters.soldUnkept),
          usedLocations: ImmutableSet(counters.usedLocations),
          retiredLocations: ImmutableSet(counters.retiredLocations),
          history: { since, youngSince, young: generations.young.asImmutable(), old: generations.old.asImmutable() },
          lastSale,
          lastOrder,
          lastEntered,
        };
      },
    };
  },
});

function* saved(state: Inventory): Generator<Part | object> {
  const { lastSale, lastOrder, lastEntered, retired, unkept, soldUnkept, usedLocations, retiredLocations } = state;
  const { since, youngSince, young, old } = state.history;
  const sets = {
    retired: [...retired],
    unkept: [...unkept],
    soldUnkept: [...soldUnkept],
    usedLocations: [...usedLocations],
    retiredLocations: [...retiredLocations],
  };
  yield { part: 'counters', lastSale, lastOrder, lastEntered, since, youngSince, ...sets };
  for (const [id, stock] of state.variants) yield { part: 'variant', id, stock };
  for (const [id, { plan, started, stages }] of state.openOrders) {
    yield { part: 'order', id, plan, started, stages: [...stages] };
  }
  yield* savedTouches('old', old);
  yield* savedTouches('young', young);
}

function* savedTouches(generation: 'young' | 'old', touches: ImmutableMap<string, readonly number[]>): Generator<Part> {
  let some: (readonly [string, readonly number[]])[] = [];
  for (const touch of touches) {
    some.push(touch);
    if (some.length < TOUCHES) continue;
    yield { part: 'touches', generation, touches: some };
    some = [];
  }
  yield { part: 'touches', generation, touches: some };
}

const stockOfStored = ({ lots, debts, pool, balances }: Stored<VariantStock>): VariantStock => ({
  lots: Lots.of(lots.map((lot): Lot => ({ ...lot, holdings: lot.holdings.map(holdingOf) }))),
  debts: debts.map((debt): Debt => ({ ...debt, ...amounts(debt) })),
  pool: { ...amounts(pool), last: Decimal.from(pool.last) } satisfies MovingAverage,
  balances: balances.map(({ locationId, quantity }) => ({ locationId, quantity: Decimal.from(quantity) })),
});

const holdingOf = (holding: Stored<Holding>): Holding => ({ ...holding, ...amounts(holding) });

const amounts = ({ quantity, value }: { readonly quantity: string; readonly value: string }) => ({
  quantity: Decimal.from(quantity),
  value: Decimal.from(value),
});
