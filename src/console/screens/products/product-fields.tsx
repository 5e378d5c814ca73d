import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import type { Choice } from '../../parts/fields.js';
import { CheckField, NumberField, SelectField, TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { plainNumber, readNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { repriced } from './pricing.js';
import { words } from './words.js';

export type Product = components['schemas']['Product'];

export interface ProductValues {
  description: string;
  catalogDescription: string;
  sku: string;
  saleUnit: string;
  priceCash: string;
  priceCredit: string;
  managerialCost: string;
  profitMargin: string;
  categoryId: string;
  brandId: string;
  ncm: string;
  cest: string;
  active: boolean;
  isFavorite: boolean;
  availableForDelivery: boolean;
  controlsLots: boolean;
}

export const noProduct: ProductValues = {
  description: '',
  catalogDescription: '',
  sku: '',
  saleUnit: 'UN',
  priceCash: '',
  priceCredit: '',
  managerialCost: '',
  profitMargin: '',
  categoryId: '',
  brandId: '',
  ncm: '',
  cest: '',
  active: true,
  isFavorite: false,
  availableForDelivery: false,
  controlsLots: false,
};

export const valuesOf = (product: Product): ProductValues => ({
  description: product.description,
  catalogDescription: product.catalogDescription === product.description ? '' : product.catalogDescription,
  sku: product.sku ?? '',
  saleUnit: product.saleUnit,
  priceCash: plainNumber(product.priceCash, 2),
  priceCredit: plainNumber(product.priceCredit, 2),
  managerialCost: plainNumber(product.managerialCost, 2),
  profitMargin: plainNumber(product.profitMargin, 4),
  categoryId: product.categoryId ?? '',
  brandId: product.brandId ?? '',
  ncm: product.ncm ?? '',
  cest: product.cest ?? '',
  active: product.active,
  isFavorite: product.isFavorite,
  availableForDelivery: product.availableForDelivery,
  controlsLots: product.controlsLots,
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** The body of a new product or a change; what was not touched is left out of a change. */
export function bodyOf(values: ProductValues, before?: ProductValues) {
  const all = {
    description: values.description.trim(),
    catalogDescription: orNull(values.catalogDescription),
    sku: orNull(values.sku),
    saleUnit: values.saleUnit,
    priceCash: readNumber(values.priceCash) ?? 0,
    priceCredit: readNumber(values.priceCredit) ?? readNumber(values.priceCash) ?? 0,
    managerialCost: readNumber(values.managerialCost) ?? null,
    profitMargin: readNumber(values.profitMargin) ?? 0,
    categoryId: orNull(values.categoryId),
    brandId: orNull(values.brandId),
    ncm: orNull(values.ncm),
    cest: orNull(values.cest),
    active: values.active,
    isFavorite: values.isFavorite,
    availableForDelivery: values.availableForDelivery,
    controlsLots: values.controlsLots,
  };
  const isTouched = (name: string) => {
    const field = name as keyof ProductValues;
    return before === undefined ? values[field] !== '' || field === 'priceCredit' : values[field] !== before[field];
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => isTouched(name))) as Partial<typeof all>;
}

const UNITS = ['UN', 'KG', 'G', 'L', 'ML', 'CX', 'PC', 'DZ', 'M', 'PCT'];

function useNamed(path: '/categories' | '/brands'): readonly Choice[] {
  const named = useRead<readonly { readonly id: string; readonly name: string }[]>({
    key: [path, 'choices'],
    kinds: [path === '/categories' ? 'category' : 'brand'],
    read: (signal) => body(api.GET(path, { signal })),
  });
  return (named.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

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
  const select = (name: 'categoryId' | 'brandId' | 'saleUnit', label: string, choices: readonly Choice[]) => (
    <SelectField
      {...{ label, choices, disabled }}
      path={name}
      required
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  const check = (name: 'active' | 'isFavorite' | 'availableForDelivery' | 'controlsLots', label: string) => (
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
        {text('ncm', 8)}
        {text('cest', 7)}
      </div>
      {text('catalogDescription', 200)}
      <div class="fields">
        {check('active', t('active'))}
        {check('controlsLots', t('controlsLots'))}
        {check('isFavorite', t('favorite'))}
        {check('availableForDelivery', t('delivery'))}
      </div>
    </>
  );
}

/** Price and margin move each other, in front of one's eyes. */
function Prices({ form, disabled }: { readonly form: FormState<ProductValues>; readonly disabled: boolean }) {
  const t = useWords(words);
  const { values } = form;
  const price = (name: 'managerialCost' | 'profitMargin' | 'priceCash', unit: string) => (
    <NumberField
      label={t(name)}
      path={name}
      required={name === 'priceCash'}
      {...{ unit, disabled }}
      hint={name === 'profitMargin' ? t('marginHint') : undefined}
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
      <NumberField
        label={t('priceCredit')}
        path="priceCredit"
        unit="R$"
        {...{ disabled }}
        value={values.priceCredit}
        onValue={(value) => {
          form.set('priceCredit', value);
        }}
      />
    </div>
  );
}
