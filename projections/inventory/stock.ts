import type { InventoryEvent } from '../../src/features/inventory/events.js';
import { entriesOf, inventoryEvents } from '../../src/features/inventory/events.js';
import type { ProductEvent, Shelf } from '../../src/features/products/events.js';
import { productEvents } from '../../src/features/products/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { shelfOf } from '../products/products.js';
import { wordOfId } from './parts/id-words.js';
import type { Movement, StockFact } from './parts/stock-facts.js';
import { moved, movementsOf, onMovements } from './parts/stock-facts.js';

/** What there is of a variant, over all locations. */
export interface StockDocument {
  readonly variantId: string;
  readonly productId: string | null;
  readonly quantity: number;
  /** Null until something has entered. */
  readonly averageCost: number | null;
  /** When its first lot with a code entered. */
  readonly lotControlSince: string | null;
  /** Whether production ever made it: then its costs are those of production. */
  readonly produced: boolean;
  /** By location, as exact decimals; of every location that it ever lay at. */
  readonly balances: Readonly<Record<string, string>>;
  /** When the first movement happened. */
  readonly firstMovedAt: string | null;
  /** What of its product decides where it counts. */
  readonly shelf: Shelf | null;
}

/** What is counted of each shelf (see the totals of the products). */
export interface StockTotals {
  readonly stockQty?: number;
}

/** By which variants are found that are below zero, at one location or at any. */
export const wordOfDebt = (locationId = ''): string => `owed${wordOfId(locationId)}`;

const exactQuantity = ({ balances }: Pick<StockDocument, 'balances'>): Decimal =>
  Decimal.sum(Object.values(balances).map((balance) => Decimal.from(balance)));

export const stock = recordCollection<StockDocument>({
  name: 'stock',
  version: 4,
  hidden: ['balances', 'firstMovedAt', 'shelf'],
  isShownByRecord: true,
  columns: {
    variantId: { type: 'id', of: ({ variantId }) => variantId },
    moved: { type: 'integer', of: ({ balances }) => (Object.keys(balances).length > 0 ? 1 : 0) },
  },
  indexes: [['moved', 'variantId']],
  words: ({ balances }) =>
    Object.entries(balances)
      .flatMap(([locationId, balance]) =>
        Decimal.from(balance).isNegative ? [wordOfId(locationId), wordOfDebt(locationId)] : [wordOfId(locationId)],
      )
      .join(' '),
  /** Kits and services do not count. */
  totals: ({ shelf, ...document }) =>
    shelf && shelf.productType === 'MERCHANDISE' && !shelf.isComposite
      ? [[shelfOf(shelf.active, shelf.productType), { stockQty: exactQuantity(document) }]]
      : [],
});

const nothing = (variantId: string): StockDocument => ({
  variantId,
  productId: null,
  quantity: 0,
  averageCost: null,
  lotControlSince: null,
  produced: false,
  balances: {},
  firstMovedAt: null,
  shelf: null,
});

/** An input that was left out of an order did not move, though the fact names it. */
const isReal = (movement: Movement): boolean => !moved(movement).quantity.isZero;

const variantsOf = (event: Recorded<StockFact>): readonly string[] => [
  ...new Set(
    movementsOf(event)
      .filter(isReal)
      .map((movement) => moved(movement).variantId),
  ),
];

/** Balances and averages stand in the facts, so that seeing one again changes nothing. Members are written out: a spread takes ten times as long. */
function afterMovements(
  document: StockDocument | undefined,
  event: Recorded<StockFact>,
  variantId: string,
): StockDocument {
  const before = withRedoneCost(document ?? nothing(variantId), event);
  const { productId, shelf, firstMovedAt } = before;
  let { averageCost, lotControlSince } = before;
  const balances = { ...before.balances };
  for (const movement of movementsOf(event)) {
    const { variantId: of, locationId, balance } = moved(movement);
    if (of !== variantId || !isReal(movement)) continue;
    const { entry, forgiven } = movement;
    balances[locationId] = balance.toString();
    averageCost = (entry ?? forgiven)?.averageCost.toNumber() ?? averageCost;
    if (entry && entry.lotCode !== null) lotControlSince ??= event.meta.at;
  }
  const made = event.type === 'OrderCompleted' && entriesOf(event).some((entry) => entry.variantId === variantId);
  const happenedAt = event.type === 'SaleCompleted' ? event.data.occurredAt : event.meta.at;
  return {
    variantId: before.variantId,
    productId,
    quantity: exactQuantity({ balances }).toNumber(),
    averageCost,
    lotControlSince,
    produced: before.produced || made,
    balances,
    firstMovedAt: firstMovedAt === null || happenedAt < firstMovedAt ? happenedAt : firstMovedAt,
    shelf,
  };
}

/** A reversal may have taken what was made out of the average again. */
function withRedoneCost(document: StockDocument, event: InventoryEvent): StockDocument {
  if (event.type !== 'OrderReversed') return document;
  const { output, byproducts } = event.data;
  const own = [output, ...byproducts].findLast(({ costReversal }) => costReversal.variantId === document.variantId);
  return own ? { ...document, averageCost: own.costReversal.after.toNumber() } : document;
}

const shelfIn = ({ active, productType, isComposite }: Shelf): Shelf => ({ active, productType, isComposite });

const ofProduct = (document: StockDocument | undefined, variantId: string, productId: string, shelf: Shelf) => ({
  ...(document ?? nothing(variantId)),
  productId,
  shelf,
});

type Changed = Extract<ProductEvent, { readonly type: 'ProductChanged' }>['data'];

/** Only what moves it to another shelf. */
const shelfChanges = ({ changes: { active, productType, isComposite } }: Changed): Partial<Shelf> => ({
  ...(active === undefined ? {} : { active }),
  ...(productType === undefined ? {} : { productType }),
  ...(isComposite === undefined ? {} : { isComposite }),
});

export const stockProjector = recordProjector(stock, [productEvents, inventoryEvents], {
  ...onMovements({ ids: variantsOf, evolve: afterMovements }),
  ProductCreated: {
    ids: ({ data }) => data.variants.map(({ id }) => id),
    evolve: (document, { data }, id) => ofProduct(document, id, data.productId, shelfIn(data.product)),
  },
  ProductChanged: {
    ids: ({ data }) => (Object.keys(shelfChanges(data)).length === 0 ? [] : data.variantIds),
    evolve: (document, { data }) =>
      document?.shelf ? { ...document, shelf: { ...document.shelf, ...shelfChanges(data) } } : document,
  },
  VariantAdded: {
    ids: ({ data }) => [data.variant.id],
    evolve: (document, { data }, id) => ofProduct(document, id, data.productId, data.shelf),
  },
  VariantRemoved: { ids: ({ data }) => [data.variantId], evolve: () => undefined },
  ProductDeleted: { ids: ({ data }) => data.variantIds, evolve: () => undefined },
});
