import { z } from 'zod';
import { decimal, mayBeAbsent, name } from '../../kernel/values/fields.js';
import { LOT_CODE_LENGTH } from '../contracts/stock-keeper.js';

/** What requests about stock, sales and production have in common. */

export const MOST_QUANTITY = 999_999_999;
export const REASON_LENGTH = 500;

/** A quantity of goods that move, or of batches: never none. */
export const quantity = decimal({ decimals: 6, above: 0, maximum: MOST_QUANTITY });
export const lotCode = name(LOT_CODE_LENGTH);
export const allowNegativeStock = mayBeAbsent(z.boolean()).meta({
  description: 'What is not there is owed, and settled by what enters next',
});
