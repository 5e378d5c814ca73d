import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { CheckField, NumberField, SelectField, TextField } from '../../parts/fields.js';
import { Folded } from '../../parts/folded.js';
import type { FormState } from '../../parts/form.js';
import { useWords } from '../../words/words.js';
import type { ProductValues, TextMember } from './product-values.js';
import { words } from './words.js';

interface Fiscal {
  readonly form: FormState<ProductValues>;
  readonly disabled: boolean;
}

/** What fiscal documents want to know of a product beyond its NCM: seldom touched, and so folded away. */
export function FiscalFields({ form, disabled }: Fiscal) {
  const t = useWords(words);
  const may = useMay();
  const isService = form.values.productType === 'SERVICE';
  return (
    <Folded summary={t(isService ? 'fiscalOfService' : 'fiscal')}>
      {(wasOpen) => (
        <div class="stack">
          {wasOpen && may('fiscal.view') && <TaxRule {...{ form, disabled }} />}
          {isService ? <OfService {...{ form, disabled }} /> : <OfGoods {...{ form, disabled }} />}
        </div>
      )}
    </Folded>
  );
}

/** Fields of one product form, by the name of the member that each changes. */
function useFieldsOf({ form, disabled }: Fiscal) {
  const t = useWords(words);
  const { values, set } = form;
  const field = (name: TextMember & keyof typeof words) => ({
    label: t(name),
    path: name,
    disabled,
    value: values[name],
    onValue: (value: string) => {
      set(name, value as never);
    },
  });
  return {
    t,
    text: (name: TextMember & keyof typeof words, maxLength: number) => (
      <TextField {...field(name)} {...{ maxLength }} />
    ),
    figure: (name: TextMember & keyof typeof words, unit?: string) => <NumberField {...field(name)} {...{ unit }} />,
    select: (name: TextMember & keyof typeof words, choices: readonly (readonly [value: string, label: string])[]) => (
      <SelectField {...field(name)} required choices={choices.map(([value, label]) => ({ value, label }))} />
    ),
  };
}

/** The rule that counts for the product, in place of the one that its NCM would find. */
function TaxRule(fiscal: Fiscal) {
  const { t, select } = useFieldsOf(fiscal);
  const rules = useRead({
    key: ['tax-rules', 'choices'],
    kinds: ['taxRule'],
    read: async (signal) =>
      (await body(api.GET('/fiscal/tax-rules', { params: { query: { limit: 200 } }, signal }))).items,
  });
  const known = (rules.data ?? []).map(({ id, name }) => [id, name] as const);
  const { taxRuleId } = fiscal.form.values;
  const isOther = taxRuleId !== '' && !known.some(([id]) => id === taxRuleId);
  return (
    <div class="fields">
      {select('taxRuleId', [['', t('ruleOfNcm')], ...known, ...(isOther ? [[taxRuleId, '…'] as const] : [])])}
    </div>
  );
}

function OfService(fiscal: Fiscal) {
  const { t, text, figure } = useFieldsOf(fiscal);
  const { values, set } = fiscal.form;
  return (
    <div class="fields">
      {text('issServiceCode', 10)}
      {text('nbsCode', 15)}
      {figure('issRate', '%')}
      <CheckField
        label={t('issRetained')}
        disabled={fiscal.disabled}
        checked={values.issRetained}
        onChecked={(checked) => {
          set('issRetained', checked);
        }}
      />
    </div>
  );
}

function OfGoods(fiscal: Fiscal) {
  const { t, text, figure, select } = useFieldsOf(fiscal);
  return (
    <>
      <h3>{t('taxableUnit')}</h3>
      <p class="hint">{t('taxableUnitHint')}</p>
      <div class="fields">
        {text('tribUnit', 6)}
        {figure('tribUnitFactor')}
        {figure('unitVolumeLiters', 'L')}
      </div>
      <h3>{t('weight')}</h3>
      <div class="fields">
        {figure('netWeightKg', 'kg')}
        {figure('packagingTareKg', 'kg')}
        {text('volumeSpecies', 60)}
      </div>
      <h3>{t('unitTaxes')}</h3>
      <div class="fields">
        {figure('costPrice', 'R$')}
        {figure('ipiUnitValue', 'R$')}
        {text('ipiBaseMode', 30)}
        {select('ipiInStBase', [
          ['', t('notSaid')],
          ['true', t('isSo')],
          ['false', t('isNotSo')],
        ])}
        {figure('pisUnitValue', 'R$')}
        {figure('cofinsUnitValue', 'R$')}
      </div>
    </>
  );
}
