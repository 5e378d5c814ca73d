import { z } from 'zod';
import { bodyMoment } from '../../../kernel/values/days.js';
import { decimal, freeText, id, mayBeAbsent, name } from '../../../kernel/values/fields.js';
import { isUuid } from '../../../kernel/values/ids.js';
import { PAYMENT_METHODS } from '../events.js';
import { REASON_LENGTH, allowNegativeStock, lotCode, quantity } from '../fields.js';

/** What requests about sales hold. */

const MOST_ITEMS = 200;
const MOST_PAYMENTS = 50;
const MOST_INSTALLMENTS = 99;
const AUTHORIZATION_LENGTH = 128;
const END_TO_END_LENGTH = 100;
const DESCRIPTION_LENGTH = 60;
const MOST_MONEY = 999_999_999.99;

const money = { decimals: 2, maximum: MOST_MONEY };

const item = z.strictObject({
  variantId: id,
  quantity,
  unitPrice: decimal({ ...money, minimum: 0 }),
  discount: mayBeAbsent(decimal({ ...money, minimum: 0 })).meta({ description: 'An amount for the whole line' }),
  lotCode: mayBeAbsent(lotCode).meta({ description: 'Takes from lots with this code alone' }),
});

const cardBrandId = z
  .string()
  .refine(isUuid, { error: 'must be a UUID' })
  .transform((value) => value.toLowerCase())
  .meta({ type: 'string', description: 'Of DEBIT and CREDIT alone: an active brand of the store' });

const payment = z
  .strictObject({
    method: z.enum(PAYMENT_METHODS),
    amount: decimal({ ...money, above: 0 }),
    cardBrandId: mayBeAbsent(cardBrandId),
    installments: mayBeAbsent(z.int().min(1).max(MOST_INSTALLMENTS)).meta({
      description: 'More than 1 with CREDIT alone; the store says how many it allows',
    }),
    tendered: mayBeAbsent(decimal({ ...money, above: 0 })).meta({
      description: 'Of CASH alone, at least the amount: the change is the rest',
    }),
    authorizationCode: mayBeAbsent(name(AUTHORIZATION_LENGTH)).meta({ description: 'Of DEBIT and CREDIT alone' }),
    endToEndId: mayBeAbsent(name(END_TO_END_LENGTH)).meta({ description: 'Of PIX alone' }),
    description: mayBeAbsent(name(DESCRIPTION_LENGTH)).meta({ description: 'Of OTHER alone' }),
  })
  .superRefine(({ method, cardBrandId: brand, installments = 1, ...given }, context) => {
    const complain = (field: string, message: string) => {
      context.addIssue({ code: 'custom', path: [field], message });
    };
    if (brand !== undefined && !isCard(method)) complain('cardBrandId', 'belongs to DEBIT and CREDIT alone');
    if (given.authorizationCode !== undefined && !isCard(method)) {
      complain('authorizationCode', 'belongs to DEBIT and CREDIT alone');
    }
    if (given.endToEndId !== undefined && method !== 'PIX') complain('endToEndId', 'belongs to PIX alone');
    if (given.description !== undefined && method !== 'OTHER') complain('description', 'belongs to OTHER alone');
    if (given.tendered !== undefined) {
      if (method !== 'CASH') complain('tendered', 'belongs to CASH alone');
      else if (given.tendered.lessThan(given.amount)) complain('tendered', 'must be at least the amount');
    }
    if (installments > 1 && method !== 'CREDIT') complain('installments', 'must be 1 unless the method is CREDIT');
  });

const isCard = (method: (typeof PAYMENT_METHODS)[number]): boolean => method === 'DEBIT' || method === 'CREDIT';

export const newSale = z
  .strictObject({
    customerId: id.nullish(),
    locationId: mayBeAbsent(id).meta({ description: 'The default location where it is left out' }),
    items: z.array(item).min(1).max(MOST_ITEMS),
    payments: z.array(payment).max(MOST_PAYMENTS).meta({ description: 'They add up to the total' }),
    occurredAt: mayBeAbsent(bodyMoment).meta({ description: 'At most 5 minutes ahead; now where it is left out' }),
    allowNegativeStock,
  })
  .meta({ id: 'SaleBody' });
export type NewSale = z.output<typeof newSale>;

export const newReturn = z
  .strictObject({
    items: z
      .array(z.strictObject({ variantId: id, quantity }))
      .min(1)
      .max(MOST_ITEMS),
    reason: mayBeAbsent(freeText(REASON_LENGTH)),
  })
  .meta({ id: 'SaleReturnBody' });

export const cancellation = z.strictObject({ reason: name(REASON_LENGTH) }).meta({ id: 'SaleCancellation' });
