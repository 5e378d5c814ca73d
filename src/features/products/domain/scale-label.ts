import { Decimal } from '../../../kernel/values/decimal.js';
import { isGtin } from '../../../brazil/gtin.js';

/** What a scale printed: `20` or `21`, five digits of the product's code, five of grams or cents, and the check digit. */
export interface ScaleLabel {
  readonly code: string;
  readonly measured: { readonly grams: Decimal } | { readonly total: Decimal };
}

const LABEL = /^2([01])(\d{5})(\d{5})\d$/;
const LITRE_OR_KILOGRAM = Decimal.from(1_000);
const OF_THOUSANDTHS: ReadonlySet<string> = new Set(['G', 'ML']);

export function readScaleLabel(text: string): ScaleLabel | undefined {
  const [, kind, code = '', value = ''] = LABEL.exec(text) ?? [];
  if (kind === undefined || !isGtin(text)) return undefined;
  const number = Decimal.from(value);
  return { code, measured: kind === '0' ? { grams: number } : { total: number.dividedBy(Decimal.hundred) } };
}

/** A product is found by its SKU, with or without the zeros in front. */
export const skusOfLabel = ({ code }: ScaleLabel): readonly string[] => {
  const short = code.replace(/^0+(?=\d)/, '');
  return short === code ? [code] : [code, short];
};

/** Grams in the unit that the product is sold by. */
export const soldQuantity = (grams: Decimal, saleUnit: string): Decimal =>
  OF_THOUSANDTHS.has(saleUnit) ? grams : grams.dividedBy(LITRE_OR_KILOGRAM);
