import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { orderKey, touchesOf } from '../../src/features/inventory/ledger/touched-revisions.js';
import type { Completion } from '../../src/features/inventory/production/domain/completion.js';
import type { NewPlan } from '../../src/features/inventory/production/domain/order-decisions.js';
import type { KnownHistory } from '../../src/features/inventory/ledger/known-history.js';
import type { InventoryEvent, InventoryFact, RecipeInOrder } from '../../src/features/inventory/events.js';
import { InventoryHistory, d } from './inventory-history.js';

/** A stock in which orders are planned, completed and reversed. */
export class ProductionHistory extends InventoryHistory {
  /** The single fact of a command. */
  fact<T extends InventoryEvent['type']>(type: T, command: InventoryCommand): InventoryFact<T> {
    const [event, ...others] = this.run(command);
    if (event?.type !== type || others.length > 0) throw new Error(`${command.type} did not give one ${type}`);
    return event.data as InventoryFact<T>;
  }

  /** Everything that the stream remembers of an order. */
  pastOfOrder(orderId: string): KnownHistory<InventoryEvent> {
    const touched = touchesOf(this.state.history, orderKey(orderId));
    const events = touched.flatMap((revision) => {
      const event = this.events[revision];
      return event ? [{ revision, event }] : [];
    });
    return { asOf: this.events.length - 1, events };
  }

  named = (orderId: string) => ({ orderId, past: this.pastOfOrder(orderId) });

  reversing = (orderId: string, partial = false) =>
    ({ type: 'reverseOrder', ...this.named(orderId), reason: 'engano', partial }) as const;

  reverse = (orderId: string, partial = false): InventoryFact<'OrderReversed'> =>
    this.fact('OrderReversed', this.reversing(orderId, partial));

  /** The average cost of a variant. */
  average = (variantId: string): string => this.stock(variantId).pool.last.toString();
}

export interface RecipeSketch {
  readonly needs: Readonly<Record<string, number | string>>;
  readonly gives?: number | string;
  readonly lossPercent?: number;
  readonly byproducts?: readonly { readonly variantId: string; readonly quantity: number; readonly share: number }[];
  readonly stages?: RecipeInOrder['stages'];
}

export const recipeOf = ({ needs, gives = 1, lossPercent = 0, byproducts = [], stages = [] }: RecipeSketch) => ({
  recipeId: 'recipe',
  version: 1,
  name: 'Pão',
  finishedVariantId: 'bread',
  yieldQty: d(gives),
  expectedLossPercent: d(lossPercent),
  items: Object.entries(needs).map(([componentVariantId, quantity]) => ({
    componentVariantId,
    quantity: d(quantity),
    lossPercent: d(0),
    costKind: 'MATERIAL' as const,
  })),
  stages,
  byproducts: byproducts.map(({ variantId, quantity, share }) => ({
    variantId,
    quantityPerBatch: d(quantity),
    costSharePercent: d(share),
  })),
});

export const planOf = (sketch: RecipeSketch, batches: number | string = 1): NewPlan => ({
  recipe: recipeOf(sketch),
  stageIds: (sketch.stages ?? []).map((_, index) => `stage ${String(index + 1)}`),
  batches: d(batches),
  locationId: 'shop',
  outputLocationId: 'shop',
  expectedAt: null,
  notes: null,
});

export const makingOf = (orderId: string, making: Partial<Completion> = {}): Completion => ({
  actualOutputQty: null,
  outputLotCode: null,
  outputExpiresAt: null,
  allowNegativeStock: false,
  lotIds: [`${orderId} output`, `${orderId} first by-product`, `${orderId} second by-product`],
  completedOn: '2026-11-21',
  knownCodes: undefined,
  ...making,
});

export const register = (
  orderId: string,
  sketch: RecipeSketch,
  { batches = 1, ...making }: Partial<Completion> & { readonly batches?: number | string } = {},
) =>
  ({
    type: 'registerOrder',
    orderId,
    plan: planOf(sketch, batches),
    making: makingOf(orderId, making),
  }) satisfies InventoryCommand;
