import { Decimal } from './decimal.js';

/** Numbers as people write them, in Portuguese or in English. */

const MARKS = { pt: { thousands: '.', decimals: ',' }, en: { thousands: ',', decimals: '.' } } as const;

/** At least so many decimals; all that there are. */
function written(language: 'pt' | 'en', value: Decimal, leastDecimals: number): string {
  const { thousands, decimals } = MARKS[language];
  const [whole = '0', rest = ''] = value.toString().split('.');
  const fraction = rest.padEnd(leastDecimals, '0');
  return whole.replace(/\B(?=(?:\d{3})+$)/g, thousands) + (fraction === '' ? '' : decimals + fraction);
}

export const writtenNumber = (language: 'pt' | 'en', value: Decimal | number): string =>
  written(language, typeof value === 'number' ? Decimal.from(value) : value, 0);

/** An amount in reais. */
export function writtenMoney(language: 'pt' | 'en', value: Decimal): string {
  const amount = written(language, value, 2);
  const sign = language === 'pt' ? 'R$ ' : 'R$';
  return amount.startsWith('-') ? `-${sign}${amount.slice(1)}` : `${sign}${amount}`;
}
