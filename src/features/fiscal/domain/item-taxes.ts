import { interstateIcmsRate } from '../../../brazil/icms-rates.js';
import type { State } from '../../../brazil/states.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { Model } from '../events.js';
import type { NoteItem } from './note.js';
import type { TaxRegime } from '../../contracts/fiscal-settings.js';
import type { ContributionRule, IcmsCode, ReformRule, TaxRule } from './tax-rules.js';
import { isSubstituted, isWithoutReformRates, WHOLE_REFORM_RULE } from './tax-rules.js';

/** What an item's taxes come to; amounts in cents. */

interface IcmsAmounts {
  readonly base: Decimal;
  readonly rate: Decimal;
  readonly amount: Decimal;
  readonly credit: Decimal;
  /** By how many percent the base was lowered. */
  readonly reduction: Decimal | null;
  readonly withheld: WithheldAmounts | null;
}

interface WithheldAmounts {
  readonly base: Decimal;
  readonly rate: Decimal;
  readonly ownTax: Decimal | null;
  readonly tax: Decimal;
}

export interface ContributionAmounts {
  readonly cst: string;
  readonly base: Decimal;
  readonly rate: Decimal;
  readonly amount: Decimal;
  /** Where it is a fixed amount for each taxable unit. */
  readonly byUnit: { readonly quantity: Decimal; readonly unitAmount: Decimal } | null;
}

export interface IndustryAmounts {
  readonly cst: string;
  readonly legalCode: string;
  readonly base: Decimal;
  readonly rate: Decimal;
  readonly amount: Decimal;
}

interface ApproximateAmounts {
  readonly federal: Decimal;
  readonly state: Decimal;
  readonly city: Decimal;
  readonly source: string;
}

export interface ReformShare {
  readonly rate: Decimal;
  /** The rate after the reduction. */
  readonly effectiveRate: Decimal;
  readonly amount: Decimal;
}

export interface ReformAmounts {
  readonly cst: string;
  readonly classCode: string;
  /** Null of a class under which nothing is computed. */
  readonly computed: ComputedReform | null;
}

export interface ComputedReform {
  readonly reductionPercent: Decimal | null;
  readonly base: Decimal;
  readonly state: ReformShare;
  readonly city: ReformShare;
  readonly cbs: ReformShare;
}

export interface ItemTaxes {
  readonly icms: IcmsAmounts;
  readonly pis: ContributionAmounts;
  readonly cofins: ContributionAmounts;
  /** Null where the rule says nothing of IPI, and in a consumer's note, which has no room for it. */
  readonly industry: IndustryAmounts | null;
  /** Null where the rule names no table, and where no consumer buys. */
  readonly approximate: ApproximateAmounts | null;
  /** Undefined where the law does not ask for it yet. */
  readonly reform: ReformAmounts | undefined;
}

const CENTS = 2;
/** From this day on the regimes of small companies tell IBS and CBS as well. */
const REFORM_FOR_ALL = '2027-01-04';

/** Codes under which contributions are computed from a rate. */
export const isRated = (cst: string): boolean => cst === '01' || cst === '02';
/** Codes without a base at all. */
export const isUntaxed = (cst: string): boolean => /^0[4-9]$/.test(cst);
/** The code under which they are an amount for each unit. */
export const isByUnit = (cst: string): boolean => cst === '03';
/** The rest of the codes that a sale may have. */
export const isOtherContribution = (cst: string): boolean => /^(49|5[0-6]|6[0-7]|7[0-5]|9[89])$/.test(cst);

export const tellsReform = (regime: TaxRegime, issuedOn: string): boolean =>
  regime === 'NORMAL' || issuedOn >= REFORM_FOR_ALL;

const percentOf = (base: Decimal, rate: Decimal): Decimal => base.timesRatio(rate, Decimal.hundred, CENTS);

interface TaxedAs {
  readonly model: Model;
  readonly regime: TaxRegime;
  /** Whether the buyer sells it no further. */
  readonly toConsumer: boolean;
  readonly issuedOn: string;
  /** Between which states it is sold to a taxpayer; undefined of all other sales. */
  readonly between?: { readonly from: State; readonly to: State } | undefined;
}

export function taxesOf(item: NoteItem, { model, regime, toConsumer, issuedOn, between }: TaxedAs): ItemTaxes {
  const { quantity, industryTax } = item;
  const rule = between ? ruleBetween(item.rule, between) : item.rule;
  const net = item.gross.minus(item.discount);
  const paid = net.plus(industryTax);
  // What is sold on is taxed again there: IPI is part of the base only where nobody sells it further.
  const icms = icmsOf(toConsumer ? paid : net, quantity, rule);
  const units = item.taxedUnit?.quantity ?? quantity;
  const withoutIcms = net.minus(icms.amount).max(Decimal.zero);
  const pis = contributionOf(withoutIcms, units, rule.pis);
  const cofins = contributionOf(withoutIcms, units, rule.cofins);
  // What is due for each unit may be more than was paid, for goods that were given away above all.
  const base = withoutIcms.minus(pis.amount).minus(cofins.amount).max(Decimal.zero);
  return {
    icms,
    pis,
    cofins,
    industry: model === 55 ? industryOf(net, industryTax, rule) : null,
    approximate: toConsumer ? approximateOf(paid, rule) : null,
    reform: tellsReform(regime, issuedOn) ? reformOf(base, rule.ibsCbs ?? WHOLE_REFORM_RULE) : undefined,
  };
}

