import type { components } from 'openapi-client';
import type { AddressValues } from '../../parts/address-fields.js';
import { AddressFields, addressBody, addressValues } from '../../parts/address-fields.js';
import { TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export type Customer = components['schemas']['Customer'];

export interface CustomerValues {
  name: string;
  document: string;
  email: string;
  phone: string;
  stateRegistration: string;
  address: AddressValues;
}

export const noCustomer: CustomerValues = {
  name: '',
  document: '',
  email: '',
  phone: '',
  stateRegistration: '',
  address: addressValues(null),
};

export const valuesOf = (customer: Customer): CustomerValues => ({
  name: customer.name ?? '',
  document: customer.document ?? '',
  email: customer.email ?? '',
  phone: customer.phone ?? '',
  stateRegistration: customer.stateRegistration ?? '',
  address: addressValues(customer.address),
});

export const bodyOf = (values: CustomerValues) => ({
  name: values.name.trim(),
  document: values.document.trim() || null,
  email: values.email.trim() || null,
  phone: values.phone.trim() || null,
  stateRegistration: values.stateRegistration.trim() || null,
  address: addressBody(values.address),
});

/** What is known of a customer. */
export function CustomerFields({
  form,
  disabled = false,
}: {
  readonly form: FormState<CustomerValues>;
  readonly disabled?: boolean;
}) {
  const t = useWords(words);
  const { values, set } = form;
  const text = (name: Exclude<keyof CustomerValues, 'address'>, maxLength: number, hint?: string) => (
    <TextField
      label={t(name)}
      path={name}
      required={name === 'name'}
      type={name === 'email' ? 'email' : 'text'}
      {...{ disabled, maxLength, hint }}
      value={values[name]}
      onValue={(value) => {
        set(name, value);
      }}
    />
  );
  return (
    <>
      {text('name', 200)}
      <div class="fields">
        {text('document', 30)}
        {text('phone', 30)}
        {text('email', 254)}
        {text('stateRegistration', 30, t('stateRegistrationHint'))}
      </div>
      <fieldset class="form">
        <legend class="legend">{t('address')}</legend>
        <p class="hint">{t('addressHint')}</p>
        <AddressFields
          path="address"
          {...{ disabled }}
          values={values.address}
          onChange={(address) => {
            set('address', address);
          }}
        />
      </fieldset>
    </>
  );
}
