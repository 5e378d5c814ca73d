import { Decimal } from '../../../kernel/values/decimal.js';
import type { State } from '../../../brazil/states.js';
import { TRIAL_RATES } from '../../../brazil/ibs-cbs-rates.js';
import { STANDARD_ICMS_RATES } from '../../../brazil/icms-rates.js';
import type { TaxRegime } from '../../contracts/fiscal-settings.js';

/** How goods are taxed, by what they are. */

/** The layout's code of a regime. */
export const REGIME_CODES: Readonly<Record<TaxRegime, string>> = {
  SIMPLES: '1',
  SIMPLES_EXCESS: '2',
  NORMAL: '3',
  MEI: '4',
};

/** Whether ICMS is told by CSOSN; by CST otherwise. */
export const usesCsosn = (regime: TaxRegime): boolean => regime === 'SIMPLES' || regime === 'MEI';

export const CSOSN = ['101', '102', '103', '300', '400', '500', '900'] as const;
export const CST = ['00', '20', '40', '41', '50', '60', '90'] as const;
export type IcmsCode = (typeof CSOSN)[number] | (typeof CST)[number];

/** Tells whether the tax of such goods was paid before by substitution: they need a CEST. */
export const isSubstituted = (code: string): boolean => code === '500' || code === '60';

export interface ContributionRule {
  readonly cst: string;
  readonly rate: Decimal | null;
  /** The tax on one taxable unit, in reais: code 03 alone has it. */
  readonly unitAmount?: Decimal | null | undefined;
}

export const INDUSTRY_CST = ['50', '51', '52', '53', '54', '55', '99'] as const;

/** IPI, which a price contains: who buys pays what the sale comes to and no more. */
interface IndustryRule {
  readonly cst: (typeof INDUSTRY_CST)[number];
  /** The code of the law that speaks of it: 999 where none does. */
  readonly legalCode: string;
  readonly rate: Decimal | null;
}

/** What a price holds of taxes by the tables of an institute, told to consumers as law 12,741 wants it; percent of the price. */
interface ApproximateTaxes {
  readonly federal: Decimal;
  readonly state: Decimal;
  readonly city: Decimal;
  readonly source: string;
}

export interface ReformRule {
  readonly cst: string;
  readonly classCode: string;
  readonly rates: { readonly ibsState: Decimal; readonly ibsCity: Decimal; readonly cbs: Decimal };
  /** By how much the law lowers the rates. */
  readonly reductionPercent: Decimal | null;
}

/** The ICMS that whoever sold the goods kept back for the whole chain, for one unit as it is sold. */
interface WithheldIcms {
  readonly unitBase: Decimal;
  readonly rate: Decimal;
  /** What the seller owed on its own account. */
  readonly unitOwnTax: Decimal | null;
  readonly unitTax: Decimal;
}

export interface TaxRule {
  readonly id: string;
  readonly name: string;
  readonly match: { readonly ncmPrefix: string; readonly ownProduction: boolean | null };
  readonly origin: number;
  readonly cfopInState: string;
  readonly cfopOutOfState: string;
  readonly cfopOutOfStateConsumer: string;
  readonly icms: {
    readonly code: IcmsCode;
    readonly rate: Decimal | null;
    readonly baseReductionPercent: Decimal | null;
  };
  readonly pis: ContributionRule;
  readonly cofins: ContributionRule;
  readonly ibsCbs: ReformRule | null;
  /** The state's code of the benefit under which ICMS is lowered or left out. */
  readonly benefitCode?: string | null | undefined;
  readonly withheldIcms?: WithheldIcms | null | undefined;
  readonly ipi?: IndustryRule | null | undefined;
  readonly approximateTaxes?: ApproximateTaxes | null | undefined;
}

/** Codes of IBS and CBS under which nothing is computed: exempt, immune, told in a declaration of its own. */
export const isWithoutReformRates = (cst: string): boolean => ['400', '410', '820'].includes(cst);
/** Deferred, by quantity, handed over, adjusted: these need parts of the layout that are not written here. */
export const isOtherReform = (cst: string): boolean => ['510', '515', '620', '800', '810', '811'].includes(cst);

const PERCENT = (text: string): Decimal => Decimal.from(text);

export const WHOLE_REFORM_RULE: ReformRule = {
  cst: '000',
  classCode: '000001',
  rates: {
    ibsState: PERCENT(TRIAL_RATES.ibsState),
    ibsCity: PERCENT(TRIAL_RATES.ibsCity),
    cbs: PERCENT(TRIAL_RATES.cbs),
  },
  reductionPercent: null,
};

/** Whether a rule says rates of its own, and not those of the year of trial. */
export function hasOwnRates({ ibsCbs }: TaxRule): boolean {
  if (ibsCbs === null) return false;
  const { ibsState, ibsCity, cbs } = ibsCbs.rates;
  const trial = WHOLE_REFORM_RULE.rates;
  return !(ibsState.equals(trial.ibsState) && ibsCity.equals(trial.ibsCity) && cbs.equals(trial.cbs));
}

/** The two rules of a new store, as its regime and state have them. */
export function defaultRules(
  ids: { readonly own: string; readonly bought: string },
  regime: TaxRegime,
  state: State | undefined,
): readonly TaxRule[] {
  const isNormal = regime === 'NORMAL';
  const taxes = {
    origin: 0,
    icms: usesCsosn(regime)
      ? { code: '102' as const, rate: null, baseReductionPercent: null }
      : {
          code: '00' as const,
          rate: state === undefined ? null : PERCENT(STANDARD_ICMS_RATES[state]),
          baseReductionPercent: null,
        },
    pis: isNormal ? { cst: '01', rate: PERCENT('1.65') } : { cst: '49', rate: null },
    cofins: isNormal ? { cst: '01', rate: PERCENT('7.6') } : { cst: '49', rate: null },
    ibsCbs: null,
  };
  return [
    {
      id: ids.own,
      name: 'Produção própria',
      match: { ncmPrefix: '', ownProduction: true },
      cfopInState: '5101',
      cfopOutOfState: '6101',
      cfopOutOfStateConsumer: '6107',
      ...taxes,
    },
    {
      id: ids.bought,
      name: 'Revenda',
      match: { ncmPrefix: '', ownProduction: false },
      cfopInState: '5102',
      cfopOutOfState: '6102',
      cfopOutOfStateConsumer: '6108',
      ...taxes,
    },
  ];
}
