import type { components } from 'openapi-client';
import { withoutMarks } from '../../values/digits.js';
import { plainNumber, plainPrice, readNumber } from '../../values/formats.js';
import { derived } from './pricing.js';

export type Product = components['schemas']['Product'];

/** Texts that are left empty where a product does not have them. */
const TEXTS = [
  'sku',
  'categoryId',
  'brandId',
  'taxRuleId',
  'issServiceCode',
  'volumeSpecies',
  'tribUnit',
  'ipiBaseMode',
] as const;

/** Codes of digits that are left empty where a product does not have them. */
const CODES = ['ncm', 'cest', 'nbsCode'] as const;

/** Figures that are left empty where a product does not have them. */
const FIGURES = ['costPrice', 'managerialCost', 'issRate', 'unitVolumeLiters'] as const;

/** Decimals that travel as texts, as fiscal documents have them. */
const DECIMALS = [
  'netWeightKg',
  'packagingTareKg',
  'tribUnitFactor',
  'ipiUnitValue',
  'pisUnitValue',
  'cofinsUnitValue',
] as const;

const FLAGS = ['active', 'isFavorite', 'availableForDelivery', 'controlsLots', 'issRetained'] as const;

type TextName = (typeof TEXTS)[number];
type CodeName = (typeof CODES)[number];
type FigureName = (typeof FIGURES)[number];
type DecimalName = (typeof DECIMALS)[number];
type FlagName = (typeof FLAGS)[number];

export interface ProductValues
  extends Record<TextName | CodeName | FigureName | DecimalName, string>, Record<FlagName, boolean> {
  description: string;
  catalogDescription: string;
  productType: Product['productType'];
  issueBy: Product['issueBy'];
  saleUnit: string;
  priceCash: string;
  priceCredit: string;
  profitMargin: string;
  /** `true`, `false`, or empty where nothing is said of it. */
  ipiInStBase: string;
}

/** Names of members that hold a text, for fields that change one of them. */
export type TextMember = {
  [K in keyof ProductValues]: ProductValues[K] extends string ? K : never;
}[keyof ProductValues];
export type FlagMember = FlagName;

const PRECISE = 10;

const each = <K extends string, V>(names: readonly K[], value: (name: K) => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, V>;

export const noProduct: ProductValues = {
  ...each([...TEXTS, ...CODES, ...FIGURES, ...DECIMALS], () => ''),
  ...each(FLAGS, (name) => name === 'active'),
  description: '',
  catalogDescription: '',
  productType: 'MERCHANDISE',
  issueBy: 'ENTRY',
  saleUnit: 'UN',
  priceCash: '',
  priceCredit: '',
  profitMargin: '',
  ipiInStBase: '',
};

export const valuesOf = (product: Product): ProductValues => ({
  ...each([...TEXTS, ...CODES], (name) => product[name] ?? ''),
  ...each(FIGURES, (name) => plainNumber(product[name], PRECISE)),
  ...each(DECIMALS, (name) => plainNumber(product[name], PRECISE)),
  ...each(FLAGS, (name) => product[name]),
  description: product.description,
  catalogDescription: product.catalogDescription === product.description ? '' : product.catalogDescription,
  productType: product.productType,
  issueBy: product.issueBy,
  saleUnit: product.saleUnit,
  costPrice: plainPrice(product.costPrice),
  managerialCost: plainPrice(product.managerialCost),
  priceCash: plainPrice(product.priceCash),
  priceCredit: plainPrice(product.priceCredit),
  profitMargin: plainNumber(product.profitMargin, 4),
  ipiInStBase: product.ipiInStBase === null ? '' : String(product.ipiInStBase),
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** A decimal as it travels; what was typed and is no number is left to the service to refuse. */
const decimalOrNull = (text: string): string | null =>
  orNull(text) === null ? null : String(readNumber(text) ?? text.trim());

export const decimalsOf = <K extends string>(names: readonly K[], values: Readonly<Record<K, string>>) =>
  each(names, (name) => decimalOrNull(values[name]));

function wholeBody(values: ProductValues) {
  return {
    ...each(TEXTS, (name) => orNull(values[name])),
    ...each(CODES, (name) => orNull(withoutMarks(values[name]))),
    ...each(FIGURES, (name) => readNumber(values[name]) ?? null),
    ...decimalsOf(DECIMALS, values),
    ...each(FLAGS, (name) => values[name]),
    description: values.description.trim(),
    catalogDescription: orNull(values.catalogDescription),
    productType: values.productType,
    issueBy: values.issueBy,
    saleUnit: values.saleUnit,
    priceCash: readNumber(values.priceCash) ?? 0,
    priceCredit: readNumber(values.priceCredit) ?? readNumber(values.priceCash) ?? 0,
    profitMargin: readNumber(values.profitMargin) ?? 0,
    ipiInStBase: values.ipiInStBase === '' ? null : values.ipiInStBase === 'true',
  };
}

/** The body of a new product, which has a price in any case, or of a change, from which is left out what was not touched. */
export function bodyOf(values: ProductValues, before?: ProductValues): Partial<ReturnType<typeof wholeBody>> {
  const made = derived(values);
  const isTouched = (name: string) => {
    const field = name as keyof ProductValues;
    if (field === made && (before !== undefined || field === 'profitMargin')) return false;
    return before === undefined ? values[field] !== '' || field === 'priceCredit' : values[field] !== before[field];
  };
  return Object.fromEntries(Object.entries(wholeBody(values)).filter(([name]) => isTouched(name)));
}
