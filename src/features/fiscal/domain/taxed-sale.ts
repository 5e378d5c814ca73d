import { Decimal } from '../../../kernel/values/decimal.js';
import { isNcm } from '../../../brazil/ncm.js';
import type { KitPart, TaxedLine } from '../../contracts/sales-to-tax.js';
import type { Model } from '../events.js';
import type { ItemLot, NoteItem } from './note.js';
import { industryTaxIn } from './item-taxes.js';
import type { TaxRule } from './tax-rules.js';

/** What of a sale goes into its document: goods net of what was returned, kits without a classification taken apart. */

export interface GoodsFacts {
  readonly variantId: string;
  readonly code: string;
  readonly description: string;
  readonly isService: boolean;
  readonly gtin: string | null;
  readonly ncm: string | null;
  readonly cest: string | null;
  readonly unit: string;
  readonly taxRuleId: string | null;
  readonly ownProduction: boolean;
  readonly netWeightKg: Decimal | null;
  readonly tareKg: Decimal | null;
  readonly volumeSpecies: string | null;
  readonly tribUnit: string | null;
  readonly tribUnitFactor: Decimal | null;
}

type TaxedGoods = ReadonlyMap<string, GoodsFacts>;
/** The parts of each kit. */
export type PartsOfKits = ReadonlyMap<string, readonly KitPart[]>;

/** An item without its rule. */
export interface SoldItem {
  readonly goods: GoodsFacts;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
  readonly total: Decimal;
  readonly lots: readonly ItemLot[];
}

const CENTS = 2;
const QUANTITY_DECIMALS = 4;
const LEAST_QUANTITY = Decimal.from('0.0001');
const PRICE_DECIMALS = 10;

/** The items of a sale; services are no goods and stand in no document of goods. */
export const soldItems = (lines: readonly TaxedLine[], goods: TaxedGoods, kits: PartsOfKits): readonly SoldItem[] =>
  lines.flatMap((line) => itemsOf(line, goods, kits));

function itemsOf(line: TaxedLine, goods: TaxedGoods, kits: PartsOfKits): SoldItem[] {
  const own = goods.get(line.variantId);
  if (!own || own.isService) return [];
  const named = { ...own, description: line.description, unit: line.unit };
  const parts = kits.get(line.variantId) ?? [];
  if (parts.length === 0 || isNcm(own.ncm)) return [itemOf(named, line)];
  return partItems(line, eachOnce(flatParts(parts, line.quantity, goods, kits)));
}

const itemOf = (goods: GoodsFacts, { quantity, unitPrice, total, lots }: TaxedLine): SoldItem => ({
  goods,
  quantity,
  unitPrice,
  total,
  lots: lots.filter(({ variantId }) => variantId === goods.variantId),
});

interface Part {
  readonly goods: GoodsFacts;
  readonly quantity: Decimal;
  readonly priceCash: Decimal;
}

/** The parts of a kit share its price by what they cost alone; of parts that are kits themselves the parts count. */
function partItems(line: TaxedLine, parts: readonly Part[]): SoldItem[] {
  const prices = parts.map(({ quantity, priceCash }) => priceCash.times(quantity));
  const weights = prices.some((price) => price.isPositive) ? prices : parts.map(() => Decimal.one);
  const shares = parts.length === 0 ? [] : Decimal.allocate(line.total, weights, CENTS);
  return parts.map(({ goods: part, quantity }, index) => {
    const total = shares[index] ?? Decimal.zero;
    const lots = line.lots.filter(({ variantId }) => variantId === part.variantId);
    return { goods: part, quantity, unitPrice: total.dividedBy(quantity.max(LEAST_QUANTITY)), total, lots };
  });
}

/** The lots of goods are known for all that a line took of them: what a kit holds twice is one item. */
function eachOnce(parts: readonly Part[]): readonly Part[] {
  const known = new Map<string, Part>();
  for (const part of parts) {
    const { variantId } = part.goods;
    const before = known.get(variantId);
    known.set(variantId, before ? { ...part, quantity: before.quantity.plus(part.quantity) } : part);
  }
  return [...known.values()];
}

function flatParts(parts: readonly KitPart[], times: Decimal, goods: TaxedGoods, kits: PartsOfKits): Part[] {
  return parts.flatMap(({ variantId, quantity, priceCash }) => {
    const part = goods.get(variantId);
    if (part?.isService === true) return [];
    const taken = quantity.times(times);
    const own = kits.get(variantId) ?? [];
    // A kit within another is deleted like any product once it is no part any more; what it took was sold and stays.
    if (own.length > 0 && !isNcm(part?.ncm ?? null)) return flatParts(own, taken, goods, kits);
    return part ? [{ goods: part, quantity: taken, priceCash }] : [];
  });
}

/** An item with amounts that agree to the cent: gross − discount + IPI = what was paid for it. */
export function pricedItem(
  { goods, quantity: sold, unitPrice, total, lots }: SoldItem,
  rule: TaxRule,
  model: Model,
): NoteItem {
  const industryTax = industryTaxIn(total, rule, model);
  const quantity = sold.round(QUANTITY_DECIMALS).max(LEAST_QUANTITY);
  const plain = quantity.times(unitPrice).round(CENTS);
  const asSold = sold.times(unitPrice).round(CENTS);
  // A quantity that the layout has no room for, or shares of returns, are put right by the price.
  const gross = asSold.max(total).minus(industryTax);
  const price = gross.equals(plain) ? unitPrice : gross.dividedBy(quantity).round(PRICE_DECIMALS);
  return {
    code: goods.code,
    gtin: goods.gtin,
    description: goods.description,
    ncm: goods.ncm,
    cest: goods.cest,
    unit: goods.unit,
    quantity,
    unitPrice: price,
    gross,
    discount: gross.plus(industryTax).minus(total),
    industryTax,
    taxedUnit: taxedUnit(goods, quantity, gross),
    netWeightKg: goods.netWeightKg,
    tareKg: goods.tareKg,
    volumeSpecies: goods.volumeSpecies,
    lots,
    rule,
  };
}

/** Without a unit of its own a factor counts in the unit of the sale. */
function taxedUnit(
  { unit, tribUnit, tribUnitFactor }: GoodsFacts,
  quantity: Decimal,
  gross: Decimal,
): NoteItem['taxedUnit'] {
  if (tribUnitFactor === null || !tribUnitFactor.isPositive) return null;
  const taxed = quantity.times(tribUnitFactor).round(QUANTITY_DECIMALS);
  if (!taxed.isPositive) return null;
  return { unit: tribUnit ?? unit, quantity: taxed, price: gross.dividedBy(taxed).round(PRICE_DECIMALS) };
}
