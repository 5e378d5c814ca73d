import { z } from 'zod';
import type { EventOf } from '../../kernel/events/event.js';
import { defineEvent, eventCodec } from '../../kernel/events/event.js';
import { holdFact, holdsFact } from '../../kernel/patterns/holds.js';
import { storedDecimal } from '../../kernel/values/fields.js';
import { foldText } from '../../kernel/values/words.js';
import type { forgiven, origin, settlement } from './goods-facts.js';
import { batch, comeback, debt, entry, issue, taken } from './goods-facts.js';
import { payment, withWholePayments } from './sales/payment-facts.js';

export { PAYMENT_METHODS } from './sales/payment-facts.js';

/**
 * The stock of a store, and everything that competes for it: entries, sales, production orders, transfers. What left a lot is recorded with
 * what is needed to put it back; what entered, with the debts that it settled.
 */

const text = z.string();
const optionalText = z.string().nullable();

const stockOpened = defineEvent('StockOpened', 1, z.object({ openingId: text, entries: z.array(entry) }));
const stockReceived = defineEvent(
  'StockReceived',
  1,
  z.object({ receiptId: text, supplier: optionalText, document: optionalText, entries: z.array(entry) }),
);
const stockAdjusted = defineEvent(
  'StockAdjusted',
  1,
  z.object({
    adjustmentId: text,
    reason: text,
    /** The count of which it is a part, if it is of one. */
    countId: optionalText.optional(),
    entries: z.array(entry),
    issues: z.array(issue),
  }),
);
/** The same lots at another location: what the issues took arrives there. */
const stockTransferred = defineEvent(
  'StockTransferred',
  1,
  z.object({
    transferId: text,
    fromLocationId: text,
    toLocationId: text,
    issues: z.array(issue),
    arrivals: z.array(entry),
  }),
);
const lotBlocked = defineEvent('LotBlocked', 1, batch.extend({ variantId: text, reason: text }));
const lotReleased = defineEvent('LotReleased', 1, z.object({ lotId: text, variantId: text, reason: text }));
const lotsBlocked = defineEvent(
  'LotsBlocked',
  1,
  z.object({ reason: text, lots: z.array(batch.extend({ variantId: text })) }),
);
const lotsReleased = defineEvent(
  'LotsReleased',
  1,
  z.object({ reason: text, lots: z.array(z.object({ lotId: text, variantId: text })) }),
);
const variantsRetired = defineEvent(
  'VariantsRetired',
  1,
  z.object({ variantIds: z.array(text), hold: holdFact.optional() }),
);
/** They may move after all: what should have deleted them was refused. */
const variantsRestored = defineEvent('VariantsRestored', 1, z.object({ variantIds: z.array(text), holds: holdsFact }));
/** Nothing of them ever moved, and nothing does: they are about to be a kit or a service, or to be counted in another unit. */
const stockKeepingEnded = defineEvent(
  'StockKeepingEnded',
  1,
  z.object({
    variantIds: z.array(text),
    /** The unit in which they are to be counted, where they stay goods. */
    unit: text.optional(),
    hold: holdFact.optional(),
  }),
);
/** They are goods again, or still: what should have changed them was done or refused. */
const stockKeepingResumed = defineEvent(
  'StockKeepingResumed',
  1,
  z.object({ variantIds: z.array(text), holds: holdsFact }),
);
/** Nothing was ever there, and from now on nothing comes. */
const locationRetired = defineEvent('LocationRetired', 1, z.object({ locationId: text }));

const saleLine = z.object({
  variantId: text,
  productId: text,
  /** As they were when it was sold. */
  description: text,
  unit: text,
  quantity: storedDecimal,
  unitPrice: storedDecimal,
  discount: storedDecimal,
  total: storedDecimal,
  /** One for goods, none for a service, one a component for a kit. */
  issues: z.array(issue),
});

/** How a kit was made up when it was sold: what one of it took, and what one of each part cost alone. */
const soldKit = z.object({
  variantId: text,
  parts: z.array(z.object({ variantId: text, quantity: storedDecimal, priceCash: storedDecimal })),
});

