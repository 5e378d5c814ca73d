import { cents } from '../../values/cents.js';
import { plainMoney, plainNumber, readNumber } from '../../values/formats.js';

interface Prices {
  readonly managerialCost: string;
  readonly profitMargin: string;
  readonly priceCash: string;
}

/** Which of them the others make: the service works that one out itself, and exactly. */
export function derived(prices: Prices): 'profitMargin' | 'priceCash' | undefined {
  const isMade = (name: 'profitMargin' | 'priceCash', from: keyof Prices) =>
    repriced(prices, from, prices[from])[name] === prices[name];
  if (isMade('profitMargin', 'priceCash')) return 'profitMargin';
  return isMade('priceCash', 'profitMargin') ? 'priceCash' : undefined;
}

const percentText = (value: number): string => plainNumber(Number(value.toFixed(4)), 4);

/**
 * What a change of one of them makes of the others, as the service will work it out: the price is the cost and its margin;
 * a new price or cost gives another margin. Shown while typing; what counts is computed by the service.
 */
export function repriced(prices: Prices, changed: keyof Prices, typed: string): Partial<Prices> {
  const next = { ...prices, [changed]: typed };
  const cost = readNumber(next.managerialCost);
  const margin = readNumber(next.profitMargin);
  const price = readNumber(next.priceCash);
  if (cost === undefined || cost <= 0) return { [changed]: typed };
  if (changed === 'profitMargin') {
    return margin === undefined
      ? { profitMargin: typed }
      : { profitMargin: typed, priceCash: plainMoney(cents(cost * (1 + margin / 100)) / 100) };
  }
  return price === undefined
    ? { [changed]: typed }
    : { [changed]: typed, profitMargin: percentText((price / cost - 1) * 100) };
}
