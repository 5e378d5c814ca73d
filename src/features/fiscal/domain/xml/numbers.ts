import type { Decimal } from '../../../../kernel/values/decimal.js';
import { element } from './markup.js';

/** Numbers and times in the layout's form. */

/** With exactly so many decimals. */
export const fixed = (value: Decimal, decimals: number): string => value.toFixed(decimals);

const CENTS = 2;

export const money = (value: Decimal): string => fixed(value, CENTS);
export const rate = (value: Decimal): string => fixed(value, 4);

export const amount = (name: string, value: Decimal): string => element(name, money(value));

/** Optional amounts must be more than nothing. */
export const positiveAmount = (name: string, value: Decimal): string => (value.isPositive ? amount(name, value) : '');

/** With as few decimals as say it, and at least its cents. */
export const spare = (value: Decimal): string => fixed(value, Math.max(CENTS, value.decimals));
