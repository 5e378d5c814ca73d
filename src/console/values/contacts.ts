/** How people are told apart and reached, as it is written here. */

const CNPJ = /^([0-9A-Z]{2})([0-9A-Z]{3})([0-9A-Z]{3})([0-9A-Z]{4})(\d{2})$/;
const CPF = /^(\d{3})(\d{3})(\d{3})(\d{2})$/;

/** `11.222.333/0001-81` or `123.456.789-09`; what is neither stays as it is. */
export const taxId = (value: string | null | undefined): string =>
  value ? value.replace(CNPJ, '$1.$2.$3/$4-$5').replace(CPF, '$1.$2.$3-$4') : '–';

const PHONE = /^(?:\+55)?(\d{2})(\d{4,5})(\d{4})$/;

/** `(11) 98765-0105` for one of this country; others stay as they are. */
export const phone = (value: string | null | undefined): string => (value ? value.replace(PHONE, '($1) $2-$3') : '–');
