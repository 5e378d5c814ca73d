import { z } from 'zod';
import { rejection } from '../../kernel/events/rejection.js';

export const INSUFFICIENT_STOCK = rejection(409, 'INSUFFICIENT_STOCK', 'There is not enough in stock', {
  shortages: z.array(z.object({ variantId: z.uuid(), required: z.number(), available: z.number() })),
});
export const RETURN_EXCEEDS_SOLD = rejection(
  409,
  'RETURN_EXCEEDS_SOLD',
  'More would be returned than is left of the sale',
  { excess: z.array(z.object({ variantId: z.uuid(), requested: z.number(), returnable: z.number() })) },
);
export const SALE_FULLY_RETURNED = rejection(409, 'SALE_FULLY_RETURNED', 'Everything that was sold has been returned');
export const CANCELLATION_TOO_LARGE = rejection(
  409,
  'CANCELLATION_TOO_LARGE',
  'The sale took from too many lots to be cancelled at once: take its goods back in parts, then cancel what is left',
);
export const ORDER_NOT_PLANNED = rejection(409, 'ORDER_NOT_PLANNED', 'The order is no longer only planned');
export const ORDER_NOT_OPEN = rejection(409, 'ORDER_NOT_OPEN', 'The order is completed or cancelled');
export const ORDER_NOT_COMPLETED = rejection(409, 'ORDER_NOT_COMPLETED', 'The order is not completed');
export const ALREADY_REVERSED = rejection(409, 'ALREADY_REVERSED', 'All of the order has been reversed');
export const STAGES_PENDING = rejection(409, 'STAGES_PENDING', 'Required stages are not done', {
  stages: z.array(z.object({ stageId: z.string(), name: z.string() })),
});
export const TOO_MANY_LOTS = rejection(400, 'TOO_MANY_LOTS', 'More than 2,000 lots have this code');
export const LOT_CODE_TAKEN = rejection(409, 'LOT_CODE_TAKEN', 'The product already has a lot with this code');
export const REVERSAL_BLOCKED = rejection(409, 'REVERSAL_BLOCKED', 'What the order made is no longer all in its lot', {
  partialPossible: z.boolean(),
});
export const REVERSAL_TOO_LARGE = rejection(
  409,
  'REVERSAL_TOO_LARGE',
  'The order took from too many lots to be reversed: correct the stock by adjustments',
);
export const PRODUCT_INACTIVE = rejection(409, 'PRODUCT_INACTIVE', 'An inactive product is not sold');
export const KIT_EMPTY = rejection(409, 'KIT_EMPTY', 'A kit without parts is not sold');
export const PAYMENTS_MISMATCH = rejection(400, 'PAYMENTS_MISMATCH', 'The payments do not add up to the total', {
  total: z.number(),
  paid: z.number(),
});
export const DISCOUNT_TOO_HIGH = rejection(400, 'DISCOUNT_TOO_HIGH', 'A discount is more than its line costs');
export const TOTAL_TOO_HIGH = rejection(400, 'TOTAL_TOO_HIGH', 'The total is more than 99,999,999,999.99');
export const OCCURRED_IN_FUTURE = rejection(400, 'OCCURRED_IN_FUTURE', 'It is said to occur in the future');
