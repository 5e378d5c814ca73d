import { Decimal } from '../../../kernel/values/decimal.js';

const DAY = 86_400_000;

/** A variant's past: what was used on which day, and when it first moved. */
export interface PastUse {
  readonly firstMovedAt: string | null;
  readonly days: Readonly<Record<string, string>>;
}

/** The use since a day, and the days that it is spread over: fewer when the first movement is newer, counted by time and rounded up. */
export function usedSince(
  { firstMovedAt, days }: PastUse,
  { firstDay, lookback, at }: { readonly firstDay: string; readonly lookback: number; readonly at: string },
): { readonly used: Decimal; readonly days: number } {
  if (firstMovedAt === null) return { used: Decimal.zero, days: lookback };
  const used = Decimal.sum(
    Object.entries(days)
      .filter(([day]) => day >= firstDay)
      .map(([, quantity]) => Decimal.from(quantity)),
  );
  const age = Math.ceil((Date.parse(at) - Date.parse(firstMovedAt)) / DAY);
  return { used, days: Math.min(lookback, Math.max(1, age)) };
}
