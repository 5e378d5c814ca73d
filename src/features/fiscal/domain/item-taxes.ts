import { Decimal } from '../../../kernel/values/decimal.js';
import type { NoteItem } from './note.js';
import type { ContributionRule, ReformRule, TaxRegime, TaxRule } from './tax-rules.js';
import { WHOLE_REFORM_RULE } from './tax-rules.js';

/** What an item's taxes come to; amounts in cents. */

interface IcmsAmounts {
  readonly base: Decimal;
  readonly rate: Decimal;
  readonly amount: Decimal;
  readonly credit: Decimal;
}

export interface ContributionAmounts {
  readonly cst: string;
  readonly base: Decimal;
  readonly rate: Decimal;
  readonly amount: Decimal;
}

export interface ReformShare {
  readonly rate: Decimal;
  /** After the reduction. */
  readonly effectiveRate: Decimal;
  readonly amount: Decimal;
}

export interface ReformAmounts {
  readonly cst: string;
  readonly classCode: string;
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
  /** Undefined where the law does not ask for it yet. */
  readonly reform: ReformAmounts | undefined;
}

const CENTS = 2;
/** From this day on the regimes of small companies tell IBS and CBS as well. */
const REFORM_FOR_ALL = '2027-01-04';

/** Codes under which contributions are computed from a rate. */
export const isRated = (cst: string): boolean => cst === '01' || cst === '02';

const tellsReform = (regime: TaxRegime, issuedOn: string): boolean => regime === 'NORMAL' || issuedOn >= REFORM_FOR_ALL;

const percentOf = (base: Decimal, rate: Decimal): Decimal => base.timesRatio(rate, Decimal.hundred, CENTS);

export function taxesOf({ gross, discount, rule }: NoteItem, regime: TaxRegime, issuedOn: string): ItemTaxes {
  const net = gross.minus(discount);
  const icms = icmsOf(net, rule);
  const pis = contributionOf(net.minus(icms.amount), rule.pis);
  const cofins = contributionOf(net.minus(icms.amount), rule.cofins);
  const base = net.minus(icms.amount).minus(pis.amount).minus(cofins.amount);
  const reform = tellsReform(regime, issuedOn) ? reformOf(base, rule.ibsCbs ?? WHOLE_REFORM_RULE) : undefined;
  return { icms, pis, cofins, reform };
}

function icmsOf(net: Decimal, { icms: { code, rate, baseReductionPercent } }: TaxRule): IcmsAmounts {
  const percent = rate ?? Decimal.zero;
  if (code === '101') {
    return { base: Decimal.zero, rate: percent, amount: Decimal.zero, credit: percentOf(net, percent) };
  }
  if (code !== '00' && code !== '20') {
    return { base: Decimal.zero, rate: percent, amount: Decimal.zero, credit: Decimal.zero };
  }
  const kept = code === '20' ? Decimal.hundred.minus(baseReductionPercent ?? Decimal.zero) : Decimal.hundred;
  const base = percentOf(net, kept);
  return { base, rate: percent, amount: percentOf(base, percent), credit: Decimal.zero };
}

function contributionOf(base: Decimal, { cst, rate }: ContributionRule): ContributionAmounts {
  if (!isRated(cst)) return { cst, base: Decimal.zero, rate: Decimal.zero, amount: Decimal.zero };
  const percent = rate ?? Decimal.zero;
  return { cst, base, rate: percent, amount: percentOf(base, percent) };
}

function reformOf(base: Decimal, { cst, classCode, rates, reductionPercent }: ReformRule): ReformAmounts {
  const share = (rate: Decimal): ReformShare => {
    const kept = Decimal.hundred.minus(reductionPercent ?? Decimal.zero);
    const effectiveRate = rate.timesRatio(kept, Decimal.hundred, 4);
    return { rate, effectiveRate, amount: percentOf(base, effectiveRate) };
  };
  return {
    cst,
    classCode,
    reductionPercent,
    base,
    state: share(rates.ibsState),
    city: share(rates.ibsCity),
    cbs: share(rates.cbs),
  };
}
