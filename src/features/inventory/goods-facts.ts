import { z } from 'zod';
import { storedDecimal } from '../../kernel/values/fields.js';

/** What the events of the stock say of goods that enter, leave and come back. */

const text = z.string();
const optionalText = z.string().nullable();

/** Which batch something is of; `entered` orders the batches of a variant. */
export const batch = z.object({ lotId: text, lotCode: optionalText, entered: z.int(), expiresAt: optionalText });

/** What left a lot at the event's location, with the value that left with it. */
export const taken = batch.extend({ quantity: storedDecimal, value: storedDecimal });

/** What was taken without being there, at the last known cost. */
export const debt = z.object({ debtId: text, line: z.int(), quantity: storedDecimal, value: storedDecimal });

/** One variant leaving one location. `balance` is what the location holds of it afterwards. */
export const issue = z.object({
  variantId: text,
  locationId: text,
  quantity: storedDecimal,
  takes: z.array(taken),
  debt: debt.nullable(),
  balance: storedDecimal,
});

/** The sale or order that took something, and the line of it. */
export const origin = z.object({
  originKind: z.enum(['SALE', 'ORDER']),
  originId: text,
  line: z.int(),
  occurredAt: text,
  customerId: optionalText,
});

/** An earlier debt that an entry made good: the goods went to the debt's origin. `provisional` is what they were valued at until then. */
export const settlement = origin.extend({
  debtId: text,
  quantity: storedDecimal,
  value: storedDecimal,
  provisional: storedDecimal,
});

/** Goods entering a lot at a location, or coming back to it; what remains there is the quantity without the settled debts. */
export const entry = batch.extend({
  variantId: text,
  locationId: text,
  quantity: storedDecimal,
  value: storedDecimal,
  settlements: z.array(settlement),
  /** Average cost of the variant afterwards. */
  averageCost: storedDecimal,
  /** What the location holds of it afterwards. */
  balance: storedDecimal,
});

/** Part of an open debt that is no longer owed, because its origin gave the goods back. */
export const forgiven = z.object({
  debtId: text,
  variantId: text,
  locationId: text,
  quantity: storedDecimal,
  value: storedDecimal,
  /** As of an entry: afterwards. */
  averageCost: storedDecimal,
  balance: storedDecimal,
});

/** What comes back of what an origin took. */
export const comeback = z.object({ entries: z.array(entry), forgiven: z.array(forgiven) });
