import type { InventoryCommand } from '../features/inventory/decider.js';
import type { Completion } from '../features/inventory/production/domain/completion.js';
import type { NewPlan } from '../features/inventory/production/domain/order-decisions.js';
import { outputOf } from '../features/inventory/production/domain/quantities.js';
import { needOf } from '../features/contracts/batches.js';
import type { RecipeCopy } from '../features/contracts/recipe-book.js';
import { toIso } from '../kernel/values/clock.js';
import { dayOf, startOfDay } from '../kernel/values/days.js';
import { Decimal } from '../kernel/values/decimal.js';
import type { Agenda } from './agenda.js';
import { SHELVES } from './catalogue.js';
import { DAY, MINUTE, expiryOf } from './days.js';
import { RECIPES } from './formulas.js';
import type { Business, Happening } from './happening.js';
import type { Goods } from './storeroom.js';

/** The orders of the bakery: what its ovens make each morning, and what goes wrong. The same for the same store. */

const STARTS = 240;
/** No later than so many days, also what keeps longer is made anew. */
const MADE_FOR_DAYS = 4;
const d = (value: number): Decimal => Decimal.from(value);
const HALF = d(0.5);
const MOST_BATCHES = 3;
/** Between what is written on the board and the next. */
const BOARD_STEP = 5 * MINUTE;
/** Planning, beginning and the first stage. */
export const BOARD_TAKES = 3 * BOARD_STEP;

const KEEPS_DAYS = new Map(
  SHELVES.flatMap(({ products, keepsDays }) => products.map(([sku]) => [sku, keepsDays] as const)),
);

/** Planned in the evening before, started and finished stage by stage; the others are registered when they are done. */
const PLANNED_SKU = 'PAO-001';

/** Orders that are made on their day whether they are needed or not, and what becomes of them: by the day before today. */
const BURNT = { sku: 'DOC-003', back: 24 };
const WITHDRAWN = { sku: 'PAO-003', back: 9 };
const TYPED_TWICE = { sku: 'CHO-001', back: 16 };
const CANCELLED = { sku: 'FOR-001', back: 12 };
const SURELY = [BURNT, TYPED_TWICE, CANCELLED, { ...WITHDRAWN, back: WITHDRAWN.back + 1 }];

interface Morning {
  /** The days before today. */
  readonly back: number;
  /** Days until the ovens are hot again. */
  readonly untilNext: number;
}

interface Board {
  readonly tomorrow: string;
  readonly ready: string;
  readonly at: number;
}

/** A batch or some of them, with what they need and give. */
interface Baking {
  readonly sku: string;
  readonly day: string;
  readonly orderId: string;
  readonly plan: NewPlan;
  readonly needs: readonly Goods[];
}

export class Bakery {
  private readonly skuOf: ReadonlyMap<string, string>;

  constructor(private readonly business: Business) {
    const { trader, demand } = business;
    this.skuOf = new Map([...KEEPS_DAYS.keys()].map((sku) => [trader.variantIdOf(sku), sku]));
    for (const recipe of this.recipes()) {
      for (const { sku, quantity } of this.needsOf(recipe, HALF)) demand.expect(sku, quantity.toNumber());
    }
  }

  /** The orders of a morning, of what will not last until the next one. */
  morning(agenda: Agenda, day: string, start: number, morning: Morning): void {
    RECIPES.forEach(({ sku }, index) => {
      const recipe = this.business.trader.recipes.get(sku);
      if (!recipe) return;
      const planned = sku === PLANNED_SKU;
      const minutes = planned ? STARTS - 90 : STARTS + (index + 1) * 4;
      agenda.add(start + minutes * MINUTE, (at) => {
        const batches = this.batchesOf(recipe, sku, at, morning);
        if (!batches) return undefined;
        const baking = this.bakingOf(recipe, { sku, day, name: sku, batches });
        const { demand, room } = this.business;
        for (const need of baking.needs) demand.ask(need.sku, need.quantity.toNumber());
        if (!room.take(baking.needs, at)) return undefined;
        return planned ? this.plan(agenda, baking, at) : this.register(agenda, baking, at, morning.back);
      });
    });
    // What is left of yesterday's batch is taken from the shelf.
    if (morning.back === WITHDRAWN.back) {
      agenda.add(start + (STARTS + 11 * 60) * MINUTE, (at) => this.withdraw(WITHDRAWN.sku, at));
    }
  }