const saleCompleted = defineEvent(
  'SaleCompleted',
  2,
  z.object({
    saleId: text,
    number: z.int(),
    customerId: optionalText,
    locationId: text,
    occurredAt: text,
    /** Its day in the store's time zone. */
    occurredOn: text,
    lines: z.array(saleLine),
    /** What was sold of kits, and of kits within them, each once. Absent where there are none, and in events from before it was kept. */
    kits: z.array(soldKit).optional(),
    payments: z.array(payment),
    total: storedDecimal,
  }),
  { 1: withWholePayments },
);
const returnedLine = comeback.extend({ line: z.int(), variantId: text, quantity: storedDecimal, total: storedDecimal });
const saleReturned = defineEvent(
  'SaleReturned',
  1,
  z.object({
    saleId: text,
    returnId: text,
    /** The day of the sale. */
    occurredOn: text,
    reason: optionalText,
    lines: z.array(returnedLine),
    total: storedDecimal,
  }),
);
/** `lines` bring back what earlier returns had not; `soldLots` names every lot that the sale ever took. */
const saleCancelled = defineEvent(
  'SaleCancelled',
  1,
  z.object({
    saleId: text,
    /** The day of the sale. */
    occurredOn: text,
    reason: text,
    lines: z.array(returnedLine),
    soldLots: z.array(z.object({ line: z.int(), lotId: text })),
  }),
);

/**
 * From now on the sale cannot be cancelled: a document of it takes a number. `insteadOf` held it before. `attempt` says which time the
 * document is signed; earlier releases did not say it.
 */
const saleTaxingBegan = defineEvent(
  'SaleTaxingBegan',
  1,
  z.object({ saleId: text, documentId: text, insteadOf: optionalText, attempt: z.int().optional() }),
);
/** The document ended otherwise than authorized, or was cancelled. */
const saleTaxingEnded = defineEvent('SaleTaxingEnded', 1, z.object({ saleId: text, documentId: text }));

const recipeCopy = z.object({
  recipeId: text,
  version: z.int(),
  name: text,
  finishedVariantId: text,
  yieldQty: storedDecimal,
  expectedLossPercent: storedDecimal,
  items: z.array(
    z.object({
      componentVariantId: text,
      quantity: storedDecimal,
      lossPercent: storedDecimal,
      costKind: z.enum(['MATERIAL', 'PACKAGING']),
    }),
  ),
  stages: z.array(
    z.object({
      name: text,
      required: z.boolean(),
      workCenter: optionalText,
      standardMinutes: storedDecimal.nullable(),
      laborRatePerHour: storedDecimal.nullable(),
    }),
  ),
  byproducts: z.array(z.object({ variantId: text, quantityPerBatch: storedDecimal, costSharePercent: storedDecimal })),
});

/** What an order is going to make, and of what; `stageIds` name the recipe's stages in their order. */
const plan = z.object({
  number: z.int(),
  recipe: recipeCopy,
  stageIds: z.array(text),
  batches: storedDecimal,
  nominalQty: storedDecimal,
  /** Nominal without the loss that is expected. */
  expectedQty: storedDecimal,
  locationId: text,
  outputLocationId: text,
  expectedAt: optionalText,
  notes: optionalText,
});

const orderPlanned = defineEvent('OrderPlanned', 1, plan.extend({ orderId: text }));
const orderStarted = defineEvent('OrderStarted', 1, z.object({ orderId: text }));
const orderStageMarked = defineEvent(
  'OrderStageMarked',
  1,
  z.object({ orderId: text, stageId: text, done: z.boolean(), notes: optionalText }),
);
const orderRecipeRefreshed = defineEvent(
  'OrderRecipeRefreshed',
  1,
  z.object({
    orderId: text,
    recipe: recipeCopy,
    stageIds: z.array(text),
    nominalQty: storedDecimal,
    expectedQty: storedDecimal,
  }),
);
const orderCancelled = defineEvent('OrderCancelled', 1, z.object({ orderId: text }));

/** `cost` is in cents; the costs of an order's takes and debts add up to its material cost. */
const consumption = issue.extend({
  costKind: z.enum(['MATERIAL', 'PACKAGING']),
  /** What the recipe needed, where something else was really used. */
  plannedQty: storedDecimal.optional(),
  takes: z.array(taken.extend({ cost: storedDecimal })),
  debt: debt.extend({ cost: storedDecimal }).nullable(),
});

/** One fact: lots consumed, output and by-product lots entered, costs fixed, the order closed. */
const orderCompleted = defineEvent(
  'OrderCompleted',
  1,
  z.object({
    orderId: text,
    /** The plan of an order that was registered directly: nothing was recorded of it before. Otherwise null. */
    plan: plan.nullable(),
    number: z.int(),
    recipeId: text,
    finishedVariantId: text,
    nominalQty: storedDecimal,
    expectedQty: storedDecimal,
    actualOutputQty: storedDecimal,
    consumptions: z.array(consumption),
    /** Null when all was lost. */
    output: entry.nullable(),
    /** The day of its completion in the store's time zone. */
    completedOn: text,
    byproducts: z.array(entry),
    materialCost: storedDecimal,
    laborCost: storedDecimal,
    totalCost: storedDecimal,
    /** What the by-products leave to the product; it is lost where all was lost. */
    productCost: storedDecimal,
    unitCost: storedDecimal.nullable(),
    /** Inputs + labour = product + by-products + this. */
    roundingDifference: storedDecimal,
  }),
);

