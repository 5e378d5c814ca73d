import type { Choice } from '../../parts/fields.js';
import { CheckField, NumberField, SelectField, TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { useWords } from '../../words/words.js';
import { FiscalFields } from './fiscal-fields.js';
import { useNamed } from './named-choices.js';
import { repriced } from './pricing.js';
import type { FlagMember, ProductValues } from './product-values.js';
import { words } from './words.js';

const UNITS = ['UN', 'KG', 'G', 'L', 'ML', 'CX', 'PC', 'DZ', 'M', 'PCT'];

/** What a product says of itself. */
export function ProductFields({
  form,
  disabled = false,
}: {
  readonly form: FormState<ProductValues>;
  readonly disabled?: boolean;
}) {
  const t = useWords(words);
  const { values, set } = form;
  const units = UNITS.includes(values.saleUnit) ? UNITS : [values.saleUnit, ...UNITS];
  const none = { value: '', label: t('none') };
  const text = (name: 'sku' | 'ncm' | 'cest' | 'catalogDescription', maxLength: number) => (
    <TextField
      label={t(name)}
      path={name}
      {...{ disabled, maxLength }}
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const select = (
    name: 'categoryId' | 'brandId' | 'saleUnit' | 'productType' | 'issueBy',
    label: string,
    choices: readonly Choice[],
  ) => (
    <SelectField
      {...{ label, choices, disabled }}
      path={name}
      required
      value={values[name]}
      onValue={(value) => {
        set(name, value as never);
      }}
    />
  );
  const isService = values.productType === 'SERVICE';
  const check = (name: FlagMember, label: string) => (
    <CheckField
      {...{ label, disabled }}
      checked={values[name]}
      onChecked={(checked) => {
        set(name, checked);
      }}
    />
  );
  return (
    <>
      <TextField
        label={t('description')}
        path="description"
        required
        maxLength={200}
        {...{ disabled }}
        value={values.description}
        onValue={(value) => {
          set('description', value);
        }}
      />
      <Prices {...{ form, disabled }} />
      <div class="fields">
        {select('categoryId', t('category'), [none, ...useNamed('/categories')])}
        {select('brandId', t('brand'), [none, ...useNamed('/brands')])}
        {select(
          'saleUnit',
          t('unit'),
          units.map((unit) => ({ value: unit, label: unit })),
        )}
        {text('sku', 30)}
        {select('productType', t('type'), [
          { value: 'MERCHANDISE', label: t('oneMerchandise') },
          { value: 'SERVICE', label: t('oneService') },
        ])}
        {!isService &&
          select('issueBy', t('issueBy'), [
            { value: 'ENTRY', label: t('byEntry') },
            { value: 'EXPIRY', label: t('byExpiry') },
          ])}
        {!isService && text('ncm', 12)}
        {!isService && text('cest', 12)}
      </div>
      {text('catalogDescription', 200)}
      <div class="fields">
        {check('active', t('active'))}
        {!isService && check('controlsLots', t('controlsLots'))}
        {check('isFavorite', t('favorite'))}
        {check('availableForDelivery', t('delivery'))}
      </div>
      <FiscalFields {...{ form, disabled }} />
    </>
  );
}

/** Price and margin move each other, in front of one's eyes. */
function Prices({ form, disabled }: { readonly form: FormState<ProductValues>; readonly disabled: boolean }) {
  const t = useWords(words);
  const { values } = form;
  const hints = { managerialCost: undefined, profitMargin: t('marginHint'), priceCash: t('priceHint') };
  const price = (name: 'managerialCost' | 'profitMargin' | 'priceCash', unit: string) => (
    <NumberField
      label={t(name)}
      path={name}
      required={name === 'priceCash'}
      {...{ unit, disabled }}
      hint={hints[name]}
      value={values[name]}
      onValue={(value) => {
        form.change(repriced(values, name, value));
      }}
    />
  );
  return (
    <div class="fields">
      {price('managerialCost', 'R$')}
      {price('profitMargin', '%')}
      {price('priceCash', 'R$')}
      <NumberField label={t('priceCredit')} unit="R$" {...{ disabled }} {...form.field('priceCredit')} />
    </div>
  );
}
