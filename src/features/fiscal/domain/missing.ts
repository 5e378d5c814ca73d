import { isSubstituted, usesCsosn, CSOSN } from './tax-rules.js';
import type { IcmsCode, TaxRegime, TaxRule } from './tax-rules.js';
import type { Address, Recipient } from './note.js';
import { isRated } from './item-taxes.js';
import type { SoldItem } from './taxed-sale.js';
import type { Decimal } from '../../../kernel/values/decimal.js';
import { STATE_CODES } from '../../../brazil/states.js';

/** What a document lacks, by the path of where it is to be given. */

const COMPANY = 14;

export function missingInAddress(path: string, address: Partial<Address> | null): string[] {
  if (address === null) return [path];
  const needed = ['street', 'number', 'district', 'cityCode', 'city', 'state', 'postalCode'] as const;
  const missing = needed.filter((field) => !address[field]).map((field) => `${path}.${field}`);
  const { state, cityCode } = address;
  if (state && cityCode && !cityCode.startsWith(STATE_CODES[state])) missing.push(`${path}.cityCode`);
  return missing;
}

const isCsosn = (code: IcmsCode): boolean => (CSOSN as readonly string[]).includes(code);

/** What the regime and the codes of a rule that an item falls under need and lack. */
export function missingInRule(rule: TaxRule, regime: TaxRegime, model: number): string[] {
  const path = `taxRules.${rule.id}`;
  const missing: string[] = [];
  const { icms, pis, cofins } = rule;
  const fits = isCsosn(icms.code) === usesCsosn(regime) && !(model === 65 && icms.code === '101');
  if (!fits) missing.push(`${path}.icms.code`);
  if (['00', '20', '101'].includes(icms.code) && icms.rate === null) missing.push(`${path}.icms.rate`);
  if (icms.code === '20' && icms.baseReductionPercent === null) missing.push(`${path}.icms.baseReductionPercent`);
  if (isRated(pis.cst) && pis.rate === null) missing.push(`${path}.pis.rate`);
  if (isRated(cofins.cst) && cofins.rate === null) missing.push(`${path}.cofins.rate`);
  return missing;
}

/** What an item and its rule lack. */
export function missingInItem({ goods }: SoldItem, rule: TaxRule | undefined): string[] {
  const path = `products.${goods.variantId}`;
  if (!rule) return [`${path}.taxRuleId`];
  const isWanting = isSubstituted(rule.icms.code) && !/^[0-9]{7}$/.test(goods.cest ?? '');
  return isWanting ? [`${path}.cest`] : [];
}

interface RecipientWish {
  readonly model: number;
  readonly customerId: string | null;
  readonly recipient: Recipient | null;
  readonly total: Decimal;
  readonly mustBeKnownFrom: Decimal;
}

export function missingInRecipient({ model, customerId, recipient, total, mustBeKnownFrom }: RecipientWish): string[] {
  if (model === 65) {
    const mustBeKnown = !total.lessThan(mustBeKnownFrom);
    if (!mustBeKnown || recipient?.document) return [];
    return [customerId === null ? 'sale.customerId' : 'customer.document'];
  }
  if (customerId === null || recipient === null) return ['sale.customerId'];
  const missing = recipient.document === '' ? ['customer.document'] : [];
  if (!recipient.name) missing.push('customer.name');
  return [...missing, ...missingInAddress('customer.address', recipient.address)];
}

export const isCompany = (document: string): boolean => document.length === COMPANY;
