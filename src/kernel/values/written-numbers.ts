import { Decimal } from './decimal.js';

/** Numbers as people write them, in Portuguese or in English. */

const pointOf = (language: 'pt' | 'en'): string => (language === 'pt' ? ',' : '.');

export const writtenNumber = (language: 'pt' | 'en', value: Decimal | number): string =>
  (typeof value === 'number' ? Decimal.from(value) : value).toString().replace('.', pointOf(language));

/** An amount in reais. */
export function writtenMoney(language: 'pt' | 'en', value: Decimal): string {
  const [whole = '0', cents = ''] = value.toString().split('.');
  return `R$ ${whole}${pointOf(language)}${cents.padEnd(2, '0')}`;
}
