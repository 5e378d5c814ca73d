import { hasOwnRates, isOtherReform, isSubstituted, isWithoutReformRates, usesCsosn, CSOSN } from './tax-rules.js';
import type { Environment, TaxRegime } from '../../contracts/fiscal-settings.js';
import type { IcmsCode, TaxRule } from './tax-rules.js';
import type { Address, Recipient } from './note.js';
import { isByUnit, isOtherContribution, isRated, isUntaxed, tellsReform } from './item-taxes.js';
import { layoutText } from './xml/markup.js';
import type { SoldItem } from './taxed-sale.js';
import type { Decimal } from '../../../kernel/values/decimal.js';
import { TRIAL_ENDS_ON } from '../../../brazil/ibs-cbs-rates.js';
import { STATE_CODES } from '../../../brazil/states.js';

/** What a document lacks, by the path of where it is to be given. */
export interface Lack {
  readonly path: string;
  /** Why it does not do, where something is there. */
  readonly fault: Fault | null;
}

/** Too little of it is left in the layout, the city lies in another state, or the phone has too few or too many digits. */
export type Fault = 'short' | 'elsewhere' | 'noPhone';

export const absent = (path: string): Lack => ({ path, fault: null });

const COMPANY = 14;

const ADDRESS_FIELDS = ['street', 'number', 'district', 'cityCode', 'city', 'state', 'postalCode'] as const;
const TEXT = 60;
/** A name, and each part of an address but the number, has at least so many characters. */
const LEAST_NAME = 2;

/** Whether enough is left of a text where the layout has no room for all characters. */
const fitsLayout = (text: string, least: number): boolean => text !== '' && layoutText(text, TEXT).length >= least;

const lackOfText = (path: string, text: string | null | undefined, least: number): readonly Lack[] =>
  fitsLayout(text ?? '', least) ? [] : [{ path, fault: text ? 'short' : null }];

export const missingInName = (path: string, text: string | null): readonly Lack[] => lackOfText(path, text, LEAST_NAME);

export function missingInAddress(path: string, address: Partial<Address> | null): readonly Lack[] {
  if (address === null) return [absent(path)];
  const lacks = ADDRESS_FIELDS.flatMap((field) =>
    lackOfText(`${path}.${field}`, address[field], field === 'number' ? 0 : LEAST_NAME),
  );
  const { state, cityCode } = address;
  const isElsewhere = state && cityCode && !cityCode.startsWith(STATE_CODES[state]);
  return isElsewhere ? [...lacks, { path: `${path}.cityCode`, fault: 'elsewhere' }] : lacks;
}

const isCsosn = (code: IcmsCode): boolean => (CSOSN as readonly string[]).includes(code);

interface RuleUse {
  readonly regime: TaxRegime;
  readonly model: number;
  readonly environment: Environment;
  /** The day. */
  readonly issuedOn: string;
}

/** CSOSN and CST that a consumer's note does not take. */
const NOT_FOR_CONSUMERS: ReadonlySet<IcmsCode> = new Set<IcmsCode>(['101', '50']);
/** Operations of a consumer's note: with ICMS of its own, and with ICMS that was kept back before. */
const OWN_OPERATIONS: ReadonlySet<string> = new Set(['5101', '5102', '5103', '5104', '5115']);
const SUBSTITUTED_OPERATIONS: ReadonlySet<string> = new Set(['5405', '5656', '5667']);

/** What the regime and the codes of a rule that an item falls under need and lack. */
export function missingInRule(rule: TaxRule, use: RuleUse): string[] {
  const { icms, pis, cofins, ibsCbs } = rule;
  const missing: string[] = [];
  const need = (isThere: boolean, field: string): void => {
    if (!isThere) missing.push(`taxRules.${rule.id}.${field}`);
  };
  const isForModel = use.model !== 65 || !NOT_FOR_CONSUMERS.has(icms.code);
  need(isCsosn(icms.code) === usesCsosn(use.regime) && isForModel, 'icms.code');
  need(!['00', '20', '101'].includes(icms.code) || icms.rate !== null, 'icms.rate');
  need(icms.code !== '20' || icms.baseReductionPercent !== null, 'icms.baseReductionPercent');
  need(use.model !== 65 || fitsOperation(rule), 'cfopInState');
  for (const [name, { cst, rate, unitAmount }] of [
    ['pis', pis],
    ['cofins', cofins],
  ] as const) {
    need(isContribution(cst), `${name}.cst`);
    need(!isRated(cst) || rate !== null, `${name}.rate`);
    need(!isByUnit(cst) || unitAmount?.isPositive === true, `${name}.unitAmount`);
  }
  need(fitsIndustry(rule, use), 'ipi.rate');
  if (tellsReform(use.regime, use.issuedOn)) {
    need(ibsCbs === null || !isOtherReform(ibsCbs.cst), 'ibsCbs.cst');
    need(ibsCbs === null || ibsCbs.classCode.startsWith(ibsCbs.cst), 'ibsCbs.classCode');
    const needsRates = ibsCbs === null || !isWithoutReformRates(ibsCbs.cst);
    need(!needsRates || !isPastTrial(use) || hasOwnRates(rule), 'ibsCbs.rates');
  }
  return missing;
}

const isContribution = (cst: string): boolean =>
  isRated(cst) || isByUnit(cst) || isUntaxed(cst) || isOtherContribution(cst);

/** IPI is told in a company's note, computed under the regime NORMAL alone, and due under the codes 50 and 99. */
function fitsIndustry({ ipi }: TaxRule, { regime, model }: RuleUse): boolean {
  if (!ipi) return true;
  const { cst, rate } = ipi;
  if (rate?.isPositive) return regime === 'NORMAL' && model === 55 && (cst === '50' || cst === '99');
  return cst !== '50' || model === 65;
}

/** Goods whose ICMS was kept back before leave under other codes than the rest. */
const fitsOperation = ({ icms, cfopInState }: TaxRule): boolean =>
  !(isSubstituted(icms.code) ? OWN_OPERATIONS : SUBSTITUTED_OPERATIONS).has(cfopInState);

/** In trials, which have no value, the rates of the year of trial go on. */
export const isPastTrial = ({ environment, issuedOn }: Pick<RuleUse, 'environment' | 'issuedOn'>): boolean =>
  environment === 'PRODUCTION' && issuedOn > TRIAL_ENDS_ON;

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

export function missingInRecipient(wish: RecipientWish): readonly Lack[] {
  const { model, customerId, recipient, total, mustBeKnownFrom } = wish;
  if (model === 65) {
    const mustBeKnown = !total.lessThan(mustBeKnownFrom);
    if (!mustBeKnown || recipient?.document) return [];
    return [absent(customerId === null ? 'sale.customerId' : 'customer.document')];
  }
  if (customerId === null || recipient === null) return [absent('sale.customerId')];
  return [
    ...(recipient.document === '' ? [absent('customer.document')] : []),
    ...missingInName('customer.name', recipient.name),
    ...missingInAddress('customer.address', recipient.address),
  ];
}

export const isCompany = (document: string): boolean => document.length === COMPANY;
