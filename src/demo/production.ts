import type { InventoryCommand } from '../features/inventory/decider.js';
import type { Completion } from '../features/inventory/production/domain/completion.js';
import { outputOf } from '../features/inventory/production/domain/quantities.js';
import type { NewPlan } from '../features/inventory/production/domain/order-decisions.js';
import { toIso } from '../kernel/values/clock.js';
import { dayOf, startOfDay } from '../kernel/values/days.js';
import { Decimal } from '../kernel/values/decimal.js';
import { uuidV5 } from '../kernel/values/ids.js';
import type { RecipeCopy } from '../features/contracts/recipe-book.js';
import type { Chance } from './chance.js';
import { DAY, MINUTE, expiryOf } from './days.js';
import { RECIPES } from './formulas.js';
import { SUPPLIES } from './supplies.js';
import { RESOLD } from './resold.js';
import type { Happening, Trader } from './happening.js';

/** The orders of the bakery: what its ovens make each morning, and what goes wrong. The same for the same store. */

const STARTS = 240;
const KEEPS_DAYS = 2;
const INPUTS_KEEP_DAYS = 45;
const d = (value: number): Decimal => Decimal.from(value);

export type Baker = Trader & {
  /** The versions in force, by the SKU of what they make. */
  readonly recipes: ReadonlyMap<string, RecipeCopy>;
};

/** Made by orders, and not bought. */
export const MADE_SKUS: ReadonlySet<string> = new Set(RECIPES.map(({ sku }) => sku));

const INPUTS = [...SUPPLIES, ...RESOLD].flatMap(({ products }) => products);
const COST_OF = new Map(INPUTS.map(([sku, , , cost]) => [sku, cost]));

/** Planned in the evening before, started and finished stage by stage; the others are registered when they are done. */
const PLANNED_SKU = 'PAO-001';
/** The order of a burnt batch, of one taken from the shelf again, and of one that was typed twice: by the day before today. */
const BURNT = { sku: 'DOC-003', back: 24 };
const WITHDRAWN = { sku: 'PAO-003', back: 9 };
const TYPED_TWICE = { sku: 'CHO-001', back: 16 };
const CANCELLED = { sku: 'FOR-001', back: 12 };

export class Bakery {
  constructor(
    private readonly baker: Baker,
    private readonly chance: Chance,
    /** What the shelves get. */
    private readonly stocked: (sku: string, quantity: number) => void,
  ) {}

  /** Inputs for a week and a little more. */
  delivery(day: string, at: number): Happening {
    const needs = new Map<string, Decimal>();
    for (const [sku, recipe] of this.baker.recipes) {
      if (!MADE_SKUS.has(sku)) continue;
      for (const { componentVariantId, quantity } of recipe.items) {
        needs.set(componentVariantId, (needs.get(componentVariantId) ?? Decimal.zero).plus(quantity));
      }
    }
    const items = [...COST_OF].flatMap(([sku, cost]) => {
      const need = needs.get(this.baker.variantIdOf(sku));
      if (!need || cost === null) return [];
      return [
        {
          lotId: this.id(`insumo ${sku} ${day}`),
          variantId: this.baker.variantIdOf(sku),
          quantity: need.times(d(9)).ceil(),
          unitCost: d(cost).times(d(this.chance.between(96, 105) / 100)),
          lotCode: `I${day.replaceAll('-', '').slice(2)}-${sku}`,
          expiresAt: expiryOf(day, INPUTS_KEEP_DAYS, this.baker.timeZone),
        },
      ];
    });
    const { locationId } = this.baker;
    const receipt = {
      receiptId: this.id(`insumos ${day}`),
      locationId,
      supplier: 'Moinho Dourado',
      document: `NF ${day}`,
    };
    return { at, command: { type: 'receive', ...receipt, items } };
  }

  /** The orders of a morning; `back` counts the days before today. */
  morning(day: string, start: number, back: number): Happening[] {
    let at = start + STARTS * MINUTE;
    return RECIPES.flatMap(({ sku }) => {
      at += 4 * MINUTE;
      const recipe = this.baker.recipes.get(sku);
      if (!recipe) return [];
      if (sku === PLANNED_SKU) return this.plannedOrder(recipe, sku, day, start);
      return this.registeredOrder(recipe, sku, day, at, back);
    });
  }

  /** What is on the board for tomorrow, and what somebody is working on. */
  board(day: string, start: number): Happening[] {
    const at = start + 5 * 60 * MINUTE;
    const [first, second] = ['PAO-003', 'FOR-001'].map((sku) => this.baker.recipes.get(sku));
    if (!first || !second) return [];
    const tomorrow = dayOf(start + DAY * 1.5, this.baker.timeZone);
    const inWork = this.planOf(second, 'FOR-001 em andamento', day);
    return [
      { at, command: this.planned(first, `PAO-003 amanhã`, tomorrow) },
      { at: at + MINUTE, command: { type: 'planOrder', ...inWork } },
      { at: at + 2 * MINUTE, command: { type: 'startOrder', orderId: inWork.orderId, past: undefined } },
      { at: at + 20 * MINUTE, command: stageDone(inWork, 0) },
    ];
  }

