import type { RecipeCopy } from '../../src/features/contracts/recipe-book.js';
import type { InventoryCommand } from '../../src/features/inventory/decider.js';
import { lotCodeKey } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Registers } from './registers.js';
import type { Sender } from './sender.js';

/** The commands of the large stores, as the routes would make them. */

const PRICE = 10;

const d = (value: number): Decimal => Decimal.from(value);

export const recipe = (
  name: string,
  finishedVariantId: string,
  yieldQty: number,
  items: readonly (readonly [variantId: string, quantity: number])[],
): RecipeCopy => ({
  recipeId: finishedVariantId,
  version: 1,
  name,
  finishedVariantId,
  yieldQty: d(yieldQty),
  expectedLossPercent: d(0),
  items: items.map(([componentVariantId, quantity]) => ({
    componentVariantId,
    quantity: d(quantity),
    lossPercent: d(0),
    costKind: 'MATERIAL',
  })),
  stages: [],
  byproducts: [],
});

export function order(sender: Sender, { locationId }: Registers, copy: RecipeCopy, lotCode: string): InventoryCommand {
  const { items, stages, byproducts, ...rest } = copy;
  return {
    type: 'registerOrder',
    orderId: sender.id(),
    plan: {
      recipe: { ...rest, items: [...items], stages: [...stages], byproducts: [...byproducts] },
      stageIds: [],
      batches: Decimal.one,
      locationId,
      outputLocationId: locationId,
      expectedAt: null,
      notes: null,
    },
    making: {
      actualOutputQty: null,
      outputLotCode: lotCode,
      outputExpiresAt: null,
      allowNegativeStock: false,
      lotIds: [sender.id()],
      completedOn: sender.now().slice(0, 10),
      // Every code here is new.
      knownCodes: {
        asOf: Number.MAX_SAFE_INTEGER,
        wanted: new Set([lotCodeKey(copy.finishedVariantId, lotCode)]),
        found: new Set(),
      },
    },
  };
}

/** A sale of one of each. */
export function sale(
  sender: Sender,
  { locationId }: Registers,
  { customerId, variantIds }: { readonly customerId: string | null; readonly variantIds: readonly string[] },
): InventoryCommand {
  const lines = variantIds.map((variantId) => {
    const price = { unitPrice: d(PRICE), discount: d(0), total: d(PRICE), quantity: Decimal.one };
    return {
      variantId,
      productId: variantId,
      description: 'Pão',
      unit: 'KG',
      lotCode: null,
      ...price,
      goods: [{ variantId, quantity: Decimal.one }],
    };
  });
  const total = d(PRICE * variantIds.length);
  const at = sender.now();
  return {
    type: 'completeSale',
    saleId: sender.id(),
    customerId,
    locationId,
    occurredAt: at,
    occurredOn: at.slice(0, 10),
    lines,
    payments: [
      {
        method: 'PIX',
        amount: total,
        cardBrandId: null,
        installments: null,
        feePercent: null,
        fee: Decimal.zero,
        feePending: false,
        feeTerms: null,
        tendered: null,
        authorizationCode: null,
        endToEndId: null,
        description: null,
      },
    ],
    total,
    allowNegativeStock: false,
    knownCodes: undefined,
  };
}
