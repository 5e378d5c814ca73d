import { z } from 'zod';
import { MOVEMENT_KINDS } from '../../../../projections/inventory/parts/stock-facts.js';
import { SOURCE_KINDS } from '../../../../projections/inventory/parts/stock-movements.js';
import { LOT_ORIGINS } from '../../../../projections/inventory/lots.js';
import { actor } from '../../contracts/actor.js';

/** What requests about the stock are answered with. */

const amount = z.number();
const moment = z.iso.datetime();
/** Absent where it comes from production and the asker may not see that. */
const cost = z.number().optional().meta({ description: 'What comes from production only with production.costs' });

const batch = { variantId: z.uuid(), lotId: z.uuid(), lotCode: z.string().nullable() };

const expiresOn = z.iso.date().nullable().meta({ description: 'The day in the store’s time zone, as labels have it' });
const lot = z.object({
  lotId: z.uuid(),
  lotCode: z.string().nullable(),
  variantId: z.uuid(),
  receivedAt: moment,
  expiresAt: moment.nullable(),
  status: z.enum(['AVAILABLE', 'BLOCKED']),
  origin: z.enum(LOT_ORIGINS),
  originId: z.uuid(),
  receiptId: z.uuid().nullable(),
  supplier: z.string().nullable(),
  document: z.string().nullable(),
  expiresOn,
  expired: z.boolean(),
});
const mark = z.object({
  status: z.enum(['AVAILABLE', 'BLOCKED']),
  reason: z.string(),
  at: moment,
  by: actor,
});
export const lotAnswer = lot
  .extend({
    quantity: amount.meta({ description: 'What is left of it, at all locations' }),
    marks: z.array(mark).meta({ description: 'Its last 50 blocks and releases' }),
  })
  .meta({ id: 'Lot' });

export const expiringLot = lot
  .extend({
    description: z
      .string()
      .nullable()
      .meta({ description: 'What the product is called, with the label of its variant' }),
    unit: z.string().nullable(),
    quantity: amount.meta({ description: 'What is left of it, at all locations' }),
  })
  .meta({ id: 'ExpiringLot' });

export const heldLot = lot
  .extend({ locationId: z.uuid(), quantity: amount, unitCost: cost.nullable() })
  .meta({ id: 'HeldLot' });

export const balanceAnswer = z
  .object({ variantId: z.uuid(), locationId: z.uuid(), quantity: amount, averageCost: cost.nullable() })
  .meta({ id: 'StockBalance' });

const STORE_CODE = "The store's own code: what fiscal documents name the goods by, or by `gtin` where there is none";

export const movementAnswer = z
  .object({
    id: z.string().meta({ description: 'Opaque; stays the same' }),
    variantId: z.uuid(),
    description: z.string().nullable().meta({ description: 'Of the product, as it is called now' }),
    sku: z.string().nullable().meta({ description: STORE_CODE }),
    gtin: z.string().nullable(),
    unit: z.string().nullable(),
    lotId: z.uuid().nullable().meta({ description: 'null for goods that are owed' }),
    lotCode: z.string().nullable(),
    locationId: z.uuid(),
    location: z.string().nullable(),
    quantity: amount,
    value: cost.meta({ description: 'Signed as the quantity; what comes from production only with production.costs' }),
    unitCost: cost,
    lotBalance: amount
      .optional()
      .meta({ description: 'Of the one lot that is asked for: what was left of it afterwards' }),
    balance: amount.meta({ description: 'What the location holds of the variant afterwards' }),
    at: moment,
    kind: z.enum(MOVEMENT_KINDS),
    sourceKind: z.enum(SOURCE_KINDS),
    sourceId: z.uuid().meta({ description: 'The receipt, adjustment, transfer, sale or order' }),
    reason: z.string().nullable(),
    by: actor,
  })
  .meta({ id: 'StockMovement' });

const entered = z.object({
  ...batch,
  expiresAt: moment.nullable(),
  expiresOn,
  quantity: amount,
  unitCost: cost,
  value: cost,
  averageCost: cost,
  balance: amount,
});
export const receiptAnswer = z
  .object({
    id: z.uuid(),
    locationId: z.uuid(),
    supplier: z.string().nullable(),
    document: z.string().nullable(),
    items: z.array(entered),
    createdAt: moment,
    createdBy: actor,
  })
  .meta({ id: 'Receipt' });

const moved = z.object({ ...batch, quantity: amount, unitCost: cost, value: cost });

export const adjustmentAnswer = z
  .object({
    id: z.uuid(),
    reason: z.string(),
    countId: z.uuid().nullable().meta({ description: 'The count of which it is a part' }),
    locationId: z.uuid(),
    items: z.array(moved),
    createdAt: moment,
    createdBy: actor,
  })
  .meta({ id: 'Adjustment' });

export const transferAnswer = z
  .object({
    id: z.uuid(),
    fromLocationId: z.uuid(),
    toLocationId: z.uuid(),
    items: z.array(moved),
    createdAt: moment,
    createdBy: actor,
  })
  .meta({ id: 'Transfer' });

const noted = z.string().nullable();
export const valuationAnswer = z
  .object({
    at: moment.meta({ description: 'The moment that it is of' }),
    items: z.array(
      z.object({
        variantId: z.uuid(),
        productId: z.uuid().nullable(),
        description: noted,
        sku: noted.meta({ description: STORE_CODE }),
        gtin: noted,
        ncm: noted,
        unit: noted,
        categoryId: z.uuid().nullable(),
        category: noted,
        locationId: z.uuid(),
        location: noted,
        quantity: amount.meta({ description: 'In lots; what is owed is in none' }),
        unitCost: cost,
        value: cost,
        lotId: z.uuid().optional().meta({ description: 'This and what follows with by=lot alone' }),
        lotCode: noted.optional(),
        origin: z.enum(LOT_ORIGINS).nullable().optional(),
        receivedAt: moment.nullable().optional(),
        expiresOn: z.iso.date().nullable().optional(),
        supplier: noted.optional(),
        document: noted.optional(),
      }),
    ),
    nextCursor: z.string().nullable(),
    partial: z.boolean().meta({ description: 'Values are left out that the asker may not see, and so are the totals' }),
    totals: z
      .object({
        value: amount,
        byCategory: z.array(z.object({ categoryId: z.uuid().nullable(), category: noted, value: amount })),
        byProduct: z.array(
          z.object({ productId: z.uuid(), description: noted, unit: noted, quantity: amount, value: amount }),
        ),
        byLocation: z.array(z.object({ locationId: z.uuid(), location: noted, value: amount })),
      })
      .optional()
      .meta({ description: 'Of all rows; on the first page' }),
  })
  .meta({ id: 'StockValuation' });