  private id(name: string): string {
    return uuidV5(this.baker.storeId, name);
  }

  private planOf(recipe: RecipeCopy, name: string, day: string): { readonly orderId: string; readonly plan: NewPlan } {
    const { locationId } = this.baker;
    const { items, stages, byproducts, ...rest } = recipe;
    return {
      orderId: this.id(`ordem ${name} ${day}`),
      plan: {
        recipe: { ...rest, items: [...items], stages: [...stages], byproducts: [...byproducts] },
        stageIds: stages.map((_, index) => this.id(`etapa ${name} ${day} ${index}`)),
        batches: Decimal.one,
        locationId,
        outputLocationId: locationId,
        expectedAt: toIso(startOfDay(day, this.baker.timeZone) + 6 * 60 * MINUTE),
        notes: null,
      },
    };
  }

  private planned(recipe: RecipeCopy, name: string, day: string): InventoryCommand {
    return { type: 'planOrder', ...this.planOf(recipe, name, day) };
  }

  private making(recipe: RecipeCopy, name: string, day: string, actualOutputQty: Decimal): Completion {
    return {
      actualOutputQty,
      outputLotCode: null,
      outputExpiresAt: expiryOf(day, KEEPS_DAYS, this.baker.timeZone),
      allowNegativeStock: false,
      lotIds: [name, ...recipe.byproducts.map((_, index) => `${name} subproduto ${index}`)].map((lot) =>
        this.id(`lote ${lot} ${day}`),
      ),
      completedOn: day,
      knownCodes: undefined,
    };
  }

  /** A little less or more than was expected; pieces are whole. */
  private outputFor({ recipe, batches }: NewPlan): Decimal {
    const { expectedQty } = outputOf(recipe, batches);
    const output = expectedQty.times(d(this.chance.between(95, 101) / 100));
    return output.round(recipe.yieldQty.lessThan(d(17)) ? 1 : 0);
  }

  /** What is left of yesterday's batch is taken from the shelf. */
  private withdrawal(sku: string, at: number): Happening {
    const yesterday = dayOf(at - DAY, this.baker.timeZone);
    const reason = 'Fermentação insuficiente: retirado da vitrine';
    return { at: at + 11 * 60 * MINUTE, reverses: this.id(`ordem ${sku} ${yesterday}`), reason, partial: true };
  }

  private plannedOrder(recipe: RecipeCopy, sku: string, day: string, start: number): Happening[] {
    const named = this.planOf(recipe, sku, day);
    const { orderId } = named;
    const output = this.outputFor(named.plan);
    this.stocked(sku, output.toNumber());
    const at = start + (STARTS - 90) * MINUTE;
    return [
      { at, command: { type: 'planOrder', ...named } },
      { at: at + 30 * MINUTE, command: { type: 'startOrder', orderId, past: undefined } },
      ...named.plan.stageIds.map((_, index) => ({
        at: at + (40 + index * 10) * MINUTE,
        command: stageDone(named, index),
      })),
      {
        at: at + 90 * MINUTE,
        command: { type: 'completeOrder', orderId, past: undefined, making: this.making(recipe, sku, day, output) },
      },
    ];
  }

  private registeredOrder(recipe: RecipeCopy, sku: string, day: string, at: number, back: number): Happening[] {
    const is = (special: { readonly sku: string; readonly back: number }) =>
      special.sku === sku && special.back === back;
    const named = this.planOf(recipe, sku, day);
    const output = is(BURNT) ? Decimal.zero : this.outputFor(named.plan);
    const registered: Happening = {
      at,
      command: { type: 'registerOrder', ...named, making: this.making(recipe, sku, day, output) },
    };
    this.stocked(sku, output.toNumber());
    if (is(WITHDRAWN)) return [registered, this.withdrawal(sku, at)];
    if (is(TYPED_TWICE)) {
      const again = this.planOf(recipe, `${sku} de novo`, day);
      const making = this.making(recipe, `${sku} de novo`, day, output);
      return [
        registered,
        { at: at + MINUTE, command: { type: 'registerOrder', ...again, making } },
        { at: at + 3 * MINUTE, reverses: again.orderId, reason: 'Lançada duas vezes', partial: false },
      ];
    }
    if (is(CANCELLED)) {
      const other = this.planOf(recipe, `${sku} cancelada`, day);
      return [
        registered,
        { at: at + MINUTE, command: { type: 'planOrder', ...other } },
        { at: at + 2 * MINUTE, command: { type: 'cancelOrder', orderId: other.orderId, past: undefined } },
      ];
    }
    return [registered];
  }
}

const stageDone = (
  { orderId, plan }: { readonly orderId: string; readonly plan: NewPlan },
  index: number,
): InventoryCommand => ({
  type: 'markStage',
  orderId,
  past: undefined,
  stageId: plan.stageIds[index] ?? '',
  done: true,
  notes: undefined,
});
