import { z } from 'zod';

const time = z.iso.datetime();
const lotStatus = z.enum(['AVAILABLE', 'BLOCKED']);

const lot = z.object({
  lotId: z.uuid(),
  lotCode: z.string().nullable(),
  variantId: z.uuid(),
  description: z.string().nullable(),
  receivedAt: time,
  expiresAt: time.nullable(),
  status: lotStatus,
  origin: z.enum(['RECEIPT', 'PRODUCTION', 'OPENING', 'ADJUSTMENT']),
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

export const recallAnswer = z
  .object({
    lotCode: z.string(),
    lots: z.array(
      z.object({
        lotId: z.uuid(),
        lotCode: z.string().nullable(),
        variantId: z.uuid().nullable(),
        description: z.string().nullable(),
        kind: z.enum(['MATCHED', 'REACHED']),
        viaOrderIds: z.array(z.uuid()),
      }),
    ),
    summary: z.object({
      sales: z.int(),
      customers: z.int(),
      salesWithoutCustomer: z.int(),
      invoices: z.int(),
      soldQuantity: z.number(),
      returnedQuantity: z.number(),
      netQuantity: z.number(),
      firstSaleAt: time.nullable(),
      lastSaleAt: time.nullable(),
    }),
    remainingStock: z.array(
      z.object({
        lotId: z.uuid(),
        lotCode: z.string().nullable(),
        locationId: z.uuid(),
        quantity: z.number(),
        status: lotStatus.nullable(),
      }),
    ),
    sales: z.array(
      z.object({
        saleId: z.uuid(),
        soldAt: time,
        variantId: z.uuid(),
        description: z.string().nullable(),
        lotCode: z.string().nullable(),
        ...quantities,
        customer: contact.nullable(),
        fiscalDocuments: z.array(fiscalDocument),
      }),
    ),
    massBalance: z.object({
      produced: z.number(),
      soldNet: z.number(),
      inStock: z.number(),
      consumed: z.number(),
      lost: z.number(),
      reversed: z.number(),
      accountedPercent: z.number(),
    }),
    page: z.int(),
    pageSize: z.int(),
    total: z.int(),
    lotControlSince: time.nullable(),
    note: z.string(),
  })
  .meta({ id: 'Recall' });
