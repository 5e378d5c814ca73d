import type { Language } from '../words/language.js';
import { language } from '../words/language.js';

/** How money, quantities, shares and moments are written in the language that is on, in the store's time zone. */

type Figure = number | string | null | undefined;

/** Stands where there is nothing to say. */
export const NONE = '–';

let zone = 'America/Sao_Paulo';
export const setTimeZone = (wanted: string): void => {
  zone = wanted;
};

const kept = new Map<string, Intl.NumberFormat>();
function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language()} ${JSON.stringify(options)}`;
  const known = kept.get(key) ?? new Intl.NumberFormat(language(), options);
  kept.set(key, known);
  return known;
}

const keptDates = new Map<string, Intl.DateTimeFormat>();
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language()} ${zone} ${JSON.stringify(options)}`;
  const known = keptDates.get(key) ?? new Intl.DateTimeFormat(language() === 'en' ? 'en-GB' : 'pt-BR', options);
  keptDates.set(key, known);
  return known;
}

function formatted(value: Figure, options: Intl.NumberFormatOptions): string {
  if (value === null || value === undefined || value === '') return NONE;
  // What is rounded to nothing is not below nothing.
  return numberFormat({ signDisplay: 'negative', ...options }).format(Number(value));
}

/** Decimals enough for what is there: a pinch is not written as nothing at all. */
const decimalsOf = (value: Figure, usual: number): number =>
  Number(value) !== 0 && Math.abs(Number(value)) < 0.5 * 10 ** -usual ? 6 : usual;

export const money = (value: Figure): string => formatted(value, { style: 'currency', currency: 'BRL' });
/** A cost of one unit, which has more than two decimals where it needs them. */
export const unitCost = (value: Figure): string =>
  formatted(value, { style: 'currency', currency: 'BRL', maximumFractionDigits: decimalsOf(value, 4) });
export const quantity = (value: Figure, unit?: string | null): string =>
  formatted(value, { maximumFractionDigits: decimalsOf(value, 3) }) +
  (unit && value !== null && value !== undefined ? `\u00a0${unit}` : '');
export const percent = (value: Figure, decimals = 1): string =>
  value === null || value === undefined
    ? NONE
    : `${formatted(value, { maximumFractionDigits: decimals })}${language() === 'en' ? '' : '\u00a0'}%`;
/** What is but an average needs no more. */
export const oneDecimal = (value: Figure): string => formatted(value, { maximumFractionDigits: 1 });
export const whole = (value: Figure): string => formatted(value, { maximumFractionDigits: 0 });
export const plainNumber = (value: Figure, decimals = 6): string =>
  value === null || value === undefined || value === ''
    ? ''
    : numberFormat({ maximumFractionDigits: decimals, useGrouping: false }).format(Number(value));

/** Money as people type it: two decimals and nothing else. */
export const plainMoney = (value: number): string =>
  formatted(value, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });

/** A price as people type it: with its cents, and with more decimals only where it has them. */
export const plainPrice = (value: Figure): string =>
  value === null || value === undefined || value === ''
    ? ''
    : formatted(value, { minimumFractionDigits: 2, maximumFractionDigits: 10, useGrouping: false });

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day, or the day of a moment in the store's time zone. */
export function day(value: string | null | undefined): string {
  if (!value) return NONE;
  const parts = DAY.exec(value);
  if (parts) {
    const noon = new Date(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]), 12));
    return dateFormat({ day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }).format(noon);
  }
  return dateFormat({ day: '2-digit', month: '2-digit', year: 'numeric', timeZone: zone }).format(new Date(value));
}

/** The last day of what ends at a moment: an end with a day is the midnight after it, which the next day begins with. */
export const lastDay = (end: string): string => day(new Date(Date.parse(end) - 1).toISOString());

