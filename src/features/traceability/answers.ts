import { z } from 'zod';
import { LOT_ORIGINS } from '../../../projections/inventory/lots.js';

const time = z.iso.datetime();
const lotStatus = z.enum(['AVAILABLE', 'BLOCKED']);

const lot = z.object({
  lotId: z.uuid(),
  lotCode: z.string().nullable(),
  variantId: z.uuid(),
  description: z.string().nullable(),
  receivedAt: time,
  expiresAt: time.nullable(),
  expiresOn: z.iso.date().nullable().meta({ description: 'The day in the store’s time zone, as labels have it' }),
  receiptId: z.uuid().nullable(),
  supplier: z.string().nullable(),
  document: z.string().nullable(),
  status: lotStatus,
  origin: z.enum(LOT_ORIGINS),
  originId: z.string(),
});

const node = z.object({
  id: z.uuid(),
  kind: z.enum(['LOT', 'ORDER']),
  lotCode: z.string().nullable().optional(),
  variantId: z.uuid().optional(),
  description: z.string().nullable().optional(),
  orderNumber: z.int().optional(),
  status: z.string().optional(),
  expiresOn: z.iso.date().nullable().optional(),
  supplier: z.string().nullable().optional(),
  at: time,
});

const edge = z.object({
  from: z.uuid(),
  to: z.uuid(),
  variantId: z.uuid(),
  quantity: z.number(),
  unit: z.string().nullable(),
  settledLater: z.boolean(),
});

const order = z.object({
  id: z.uuid(),
  number: z.int(),
  status: z.string(),
  recipeId: z.uuid(),
  recipeName: z.string(),
  finishedVariantId: z.uuid(),
  batches: z.number(),
  actualOutputQty: z.number().nullable(),
  outputLotCode: z.string().nullable(),
  completedAt: time.nullable(),
  depth: z.int(),
});

export const traceAnswer = z
  .object({
    lotCode: z.string(),
    direction: z.enum(['backward', 'forward']),
    lots: z.array(lot),
    nodes: z.array(node),
    edges: z.array(edge),
    orders: z.array(order),
    page: z.int(),
    pageSize: z.int(),
    total: z.int(),
  })
  .meta({ id: 'Trace' });

const quantities = { quantity: z.number(), returnedQuantity: z.number(), netQuantity: z.number() };

const contact = z.object({
  id: z.uuid(),
  name: z.string().nullable(),
  document: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
});

const fiscalDocument = z.object({
  id: z.uuid(),
  model: z.int(),
  series: z.int(),
  number: z.int(),
  accessKey: z.string(),
  status: z.string(),
});

const kind = z.enum(['MATCHED', 'REACHED']);

const details = {
  lotCode: z.string().nullable(),
  variantId: z.uuid().nullable(),
  description: z.string().nullable(),
  unit: z.string().nullable(),
  expiresAt: time.nullable(),
  expiresOn: z.iso.date().nullable(),
  supplier: z.string().nullable(),
  document: z.string().nullable(),
  receiptId: z.uuid().nullable(),
  status: lotStatus.nullable(),
};

export const recalledLot = z
  .object({ lotId: z.uuid(), ...details, kind, viaOrderIds: z.array(z.uuid()) })
  .meta({ id: 'RecalledLot' });

export const remainingRow = z
  .object({
    lotId: z.uuid(),
    locationId: z.uuid(),
    location: z.string().nullable(),
    quantity: z.number(),
    ...details,
  })
  .meta({ id: 'RecallRemaining' });

const supplier = z.object({
  supplier: z.string().nullable(),
  document: z.string().nullable(),
  receiptId: z.uuid(),
  receivedAt: time,
  lotCodes: z.array(z.string()),
});

const balance = {
  produced: z.number(),
  soldNet: z.number(),
  inStock: z.number(),
  consumed: z.number(),
  lost: z.number(),
  reversed: z.number(),
  accountedPercent: z.number(),
};

export const recallAnswer = z
  .object({
    lotCode: z.string(),
    lots: z
      .array(recalledLot)
      .meta({ description: 'The matched ones and the first 200 reached; all of them: /recall/lots' }),
    lotCount: z.int(),
    suppliers: z.array(supplier).meta({ description: 'One step back: who delivered them, or what they were made of' }),
    summary: z.object({
      sales: z.int(),
      customers: z.int(),
      salesWithoutCustomer: z.int(),
      invoices: z.int(),
      soldQuantity: z.number().nullable().meta({ description: 'null when the lots have more than one unit' }),
      returnedQuantity: z.number().nullable(),
      netQuantity: z.number().nullable(),
      quantities: z.array(z.object({ unit: z.string(), sold: z.number(), returned: z.number(), net: z.number() })),
      firstSaleAt: time.nullable(),
      lastSaleAt: time.nullable(),
    }),
    remainingStock: z.array(remainingRow).meta({ description: 'The first 200 rows; all of them: /recall/remaining' }),
    remainingCount: z.int(),
    sales: z.array(
      z.object({
        saleId: z.uuid(),
        saleNumber: z.int().nullable(),
        soldAt: time,
        variantId: z.uuid(),
        description: z.string().nullable(),
        unit: z.string().nullable(),
        lotId: z.uuid(),
        lotCode: z.string().nullable(),
        expiresOn: z.iso.date().nullable(),
        supplier: z.string().nullable(),
        document: z.string().nullable(),
        location: z.string().nullable(),
        ...quantities,
        customer: contact.nullable(),
        fiscalDocuments: z.array(fiscalDocument),
      }),
    ),
    massBalance: z
      .object(balance)
      .nullable()
      .meta({ description: 'Of the matched lots; null when they have more than one unit' }),
    massBalances: z.array(
      z.object({
        kind,
        variantId: z.string(),
        description: z.string().nullable(),
        unit: z.string().nullable(),
        ...balance,
      }),
    ),
    page: z.int(),
    pageSize: z.int(),
    total: z.int(),
    lotControlSince: time.nullable(),
    note: z.string(),
  })
  .meta({ id: 'Recall' });
