import type { components } from 'openapi-client';
import type { Tagged } from '../../client/api.js';
import { api, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { CheckField, SelectField, TextField } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { Facts, Section } from '../../parts/page.js';
import { useRecordForm, useSaving } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { withoutMarks } from '../../values/digits.js';
import { setTimeZone } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export type Store = components['schemas']['Store'];

export const useStore = () =>
  useRead({
    key: ['store', 'tagged'],
    kinds: ['store'],
    read: (signal) => tagged(api.GET('/store', { signal })),
  });

const SEGMENTS = ['RETAIL', 'BAKERY', 'INDUSTRIAL'] as const;
const ZONES = [
  'America/Sao_Paulo',
  'America/Bahia',
  'America/Fortaleza',
  'America/Recife',
  'America/Belem',
  'America/Maceio',
  'America/Araguaina',
  'America/Cuiaba',
  'America/Campo_Grande',
  'America/Manaus',
  'America/Porto_Velho',
  'America/Boa_Vista',
  'America/Rio_Branco',
  'America/Noronha',
];

/** As the places are written here; the names of zones know no accents. */
const ACCENTED: Readonly<Partial<Record<string, string>>> = {
  'America/Sao_Paulo': 'São Paulo',
  'America/Belem': 'Belém',
  'America/Maceio': 'Maceió',
  'America/Araguaina': 'Araguaína',
  'America/Cuiaba': 'Cuiabá',
  'America/Noronha': 'Fernando de Noronha',
};

const zoneName = (zone: string): string => ACCENTED[zone] ?? zone.replace('America/', '').replaceAll('_', ' ');

const valuesOf = (store: Store) => ({
  legalName: store.legalName,
  tradeName: store.tradeName,
  taxId: store.taxId ?? '',
  segment: store.segment as string,
  activityCode: store.activityCode ?? '',
  timeZone: store.timeZone,
  production: store.modules.production,
  scaleCode: store.modules.scaleCode,
  orders: store.modules.orders,
  requireTwoFactor: store.requireTwoFactor,
});
type Values = ReturnType<typeof valuesOf>;

const bodyOf = ({ production, scaleCode, orders, ...values }: Values) => ({
  ...values,
  taxId: values.taxId.trim() || null,
  activityCode: withoutMarks(values.activityCode) || null,
  segment: values.segment as Store['segment'],
  modules: { production, scaleCode, orders },
});

export function StoreData() {
  return <Shown reading={useStore()}>{(store) => <OneStore store={store} />}</Shown>;
}

function OneStore({ store }: { readonly store: Tagged<Store> }) {
  const t = useWords(words);
  const form = useRecordForm(store, valuesOf, t, {
    valueText(field, { segment, timeZone }) {
      if (field === 'segment') return t(segment as Store['segment']);
      return field === 'timeZone' ? zoneName(timeZone) : undefined;
    },
  });
  const { values, set } = form;
  const change = useCommand({
    send: (input: Values, headers) =>
      tagged(api.PATCH('/store', { body: bodyOf(input), headers: ifMatch(headers, form) })),
    kinds: ['store'],
    onDone: (answer, sent) => {
      setTimeZone(answer.record.timeZone);
      form.saved(sent, answer);
    },
  });
  const text = (name: 'legalName' | 'tradeName' | 'taxId' | 'activityCode', maxLength: number) => (
    <TextField
      label={t(name)}
      path={name}
      required={name.endsWith('Name')}
      {...{ maxLength }}
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const check = (name: 'production' | 'scaleCode' | 'orders' | 'requireTwoFactor', hint?: string) => (
    <CheckField
      label={t(name)}
      {...(hint === undefined ? {} : { hint })}
      checked={values[name]}
      onChecked={(checked) => {
        set(name, checked);
      }}
    />
  );
  const zones = ZONES.includes(values.timeZone) ? ZONES : [values.timeZone, ...ZONES];
  return (
    <Section title={t('storeData')}>
      <Facts
        facts={[
          [t('slug'), store.record.slug],
          [t('plan'), store.record.plan.apiAccess ? t('planApi') : t('planBasic')],
        ]}
      />
      <Form
        sending={change}
        {...useSaving(form, change)}
        form={form}
        conflict={form.conflict}
        onSubmit={() => {
          change.mutate(values);
        }}
      >
        <div class="fields">
          {text('tradeName', 120)}
          {text('legalName', 120)}
          {text('taxId', 30)}
          {text('activityCode', 30)}
          <SelectField
            label={t('segment')}
            path="segment"
            required
            value={values.segment}
            onValue={(segment) => {
              set('segment', segment);
            }}
            choices={SEGMENTS.map((segment) => ({ value: segment, label: t(segment) }))}
          />
          <SelectField
            label={t('timeZone')}
            path="timeZone"
            required
            value={values.timeZone}
            onValue={(timeZone) => {
              set('timeZone', timeZone);
            }}
            choices={zones.map((zone) => ({ value: zone, label: zoneName(zone) }))}
          />
        </div>
        <fieldset>
          <legend class="legend">{t('modules')}</legend>
          <div class="fields">
            {check('production')}
            {check('scaleCode')}
            {check('orders')}
          </div>
        </fieldset>
        {check('requireTwoFactor', t('requireTwoFactorHint'))}
      </Form>
    </Section>
  );
}
