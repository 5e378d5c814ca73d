import type { components } from 'openapi-client';
import { CheckField, NumberField, SelectField, TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { withoutMarks } from '../../values/digits.js';
import { plainNumber, readNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { fiscalWords, icmsNames, industryNames, originNames } from './fiscal-words.js';

type TaxRule = components['schemas']['TaxRule'];
type NewTaxRule = components['schemas']['TaxRuleBody'];

const ICMS_CODES = ['102', '101', '103', '300', '400', '500', '900', '00', '20', '40', '41', '50', '60', '90'] as const;
const INDUSTRY_CODES = ['50', '51', '52', '53', '54', '55', '99'] as const;
const ORIGINS = ['0', '1', '2', '3', '4', '5', '6', '7', '8'] as const;

/** The legal code of goods that no law speaks of. */
const NO_LAW = '999';

const valuesOfRule = (rule: Omit<TaxRule, 'id'>) => ({
  ruleName: rule.name,
  ncmPrefix: rule.match.ncmPrefix,
  ownProduction: rule.match.ownProduction === null ? '' : String(rule.match.ownProduction),
  origin: String(rule.origin),
  cfopInState: rule.cfopInState,
  cfopOutOfState: rule.cfopOutOfState,
  cfopOutOfStateConsumer: rule.cfopOutOfStateConsumer,
  icmsCode: rule.icms.code as string,
  icmsRate: plainNumber(rule.icms.rate, 4),
  icmsReduction: plainNumber(rule.icms.baseReductionPercent, 4),
  benefitCode: rule.benefitCode ?? '',
  withheldBase: plainNumber(rule.withheldIcms?.unitBase, 4),
  withheldRate: plainNumber(rule.withheldIcms?.rate, 4),
  withheldOwnTax: plainNumber(rule.withheldIcms?.unitOwnTax, 4),
  withheldTax: plainNumber(rule.withheldIcms?.unitTax, 4),
  pisCst: rule.pis.cst,
  pisRate: plainNumber(rule.pis.rate, 4),
  pisUnitAmount: plainNumber(rule.pis.unitAmount, 4),
  cofinsCst: rule.cofins.cst,
  cofinsRate: plainNumber(rule.cofins.rate, 4),
  cofinsUnitAmount: plainNumber(rule.cofins.unitAmount, 4),
  ipiCst: (rule.ipi?.cst ?? '') as string,
  ipiLegalCode: rule.ipi?.legalCode ?? NO_LAW,
  ipiRate: plainNumber(rule.ipi?.rate, 4),
  federalTaxes: plainNumber(rule.approximateTaxes?.federal, 4),
  stateTaxes: plainNumber(rule.approximateTaxes?.state, 4),
  cityTaxes: plainNumber(rule.approximateTaxes?.city, 4),
  taxesSource: rule.approximateTaxes?.source ?? '',
  hasIbsCbs: rule.ibsCbs !== null,
  ibsCst: rule.ibsCbs?.cst ?? '',
  classCode: rule.ibsCbs?.classCode ?? '',
  ibsState: plainNumber(rule.ibsCbs?.rates.ibsState, 4),
  ibsCity: plainNumber(rule.ibsCbs?.rates.ibsCity, 4),
  cbs: plainNumber(rule.ibsCbs?.rates.cbs, 4),
  ibsReduction: plainNumber(rule.ibsCbs?.reductionPercent, 4),
});

export type RuleValues = ReturnType<typeof valuesOfRule>;
export const valuesOf = (rule: TaxRule): RuleValues => valuesOfRule(rule);

export const noRule: RuleValues = {
  ruleName: '',
  ncmPrefix: '',
  ownProduction: '',
  origin: '0',
  cfopInState: '5102',
  cfopOutOfState: '6102',
  cfopOutOfStateConsumer: '6108',
  icmsCode: '102',
  icmsRate: '',
  icmsReduction: '',
  benefitCode: '',
  withheldBase: '',
  withheldRate: '',
  withheldOwnTax: '',
  withheldTax: '',
  pisCst: '49',
  pisRate: '',
  pisUnitAmount: '',
  cofinsCst: '49',
  cofinsRate: '',
  cofinsUnitAmount: '',
  ipiCst: '',
  ipiLegalCode: NO_LAW,
  ipiRate: '',
  federalTaxes: '',
  stateTaxes: '',
  cityTaxes: '',
  taxesSource: '',
  hasIbsCbs: false,
  ibsCst: '',
  classCode: '',
  ibsState: '',
  ibsCity: '',
  cbs: '',
  ibsReduction: '',
};

const numberOrNull = (text: string): number | null => readNumber(text) ?? null;

const ibsCbsOf = (values: RuleValues): NonNullable<NewTaxRule['ibsCbs']> | null =>
  values.hasIbsCbs
    ? {
        cst: values.ibsCst.trim(),
        classCode: values.classCode.trim(),
        rates: {
          ibsState: readNumber(values.ibsState) ?? 0,
          ibsCity: readNumber(values.ibsCity) ?? 0,
          cbs: readNumber(values.cbs) ?? 0,
        },
        reductionPercent: numberOrNull(values.ibsReduction),
      }
    : null;

/** Codes of IPI that may have a rate. */
const isDue = ({ ipiCst }: RuleValues): boolean => ipiCst === '50' || ipiCst === '99';
const isSubstituted = ({ icmsCode }: RuleValues): boolean => icmsCode === '60' || icmsCode === '500';

/** Nothing is told unless somebody said what was kept back. */
function withheldOf(values: RuleValues): NonNullable<NewTaxRule['withheldIcms']> | null {
  const { withheldBase, withheldRate, withheldOwnTax, withheldTax } = values;
  if (!isSubstituted(values) || [withheldBase, withheldRate, withheldTax].every((text) => text.trim() === ''))
    return null;
  return {
    unitBase: readNumber(withheldBase) ?? 0,
    rate: readNumber(withheldRate) ?? 0,
    unitOwnTax: numberOrNull(withheldOwnTax),
    unitTax: readNumber(withheldTax) ?? 0,
  };
}

const BY_UNIT = '03';

const contributionOf = (cst: string, rate: string, unitAmount: string): NewTaxRule['pis'] =>
  cst.trim() === BY_UNIT
    ? { cst: BY_UNIT, rate: null, unitAmount: numberOrNull(unitAmount) }
    : { cst: cst.trim(), rate: numberOrNull(rate) };

const ipiOf = (values: RuleValues): NonNullable<NewTaxRule['ipi']> | null =>
  values.ipiCst === ''
    ? null
    : {
        cst: values.ipiCst as NonNullable<NewTaxRule['ipi']>['cst'],
        legalCode: values.ipiLegalCode.trim(),
        rate: isDue(values) ? numberOrNull(values.ipiRate) : null,
      };

/** Nothing is told unless somebody said how much. */
function approximateOf(values: RuleValues): NonNullable<NewTaxRule['approximateTaxes']> | null {
  const { federalTaxes, stateTaxes, cityTaxes, taxesSource } = values;
  if ([federalTaxes, stateTaxes, cityTaxes, taxesSource].every((text) => text.trim() === '')) return null;
  return {
    federal: readNumber(federalTaxes) ?? 0,
    state: readNumber(stateTaxes) ?? 0,
    city: readNumber(cityTaxes) ?? 0,
    source: taxesSource.trim(),
  };
}

export const bodyOf = (values: RuleValues): NewTaxRule => ({
  name: values.ruleName.trim(),
  match: {
    ncmPrefix: withoutMarks(values.ncmPrefix),
    ownProduction: values.ownProduction === '' ? null : values.ownProduction === 'true',
  },
  origin: Number(values.origin),
  cfopInState: withoutMarks(values.cfopInState),
  cfopOutOfState: withoutMarks(values.cfopOutOfState),
  cfopOutOfStateConsumer: withoutMarks(values.cfopOutOfStateConsumer),
  icms: {
    code: values.icmsCode as NewTaxRule['icms']['code'],
    rate: numberOrNull(values.icmsRate),
    baseReductionPercent: numberOrNull(values.icmsReduction),
  },
  pis: contributionOf(values.pisCst, values.pisRate, values.pisUnitAmount),
  cofins: contributionOf(values.cofinsCst, values.cofinsRate, values.cofinsUnitAmount),
  ibsCbs: ibsCbsOf(values),
  benefitCode: values.benefitCode.trim() === '' ? null : values.benefitCode.trim(),
  withheldIcms: withheldOf(values),
  ipi: ipiOf(values),
  approximateTaxes: approximateOf(values),
});

type TextName = Exclude<keyof RuleValues, 'hasIbsCbs'>;

/** Names of the fields that go by more than their own, outside of their groups. */
const FIELD_NAMES: Readonly<Partial<Record<keyof RuleValues, readonly (keyof typeof fiscalWords)[]>>> = {
  icmsRate: ['icms', 'rate'],
  icmsReduction: ['icms', 'reduction'],
  pisCst: ['pis', 'cst'],
  pisRate: ['pis', 'rate'],
  pisUnitAmount: ['pis', 'unitAmount'],
  cofinsCst: ['cofins', 'cst'],
  cofinsRate: ['cofins', 'rate'],
  cofinsUnitAmount: ['cofins', 'unitAmount'],
  ipiCst: ['ipi', 'cst'],
  ipiRate: ['ipi', 'rate'],
  federalTaxes: ['approximateTaxes', 'federalTaxes'],
  stateTaxes: ['approximateTaxes', 'stateTaxes'],
  cityTaxes: ['approximateTaxes', 'cityTaxes'],
  taxesSource: ['approximateTaxes', 'taxesSource'],
  ibsCst: ['ibsCbs', 'cst'],
  ibsReduction: ['ibsCbs', 'reduction'],
};

export function useRuleFieldName(): (field: keyof RuleValues) => string {
  const t = useWords(fiscalWords);
  return (field) => (FIELD_NAMES[field] ?? [field as keyof typeof fiscalWords]).map((name) => t(name)).join(': ');
}

const OWNERS = { '': 'either', true: 'onlyOwn', false: 'onlyResold' } as const;

/** What a field holds that is chosen of a list without its codes. */
export function useRuleText(): (field: keyof RuleValues, values: RuleValues) => string | undefined {
  const t = useWords(fiscalWords);
  return (field, { ownProduction }) =>
    field === 'ownProduction' ? t(OWNERS[ownProduction as keyof typeof OWNERS]) : undefined;
}

/** What a rule says of goods, and of each of their taxes. */
export function TaxRuleFields({ form }: { readonly form: FormState<RuleValues> }) {
  const t = useWords(fiscalWords);
  const { values, set } = form;
  const text = (name: TextName, label: string, path: string, isRequired = true) => (
    <TextField
      {...{ label, path }}
      required={isRequired}
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const rate = (name: TextName, label: string, path: string) => (
    <NumberField
      {...{ label, path }}
      unit="%"
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const amount = (name: TextName, label: string, path: string) => (
    <NumberField
      {...{ label, path }}
      unit="R$"
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const select = (
    name: TextName,
    label: string,
    path: string,
    choices: readonly { value: string; label: string }[],
  ) => (
    <SelectField
      {...{ label, path, choices }}
      required
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const origin = useWords(originNames);
  const icms = useWords(icmsNames);
  const industry = useWords(industryNames);
  return (
    <>
      {text('ruleName', t('ruleName'), 'name')}
      <div class="fields">
        {text('ncmPrefix', t('ncmPrefix'), 'match.ncmPrefix', false)}
        {select('ownProduction', t('ownProduction'), 'match.ownProduction', [
          { value: '', label: t(OWNERS['']) },
          { value: 'true', label: t(OWNERS.true) },
          { value: 'false', label: t(OWNERS.false) },
        ])}
        {select(
          'origin',
          t('origin'),
          'origin',
          ORIGINS.map((code) => ({ value: code, label: `${code} – ${origin(code)}` })),
        )}
        {text('cfopInState', t('cfopInState'), 'cfopInState')}
        {text('cfopOutOfState', t('cfopOutOfState'), 'cfopOutOfState')}
        {text('cfopOutOfStateConsumer', t('cfopOutOfStateConsumer'), 'cfopOutOfStateConsumer')}
      </div>
      <fieldset>
        <legend class="legend">{t('icms')}</legend>
        <div class="fields">
          {select(
            'icmsCode',
            t('icmsCode'),
            'icms.code',
            ICMS_CODES.map((code) => ({ value: code, label: `${code} – ${icms(code)}` })),
          )}
          {rate('icmsRate', t('rate'), 'icms.rate')}
          {rate('icmsReduction', t('reduction'), 'icms.baseReductionPercent')}
          {text('benefitCode', t('benefitCode'), 'benefitCode', false)}
        </div>
        {isSubstituted(values) && (
          <>
            <p class="fine">{t('withheldHelp')}</p>
            <div class="fields">
              {amount('withheldBase', t('withheldBase'), 'withheldIcms.unitBase')}
              {rate('withheldRate', t('withheldRate'), 'withheldIcms.rate')}
              {amount('withheldTax', t('withheldTax'), 'withheldIcms.unitTax')}
              {amount('withheldOwnTax', t('withheldOwnTax'), 'withheldIcms.unitOwnTax')}
            </div>
          </>
        )}
      </fieldset>
      <fieldset>
        <legend class="legend">{`${t('pis')}, ${t('cofins')}`}</legend>
        <div class="fields">
          {text('pisCst', `${t('pis')}: ${t('cst')}`, 'pis.cst')}
          {values.pisCst.trim() === BY_UNIT
            ? amount('pisUnitAmount', `${t('pis')}: ${t('unitAmount')}`, 'pis.unitAmount')
            : rate('pisRate', `${t('pis')}: ${t('rate')}`, 'pis.rate')}
          {text('cofinsCst', `${t('cofins')}: ${t('cst')}`, 'cofins.cst')}
          {values.cofinsCst.trim() === BY_UNIT
            ? amount('cofinsUnitAmount', `${t('cofins')}: ${t('unitAmount')}`, 'cofins.unitAmount')
            : rate('cofinsRate', `${t('cofins')}: ${t('rate')}`, 'cofins.rate')}
        </div>
      </fieldset>
      <fieldset>
        <legend class="legend">{t('ipi')}</legend>
        <p class="fine">{t('ipiHelp')}</p>
        <div class="fields">
          {select('ipiCst', t('cst'), 'ipi.cst', [
            { value: '', label: t('ipiNone') },
            ...INDUSTRY_CODES.map((code) => ({ value: code, label: `${code} – ${industry(code)}` })),
          ])}
          {values.ipiCst !== '' && text('ipiLegalCode', t('ipiLegalCode'), 'ipi.legalCode')}
          {isDue(values) && rate('ipiRate', t('rate'), 'ipi.rate')}
        </div>
      </fieldset>
      <fieldset class="form">
        <legend class="legend">{t('ibsCbs')}</legend>
        <CheckField
          label={t('hasIbsCbs')}
          checked={values.hasIbsCbs}
          onChecked={(checked) => {
            set('hasIbsCbs', checked);
          }}
        />
        {values.hasIbsCbs && (
          <div class="fields">
            {text('ibsCst', t('cst'), 'ibsCbs.cst')}
            {text('classCode', t('classCode'), 'ibsCbs.classCode')}
            {rate('ibsState', t('ibsState'), 'ibsCbs.rates.ibsState')}
            {rate('ibsCity', t('ibsCity'), 'ibsCbs.rates.ibsCity')}
            {rate('cbs', t('cbs'), 'ibsCbs.rates.cbs')}
            {rate('ibsReduction', t('reduction'), 'ibsCbs.reductionPercent')}
          </div>
        )}
      </fieldset>
      <fieldset>
        <legend class="legend">{t('approximateTaxes')}</legend>
        <p class="fine">{t('approximateHelp')}</p>
        <div class="fields">
          {rate('federalTaxes', t('federalTaxes'), 'approximateTaxes.federal')}
          {rate('stateTaxes', t('stateTaxes'), 'approximateTaxes.state')}
          {rate('cityTaxes', t('cityTaxes'), 'approximateTaxes.city')}
          {text('taxesSource', t('taxesSource'), 'approximateTaxes.source', false)}
        </div>
      </fieldset>
    </>
  );
}