  /** What is on the board for tomorrow, and what somebody is working on, which is to be ready on a day of its own. */
  board(agenda: Agenda, { tomorrow, ready, at }: Board): void {
    const { recipes } = this.business.trader;
    const [first, second] = ['PAO-003', 'FOR-001'].map((sku) => recipes.get(sku));
    if (!first || !second) return;
    const batches = Decimal.one;
    const next = this.bakingOf(first, { sku: 'PAO-003', day: tomorrow, name: 'PAO-003 amanhã', batches });
    const inWork = this.bakingOf(second, { sku: 'FOR-001', day: ready, name: 'FOR-001 em andamento', batches });
    const commands = [planned(next), planned(inWork), started(inWork), stageDone(inWork, 0)];
    commands.forEach((command, index) => {
      agenda.add(at + index * BOARD_STEP, (then) => ({ at: then, command }));
    });
  }

  private recipes(): readonly RecipeCopy[] {
    return RECIPES.flatMap(({ sku }) => this.business.trader.recipes.get(sku) ?? []);
  }

  private needsOf(recipe: RecipeCopy, batches: Decimal): readonly Goods[] {
    return recipe.items.flatMap((item) => {
      const sku = this.skuOf.get(item.componentVariantId);
      return sku === undefined ? [] : [{ sku, quantity: needOf(item, batches) }];
    });
  }

  /** Halves of a batch; none where enough is left. */
  private batchesOf(recipe: RecipeCopy, sku: string, at: number, { back, untilNext }: Morning): Decimal | undefined {
    const { demand, room } = this.business;
    const surely = SURELY.some((one) => one.sku === sku && one.back === back);
    const aDay = demand.of(sku);
    const days = Math.max(untilNext, Math.min(KEEPS_DAYS.get(sku) ?? 1, MADE_FOR_DAYS)) * 1.2;
    const left = room.available(sku, at).toNumber();
    if (!surely && left > aDay * untilNext * 1.2) return undefined;
    const perBatch = outputOf(recipe, Decimal.one).expectedQty.toNumber();
    const halves = Math.ceil(((aDay * days - left) / perBatch) * 2);
    return HALF.times(d(Math.min(Math.max(halves, 1), MOST_BATCHES * 2)));
  }

  private bakingOf(
    recipe: RecipeCopy,
    {
      sku,
      day,
      name,
      batches,
    }: { readonly sku: string; readonly day: string; readonly name: string; readonly batches: Decimal },
  ): Baking {
    const { locationId, timeZone } = this.business.trader;
    const { items, stages, byproducts, ...rest } = recipe;
    return {
      sku,
      day,
      orderId: this.business.idOf(`ordem ${name} ${day}`),
      plan: {
        recipe: { ...rest, items: [...items], stages: [...stages], byproducts: [...byproducts] },
        stageIds: stages.map((_, index) => this.business.idOf(`etapa ${name} ${day} ${String(index)}`)),
        batches,
        locationId,
        outputLocationId: locationId,
        expectedAt: toIso(startOfDay(day, timeZone) + 6 * 60 * MINUTE),
        notes: null,
      },
      needs: this.needsOf(recipe, batches),
    };
  }

  private making({ plan, sku, day }: Baking, name: string, actualOutputQty: Decimal) {
    return {
      actualOutputQty,
      outputLotCode: null,
      outputExpiresAt: expiryOf(day, KEEPS_DAYS.get(sku) ?? 1, this.business.trader.timeZone),
      allowNegativeStock: false,
      lotIds: [
        outputLot(name),
        ...plan.recipe.byproducts.map((_, index) => `lote ${name} subproduto ${String(index)}`),
      ].map((lot) => this.business.idOf(`${lot} ${day}`)),
      completedOn: day,
      knownCodes: undefined,
    };
  }

