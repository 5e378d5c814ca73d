import type { components } from 'openapi-client';
import type { Catalogue } from '../words/words.js';
import { useWords } from '../words/words.js';
import { SelectField, TextField } from './fields.js';

type Address = components['schemas']['Address'];
type AddressBody = components['schemas']['AddressBody'];

const words = {
  street: ['Rua', 'Street'],
  number: ['Número', 'Number'],
  complement: ['Complemento', 'Complement'],
  district: ['Bairro', 'District'],
  postalCode: ['CEP', 'Postal code'],
  city: ['Cidade', 'City'],
  cityCode: ['Código IBGE', 'IBGE code'],
  state: ['Estado', 'State'],
  phone: ['Telefone', 'Phone'],
} as const satisfies Catalogue;

const STATES = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const;

export type AddressValues = Record<keyof typeof words, string>;

export const addressValues = (address: Address | null): AddressValues => ({
  street: address?.street ?? '',
  number: address?.number ?? '',
  complement: address?.complement ?? '',
  district: address?.district ?? '',
  postalCode: address?.postalCode ?? '',
  city: address?.city ?? '',
  cityCode: address?.cityCode ?? '',
  state: address?.state ?? '',
  phone: address?.phone ?? '',
});

/** Null where nothing of it was typed. */
export function addressBody(values: AddressValues): AddressBody | null {
  const { complement, phone, state, ...rest } = values;
  if (Object.values(values).every((value) => value.trim() === '')) return null;
  return {
    ...rest,
    state: state as AddressBody['state'],
    complement: complement.trim() || null,
    phone: phone.trim() || null,
  };
}

/** An address as fiscal documents want it: all of it or nothing. */
export function AddressFields({
  path,
  values,
  onChange,
  disabled = false,
  withPhone = false,
}: {
  /** Where it stands in the body of the command. */
  readonly path: string;
  readonly values: AddressValues;
  readonly onChange: (values: AddressValues) => void;
  readonly disabled?: boolean;
  readonly withPhone?: boolean;
}) {
  const t = useWords(words);
  const isWanted = Object.values(values).some((value) => value.trim() !== '');
  const text = (name: keyof AddressValues, maxLength: number, isOptional = false) => (
    <TextField
      label={t(name)}
      path={`${path}.${name}`}
      required={isWanted && !isOptional}
      {...{ disabled, maxLength }}
      inputMode={['postalCode', 'cityCode', 'phone'].includes(name) ? 'numeric' : undefined}
      value={values[name]}
      onValue={(value) => {
        onChange({ ...values, [name]: value });
      }}
    />
  );
  return (
    <div class="fields">
      {text('postalCode', 30)}
      {text('street', 60)}
      {text('number', 60)}
      {text('complement', 60, true)}
      {text('district', 60)}
      {text('city', 60)}
      <SelectField
        label={t('state')}
        path={`${path}.state`}
        required={isWanted}
        {...{ disabled }}
        value={values.state}
        onValue={(state) => {
          onChange({ ...values, state });
        }}
        choices={[{ value: '', label: '–' }, ...STATES.map((state) => ({ value: state, label: state }))]}
      />
      {text('cityCode', 30)}
      {withPhone && text('phone', 30, true)}
    </div>
  );
}
