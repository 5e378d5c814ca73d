import { z } from 'zod';
import { Decimal } from './decimal.js';
import { isUuid } from './ids.js';

/** Schemas for single fields, the same in bodies, queries and events. Lengths count characters, not UTF-16 units. */

// Tab and line breaks may stand within a text; other control characters and lone surrogates may not.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Surrogate}]/u;
// Come along when a text is copied from a page or a table: soft hyphens, blanks without width, changes of direction. Whoever types what one
// reads would not find it.
const UNSEEN = /[\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{White_Space}]/gu;

const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

/** What is kept of a text, and so what its limits are about: what was stored must pass the same schema when it is read. */
const tidy = (value: string): string => value.replace(UNSEEN, '').trim().normalize('NFC');

function text(minimum: number, maximum: number) {
  return z
    .string()
    .superRefine((value, context) => {
      if (FORBIDDEN.test(value))
        context.addIssue({ code: 'custom', message: 'holds a control character or half a character' });
      const kept = tidy(value);
      if (lengthOf(kept) > maximum)
        context.addIssue({ code: 'custom', message: `must have at most ${maximum} characters` });
      if (minimum > 0 && lengthOf(kept.replace(INVISIBLE, ' ').trim()) < minimum) {
        context.addIssue({
          code: 'custom',
          message: minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`,
        });
      }
    })
    .transform(tidy)
    .meta({ type: 'string', minLength: minimum, maxLength: maximum });
}

/** A text that must say something. */
export const name = (maximum: number, minimum = 1) => text(minimum, maximum);
/** A text that may be empty. */
export const freeText = (maximum: number) => text(0, maximum);

/** An empty text says as much as none. */
export const textOrNull = (text: string | null | undefined): string | null => (text === '' ? null : (text ?? null));

/** A member of a command that may be left out; null says the same. Where null clears what is there, a member is `nullable().optional()`. */
export const mayBeAbsent = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

export const id = z
  .string()
  .refine(isUuid, { error: 'must be a UUID' })
  .transform((value) => value.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });

/** In a path: what is no UUID names no record, so it passes and is then not found. */
export const pathId = z
  .string()
  .transform((value) => value.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });

export const digits = (count: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9]{${count}}$`), { error: `must be ${count} digits` })
    .meta({ type: 'string', pattern: `^[0-9]{${count}}$` });

interface DecimalLimits {
  readonly decimals: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly above?: number;
}

const MOST_DIGITS = 15;

/** What is wrong with the digits of a number; undefined where nothing is. */
function wrongDigits(value: number, decimals: number): string | undefined {
  if (Math.abs(value) >= 1e15) return 'is too large';
  const text = String(value);
  // Nearly all numbers are short and plain.
  if (text.length <= MOST_DIGITS && !text.includes('e')) {
    const point = text.indexOf('.');
    if (point < 0 || text.length - point - 1 <= decimals) return undefined;
  }
  if (text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '').length > MOST_DIGITS) {
    return `must have at most ${MOST_DIGITS} significant digits`;
  }
  const isExact = Decimal.isValid(value) && Decimal.from(value).decimals <= decimals;
  return isExact ? undefined : `must have at most ${decimals} decimals`;
}

/** What the description of a number says; `decimals` is told in words, for a divisor would refuse numbers that are right. */
const describedBy = ({ decimals, minimum, maximum, above }: DecimalLimits) => ({
  type: 'number',
  decimals,
  ...(minimum === undefined ? {} : { minimum }),
  ...(above === undefined ? {} : { exclusiveMinimum: above }),
  ...(maximum === undefined ? {} : { maximum }),
});

/** What is wrong with where a number lies; undefined where nothing is. */
function wrongSize(value: number, { minimum, maximum, above }: DecimalLimits): string | undefined {
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (above !== undefined && value <= above) return `must be greater than ${above}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
}

/** A JSON number in a request, a decimal inside. */
export function decimal(limits: DecimalLimits) {
  return z
    .number()
    .superRefine((value, context) => {
      const wrong = wrongSize(value, limits) ?? wrongDigits(value, limits.decimals);
      // What compares it with other fields would meet no decimal.
      if (wrong !== undefined) context.addIssue({ code: 'custom', message: wrong, continue: false });
    })
    .transform((value) => Decimal.from(value))
    .meta(describedBy(limits));
}

const DECIMAL_TEXT = /^[0-9]{1,15}(?:\.[0-9]{1,10})?$/;

/** A decimal that a request gives as a text or, just as well, as a number. */
export function decimalText(limits: DecimalLimits) {
  const number = decimal(limits);
  const text = z.string().meta({ type: 'string', pattern: DECIMAL_TEXT.source });
  return z.union([text, z.number().meta(describedBy(limits))]).transform((value, context) => {
    const isText = typeof value === 'string';
    if (isText && (!DECIMAL_TEXT.test(value) || value.replace('.', '').replace(/^0+/, '').length > 15)) {
      context.addIssue({ code: 'custom', message: 'must be a decimal with at most 15 digits' });
      return z.NEVER;
    }
    const result = number.safeParse(isText ? Number(value) : value);
    if (result.success) return result.data;
    for (const { message } of result.error.issues) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** In stored events a decimal is a string. */
export const storedDecimal = z
  .string()
  .refine((value) => Decimal.isValid(value), { error: 'must be a decimal' })
  .transform((value) => Decimal.from(value));

/** A whole number in a query: digits alone, no sign, no exponent. */
export const queryInteger = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^[0-9]{1,10}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .meta({ type: 'integer', minimum, maximum });

/** A number in a query: digits and a point, no sign, no exponent. */
export const queryDecimal = (limits: DecimalLimits) =>
  z
    .string()
    .regex(DECIMAL_TEXT, { error: 'must be a number' })
    .transform(Number)
    .pipe(decimal(limits))
    .meta(describedBy(limits));

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

export const queryBoolean = z
  .string()
  .refine((value) => Object.hasOwn(BOOLEANS, value), { error: 'must be true, false, 1 or 0' })
  .transform((value) => BOOLEANS[value] === true)
  .meta({ type: 'boolean' });

/** A cursor may hold the longest name that a list is sorted by, in letters of four bytes. */
export const LONGEST_CURSOR = 4_000;

/** `nextCursor` of the page before, as it was given. */
export const cursorText = z.string().min(1).max(LONGEST_CURSOR);