/** IPI within what was paid for goods; a consumer's note has no room for it. */
export function industryTaxIn(paid: Decimal, { ipi }: Pick<TaxRule, 'ipi'>, model: Model): Decimal {
  const rate = ipi?.rate;
  if (model !== 55 || !rate?.isPositive) return Decimal.zero;
  return paid.minus(paid.timesRatio(Decimal.hundred, Decimal.hundred.plus(rate), CENTS));
}

function industryOf(net: Decimal, amount: Decimal, { ipi }: TaxRule): IndustryAmounts | null {
  if (!ipi) return null;
  const { cst, legalCode } = ipi;
  const rate = ipi.rate ?? Decimal.zero;
  return { cst, legalCode, base: rate.isPositive ? net : Decimal.zero, rate, amount };
}

/** All that a price holds of them. */
export const approximateTotal = ({ federal, state, city }: ApproximateAmounts): Decimal =>
  federal.plus(state).plus(city);

function approximateOf(paid: Decimal, { approximateTaxes }: TaxRule): ApproximateAmounts | null {
  if (!approximateTaxes) return null;
  const { federal, state, city, source } = approximateTaxes;
  return { federal: percentOf(paid, federal), state: percentOf(paid, state), city: percentOf(paid, city), source };
}

/** A rule has the rate of its own state; what goes to a taxpayer of another one has at most that between the two. */
function ruleBetween(rule: TaxRule, { from, to }: NonNullable<TaxedAs['between']>): TaxRule {
  const { icms, origin } = rule;
  const most = Decimal.from(interstateIcmsRate(from, to, origin));
  if (icms.code === '101' || icms.rate === null || !icms.rate.greaterThan(most)) return rule;
  return { ...rule, icms: { ...icms, rate: most } };
}

const WHOLE: ReadonlySet<IcmsCode> = new Set<IcmsCode>(['00', '20']);
/** Others than those that the layout names: with a rate they are taxed, without one they are not. */
const EITHER: ReadonlySet<IcmsCode> = new Set<IcmsCode>(['90', '900']);

export const isTaxed = ({ code, rate }: TaxRule['icms']): boolean =>
  WHOLE.has(code) || (EITHER.has(code) && rate?.isPositive === true);

function icmsOf(net: Decimal, quantity: Decimal, rule: TaxRule): IcmsAmounts {
  const { icms } = rule;
  const { code, baseReductionPercent } = icms;
  const rate = icms.rate ?? Decimal.zero;
  const withheld = withheldOf(quantity, rule);
  const nothing = { base: Decimal.zero, rate, amount: Decimal.zero, credit: Decimal.zero, reduction: null, withheld };
  if (code === '101') return { ...nothing, credit: percentOf(net, rate) };
  if (!isTaxed(icms)) return nothing;
  const reduction = code === '00' ? null : baseReductionPercent;
  const base = percentOf(net, Decimal.hundred.minus(reduction ?? Decimal.zero));
  return { base, rate, amount: percentOf(base, rate), credit: Decimal.zero, reduction, withheld };
}

function withheldOf(quantity: Decimal, { icms, withheldIcms }: TaxRule): WithheldAmounts | null {
  if (!withheldIcms || !isSubstituted(icms.code)) return null;
  const { unitBase, rate, unitOwnTax, unitTax } = withheldIcms;
  const ofAll = (each: Decimal): Decimal => each.times(quantity).round(CENTS);
  return { base: ofAll(unitBase), rate, ownTax: unitOwnTax && ofAll(unitOwnTax), tax: ofAll(unitTax) };
}

/** Codes without a rate of their own may have one all the same, such as 99. */
function contributionOf(base: Decimal, units: Decimal, rule: ContributionRule): ContributionAmounts {
  const { cst, rate, unitAmount } = rule;
  const nothing = { cst, base: Decimal.zero, rate: Decimal.zero, amount: Decimal.zero, byUnit: null };
  if (isByUnit(cst) && unitAmount) {
    return { ...nothing, amount: units.times(unitAmount).round(CENTS), byUnit: { quantity: units, unitAmount } };
  }
  const mayBeRated = isRated(cst) || isOtherContribution(cst);
  if (!mayBeRated || !rate?.isPositive) return { ...nothing, base: isRated(cst) ? base : Decimal.zero };
  return { cst, base, rate, amount: percentOf(base, rate), byUnit: null };
}

function reformOf(base: Decimal, { cst, classCode, rates, reductionPercent }: ReformRule): ReformAmounts {
  const share = (rate: Decimal): ReformShare => {
    const kept = Decimal.hundred.minus(reductionPercent ?? Decimal.zero);
    const effectiveRate = rate.timesRatio(kept, Decimal.hundred, 4);
    return { rate, effectiveRate, amount: percentOf(base, effectiveRate) };
  };
  if (isWithoutReformRates(cst)) return { cst, classCode, computed: null };
  const shares = { state: share(rates.ibsState), city: share(rates.ibsCity), cbs: share(rates.cbs) };
  return { cst, classCode, computed: { reductionPercent, base, ...shares } };
}