const costReversal = z.object({
  variantId: text,
  status: z.enum(['REDONE', 'SKIPPED']),
  reason: optionalText,
  before: storedDecimal,
  after: storedDecimal,
});

/** What leaves the stock because it is unmade, and what that does to the average of its variant. */
const unmade = z.object({ issues: z.array(issue), costReversal });

/** What was made leaves its lot again and is blocked, and the inputs go back to theirs. */
const orderReversed = defineEvent(
  'OrderReversed',
  1,
  z.object({
    orderId: text,
    completedOn: text,
    reason: text,
    /** Whether nothing of what was obtained is left to reverse. */
    whole: z.boolean(),
    obtainedQty: storedDecimal,
    reversedQty: storedDecimal,
    fraction: storedDecimal,
    /** What leaves the output's lot, an issue for each location, and each by-product's in the order of the completion. */
    output: unmade,
    byproducts: z.array(unmade),
    /** What comes back of each input, in the order of the completion. */
    inputs: z.array(comeback.extend({ componentVariantId: text })),
  }),
);

const definitions = [
  stockOpened,
  stockReceived,
  stockAdjusted,
  stockTransferred,
  lotBlocked,
  lotReleased,
  lotsBlocked,
  lotsReleased,
  variantsRetired,
  variantsRestored,
  stockKeepingEnded,
  stockKeepingResumed,
  locationRetired,
  saleCompleted,
  saleReturned,
  saleCancelled,
  saleTaxingBegan,
  saleTaxingEnded,
  orderPlanned,
  orderStarted,
  orderStageMarked,
  orderRecipeRefreshed,
  orderCancelled,
  orderCompleted,
  orderReversed,
] as const;

export const inventoryEvents = eventCodec(...definitions);
export type InventoryEvent = EventOf<(typeof definitions)[number]>;
export type InventoryFact<T extends InventoryEvent['type']> = Extract<InventoryEvent, { readonly type: T }>['data'];
export type Batch = z.output<typeof batch>;
export type Taken = z.output<typeof taken>;
export type Issue = z.output<typeof issue>;
export type Origin = z.output<typeof origin>;
export type Settlement = z.output<typeof settlement>;
export type Entry = z.output<typeof entry>;
export type Forgiven = z.output<typeof forgiven>;
export type Comeback = z.output<typeof comeback>;
export type ReturnedLine = z.output<typeof returnedLine>;
export type SaleLine = z.output<typeof saleLine>;
export type SoldKit = z.output<typeof soldKit>;
export type Payment = z.output<typeof payment>;
export type OrderPlan = z.output<typeof plan>;
export type RecipeInOrder = z.output<typeof recipeCopy>;
export type Consumption = z.output<typeof consumption>;
export type CostReversal = z.output<typeof costReversal>;
export type Unmade = z.output<typeof unmade>;

/** A plan as a snapshot keeps it. */
export const storedPlan = (stored: unknown): OrderPlan => plan.parse(stored);

/** Everything that an event lets in: what is new, what comes back, what arrives from elsewhere. */
export function entriesOf(event: InventoryEvent): readonly Entry[] {
  switch (event.type) {
    case 'StockOpened':
    case 'StockReceived':
    case 'StockAdjusted':
      return event.data.entries;
    case 'StockTransferred':
      return event.data.arrivals;
    case 'SaleReturned':
    case 'SaleCancelled':
      return event.data.lines.flatMap(({ entries }) => entries);
    case 'OrderCompleted': {
      const { output, byproducts } = event.data;
      return output ? [output, ...byproducts] : byproducts;
    }
    case 'OrderReversed':
      return event.data.inputs.flatMap(({ entries }) => entries);
    default:
      return [];
  }
}

/** The debts of sales, or of orders, that an event makes good, each with the goods that came in. */
export const settlementsOf = (
  event: InventoryEvent,
  kind: Origin['originKind'],
): readonly { readonly entry: Entry; readonly settled: Settlement }[] =>
  entriesOf(event).flatMap((entry) =>
    entry.settlements.filter(({ originKind }) => originKind === kind).map((settled) => ({ entry, settled })),
  );

/** Two lot codes are the same when these are: case, accents and blanks at the edges or doubled do not matter. */
export const comparableCode = (lotCode: string): string => {
  const folded = foldText(lotCode);
  return folded === '' ? lotCode : folded;
};

export const lotCodeKey = (variantId: string, lotCode: string): string => `${variantId} ${comparableCode(lotCode)}`;
