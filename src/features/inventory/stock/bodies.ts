import { z } from 'zod';
import { bodyMoment } from '../../../kernel/values/days.js';
import { decimal, freeText, id, mayBeAbsent, name } from '../../../kernel/values/fields.js';
import { isUuid } from '../../../kernel/values/ids.js';
import { MOST_QUANTITY, REASON_LENGTH, lotCode, quantity } from '../fields.js';

/** What requests about the stock hold. */

const MOST_ITEMS = 200;
const MOST_COST = 999_999_999;
export const NAME_LENGTH = 200;

const signedQuantity = decimal({ decimals: 6, minimum: -MOST_QUANTITY, maximum: MOST_QUANTITY });
const unitCost = decimal({ decimals: 10, minimum: 0, maximum: MOST_COST });
const reason = name(REASON_LENGTH);

/** An id that clients choose and share between records: it names none. */
export const sharedId = z
  .string()
  .refine(isUuid, { error: 'must be a UUID' })
  .transform((text) => text.toLowerCase())
  .meta({
    type: 'string',
    pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[1-8][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$',
  });

const items = <S extends z.ZodType>(item: S) => z.array(item).min(1).max(MOST_ITEMS);

export const newReceipt = z
  .strictObject({
    locationId: mayBeAbsent(id).meta({
      description: 'Where the goods enter; the default location where it is left out',
    }),
    supplier: mayBeAbsent(freeText(NAME_LENGTH)),
    document: mayBeAbsent(freeText(NAME_LENGTH)).meta({ description: 'Such as the number of the invoice' }),
    items: items(
      z.strictObject({
        variantId: id,
        quantity,
        unitCost,
        lotCode: mayBeAbsent(lotCode).meta({ description: 'May repeat: each item is a lot of its own' }),
        expiresAt: mayBeAbsent(bodyMoment).meta({ description: 'A date means the end of that day' }),
      }),
    ),
  })
  .meta({ id: 'ReceiptBody' });
export type NewReceipt = z.output<typeof newReceipt>;

const adjustedItem = z
  .strictObject({
    variantId: id,
    lotId: mayBeAbsent(id).meta({ description: 'Also a blocked or expired one' }),
    quantity: signedQuantity.meta({ description: 'What is added, or taken away where it is negative; not 0' }),
    unitCost: mayBeAbsent(unitCost).meta({ description: 'Of what is added; the average so far where it is left out' }),
  })
  .superRefine((item, context) => {
    if (item.quantity.isZero) context.addIssue({ code: 'custom', path: ['quantity'], message: 'must not be 0' });
    if (item.quantity.isNegative && item.unitCost !== undefined) {
      context.addIssue({ code: 'custom', path: ['unitCost'], message: 'belongs to what is added alone' });
    }
  });

export const newAdjustment = z
  .strictObject({
    reason,
    countId: mayBeAbsent(sharedId).meta({ description: 'A UUID that adjustments of one count share' }),
    locationId: mayBeAbsent(id).meta({ description: 'The default location where it is left out' }),
    items: items(adjustedItem),
  })
  .meta({ id: 'AdjustmentBody' });
export type NewAdjustment = z.output<typeof newAdjustment>;

export const newTransfer = z
  .strictObject({
    fromLocationId: id,
    toLocationId: id,
    items: items(
      z.strictObject({
        variantId: id,
        quantity,
        lotCode: mayBeAbsent(lotCode).meta({ description: 'Lots with this code alone, also blocked or expired ones' }),
      }),
    ),
  })
  .refine(({ fromLocationId, toLocationId }) => fromLocationId !== toLocationId, {
    error: 'must be another location',
    path: ['toLocationId'],
  })
  .meta({ id: 'TransferBody' });

export const lotMark = z.strictObject({ reason }).meta({ id: 'LotMark' });

export const MOST_LOTS = 2_000;

export const lotsMark = z
  .strictObject({
    lotIds: mayBeAbsent(z.array(id).min(1).max(MOST_LOTS)),
    lotCode: mayBeAbsent(lotCode).meta({ description: 'Every lot with this code, in place of lotIds' }),
    reason,
  })
  .refine(({ lotIds, lotCode: code }) => (lotIds === undefined) !== (code === undefined), {
    error: 'give lotIds or lotCode',
    path: ['lotIds'],
  })
  .meta({ id: 'LotsMark' });