  /** A little less or more than was expected; pieces are whole. */
  private outputFor({ recipe, batches }: NewPlan): Decimal {
    const { expectedQty } = outputOf(recipe, batches);
    const output = expectedQty.times(d(this.business.chance.between(95, 101) / 100));
    return output.round(recipe.yieldQty.lessThan(d(17)) ? 1 : 0);
  }

  /** As it is recorded that it was made. */
  private made(baking: Baking, output: Decimal): Completion {
    const making = this.making(baking, baking.sku, output);
    const [lotId] = making.lotIds;
    if (output.isPositive && lotId !== undefined) {
      this.business.room.put(baking.sku, lotId, output, Date.parse(making.outputExpiresAt));
    }
    return making;
  }

  /** From the evening before on, stage by stage. */
  private plan(agenda: Agenda, baking: Baking, at: number): Happening {
    const { orderId, plan } = baking;
    const output = this.outputFor(plan);
    agenda.add(at + 30 * MINUTE, (then) => ({ at: then, command: started(baking) }));
    plan.stageIds.forEach((_, index) => {
      agenda.add(at + (40 + index * 10) * MINUTE, (then) => ({ at: then, command: stageDone(baking, index) }));
    });
    agenda.add(at + 90 * MINUTE, (then) => {
      const making = this.made(baking, output);
      return { at: then, command: { type: 'completeOrder', orderId, past: undefined, making } };
    });
    return { at, command: planned(baking) };
  }

  private register(agenda: Agenda, baking: Baking, at: number, back: number): Happening {
    const { orderId, plan, sku } = baking;
    const is = (special: { readonly sku: string; readonly back: number }) =>
      special.sku === sku && special.back === back;
    const output = is(BURNT) ? Decimal.zero : this.outputFor(plan);
    const making = this.made(baking, output);
    if (is(TYPED_TWICE)) this.typedTwice(agenda, baking, at, output);
    if (is(CANCELLED)) {
      const other = this.again(baking, `${sku} cancelada`);
      agenda.add(at + MINUTE, (then) => ({ at: then, command: planned(other) }));
      agenda.add(at + 2 * MINUTE, (then) => ({
        at: then,
        command: { type: 'cancelOrder', orderId: other.orderId, past: undefined },
      }));
    }
    return { at, command: { type: 'registerOrder', orderId, plan, making } };
  }

  /** The second one is reversed before anybody takes of it. */
  private typedTwice(agenda: Agenda, baking: Baking, at: number, output: Decimal): void {
    const name = `${baking.sku} de novo`;
    const { orderId, plan, needs } = this.again(baking, name);
    const { room } = this.business;
    const taken = room.take(needs, at);
    if (!taken) return;
    room.putBack(taken);
    const making = this.making(baking, name, output);
    agenda.add(at + MINUTE, (then) => ({ at: then, command: { type: 'registerOrder', orderId, plan, making } }));
    agenda.add(at + 3 * MINUTE, (then) => ({
      at: then,
      reverses: orderId,
      reason: 'Lançada duas vezes',
      partial: false,
    }));
  }

  private again({ sku, day, plan }: Baking, name: string): Baking {
    return this.bakingOf(plan.recipe, { sku, day, name, batches: plan.batches });
  }

  private withdraw(sku: string, at: number): Happening | undefined {
    const yesterday = dayOf(at - DAY, this.business.trader.timeZone);
    const left = this.business.room.close(sku, this.business.idOf(`${outputLot(sku)} ${yesterday}`));
    if (!left.isPositive) return undefined;
    const reason = 'Fermentação insuficiente: retirado da vitrine';
    return { at, reverses: this.business.idOf(`ordem ${sku} ${yesterday}`), reason, partial: true };
  }
}

const outputLot = (name: string): string => `lote ${name}`;

const planned = ({ orderId, plan }: Baking): InventoryCommand => ({ type: 'planOrder', orderId, plan });

const started = ({ orderId }: Baking): InventoryCommand => ({ type: 'startOrder', orderId, past: undefined });

const stageDone = ({ orderId, plan }: Baking, index: number): InventoryCommand => ({
  type: 'markStage',
  orderId,
  past: undefined,
  stageId: plan.stageIds[index] ?? '',
  done: true,
  notes: undefined,
});