/** A day as it is written elsewhere and pasted: `31/12/2026`, or `2026-12-31`; undefined for what is none. */
export function readDay(text: string): string | undefined {
  const iso = text
    .trim()
    .replace(/^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/, (_, dd: string, mm: string, yyyy: string) =>
      [yyyy, mm.padStart(2, '0'), dd.padStart(2, '0')].join('-'),
    );
  const at = DAY.test(iso) ? Date.parse(iso) : Number.NaN;
  // A calendar that goes on from the 30th of February has none.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso) ? iso : undefined;
}

export function moment(value: string | null | undefined): string {
  if (!value) return NONE;
  const options = { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  return dateFormat({ ...options, timeZone: zone }).format(new Date(value));
}

/** Tells apart what happened within one minute. */
export function exactMoment(value: string): string {
  return dateFormat({ dateStyle: 'short', timeStyle: 'medium', timeZone: zone }).format(new Date(value));
}

export const weekday = (value: string): string =>
  dateFormat({ weekday: 'long', day: 'numeric', month: 'long', timeZone: zone }).format(new Date(value));

/** `novembro de 2026` for `2026-11`. */
export function monthName(value: string): string {
  const middle = new Date(`${value}-15T12:00:00Z`);
  if (Number.isNaN(middle.getTime())) return value;
  return dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(middle);
}

/**
 * What the store's clocks show at a moment, to the second, as if they stood in UTC. Put together from its parts: how a browser
 * writes a date in a language changes from one version to the next.
 */
export function clocksAt(moment: number): Date {
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = dateFormat({ ...options, second: 'numeric', hourCycle: 'h23', timeZone: zone });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const at = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return new Date(Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second')));
}

/** `2026-11-22` for the day that it is in the store, some days from now. They are counted by the calendar: not every day has 24 hours. */
export const isoDay = (daysAhead = 0, from = Date.now()): string => {
  const clocks = clocksAt(from);
  clocks.setUTCDate(clocks.getUTCDate() + daysAhead);
  return clocks.toISOString().slice(0, 10);
};

export const daysUntil = (isoDate: string): number =>
  Math.round((Date.parse(`${isoDate.slice(0, 10)}T00:00:00Z`) - Date.parse(`${isoDay()}T00:00:00Z`)) / 86_400_000);

/**
 * Reads a number as people type it: `1.234,56`, `1234,56` or `8.5`, and `1,234.56` too; undefined for what is none. Where both
 * marks stand, the last one is before the decimals; one mark before three digits groups thousands as the language does.
 */
export function readNumber(text: string, spoken = language()): number | undefined {
  const clean = text.replace(/\s|R\$|%/gi, '');
  const plain = plainDigits(clean, spoken);
  return plain !== undefined && /^[-+]?\d*\.?\d+$|^[-+]?\d+\.$/.test(plain) ? Number(plain) : undefined;
}

type Mark = '.' | ',';

const GROUPED: Readonly<Record<Mark, RegExp>> = {
  '.': /^[-+]?\d{1,3}(?:\.\d{3})+$/,
  ',': /^[-+]?\d{1,3}(?:,\d{3})+$/,
};

/** Digits with a point before the decimals; undefined where the marks of thousands stand where none may. */
function plainDigits(text: string, spoken: Language): string | undefined {
  const mark = text.lastIndexOf(',') > text.lastIndexOf('.') ? ',' : '.';
  const other: Mark = mark === ',' ? '.' : ',';
  const decimals = text.lastIndexOf(mark);
  if (text.includes(other)) {
    const whole = text.slice(0, decimals);
    return GROUPED[other].test(whole) ? whole.replaceAll(other, '') + '.' + text.slice(decimals + 1) : undefined;
  }
  // `0.125` is a fraction in any language.
  const grouping: Mark = spoken === 'pt-BR' ? '.' : ',';
  if (mark === grouping && GROUPED[mark].test(text) && !/^[-+]?0/.test(text)) return text.replaceAll(mark, '');
  return text.replace(mark, '.');
}
