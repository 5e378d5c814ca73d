import { z } from 'zod';
import { actor } from '../../contracts/actor.js';
import { PAYMENT_METHODS } from '../events.js';

const lot = z.object({
  variantId: z.uuid(),
  lotId: z.uuid(),
  lotCode: z.string().nullable(),
  quantity: z.number(),
});

const costs = {
  cost: z.number().optional().meta({ description: 'Of what did not come back; only with production.costs' }),
  margin: z
    .number()
    .optional()
    .meta({ description: 'What was paid for it less its cost and its share of card fees; only with production.costs' }),
};

const item = z.object({
  variantId: z.uuid(),
  productId: z.uuid(),
  description: z.string().meta({ description: 'As it was when it was sold; the unit too' }),
  unit: z.string(),
  quantity: z.number(),
  unitPrice: z.number(),
  discount: z.number(),
  total: z.number(),
  returnedQuantity: z.number(),
  ...costs,
  lots: z.array(lot.extend({ settledLater: z.boolean() })).meta({ description: 'What was taken; of a kit, its parts' }),
  owed: z
    .array(z.object({ variantId: z.uuid(), quantity: z.number() }))
    .meta({ description: 'Sold without being there, and not come in yet' }),
});

const payment = z.object({
  method: z.enum(PAYMENT_METHODS),
  amount: z.number(),
  cardBrandId: z.uuid().nullable(),
  installments: z.int().nullable(),
  feePercent: z.number().nullable(),
  fee: z.number().nullable(),
  feePending: z.boolean().meta({ description: 'No rate was known for the card' }),
  accountId: z.uuid().nullable().meta({ description: 'The card machine whose rate counts' }),
  accountName: z.string().nullable(),
  fixedFee: z.number().nullable().meta({ description: 'Part of the fee that does not depend on the amount' }),
  tendered: z.number().nullable(),
  change: z.number().nullable(),
  authorizationCode: z.string().nullable(),
  endToEndId: z.string().nullable(),
  description: z.string().nullable(),
  previousFee: z.number().nullable().optional().meta({ description: 'Before it was last recalculated' }),
  previousFeePercent: z.number().nullable().optional(),
});

const returned = {
  id: z.uuid(),
  at: z.iso.datetime(),
  reason: z.string().nullable(),
  total: z.number().meta({ description: 'To refund' }),
  items: z.array(
    z.object({
      line: z.int().meta({ description: 'Which item of the sale, from 0' }),
      variantId: z.uuid(),
      quantity: z.number(),
      total: z.number(),
      lots: z.array(lot),
    }),
  ),
};

export const summaryRow = z
  .object({
    key: z.string().meta({ description: 'The day, the id of the product, or the method of payment' }),
    label: z.string().meta({ description: 'What people call it; the day as it is' }),
    sales: z.int().meta({ description: 'How many sales it occurs in' }),
    quantity: z.number().optional().meta({ description: 'Of products: sold and not returned' }),
    unit: z.string().optional().meta({ description: 'Of products that are there: what the quantity is counted in' }),
    gross: z.number().meta({ description: 'What was sold' }),
    returned: z.number().meta({ description: 'What of it came back, whenever that was' }),
    net: z.number(),
  })
  .meta({ id: 'SalesSummaryRow' });

export const returnAnswer = z.object({ ...returned, saleId: z.uuid() }).meta({ id: 'SaleReturn' });

const members = {
  id: z.uuid(),
  customerId: z.uuid().nullable(),
  number: z.int(),
  status: z.enum(['COMPLETED', 'CANCELLED']),
  locationId: z.uuid(),
  occurredAt: z.iso.datetime(),
  items: z.array(item),
  payments: z.array(payment),
  total: z.number(),
  returnedTotal: z.number(),
  ...costs,
  returns: z.array(z.object(returned)),
  cancelledAt: z.iso.datetime().nullable(),
  cancelReason: z.string().nullable(),
  createdBy: actor,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** As commands answer it. */
export const saleAnswer = z.object(members).meta({ id: 'Sale' });
/** As it is read. */
export const saleRecord = z
  .object({
    ...members,
    customerName: z.string().nullable().meta({ description: 'null once the customer was erased' }),
  })
  .meta({ id: 'SaleRecord' });
