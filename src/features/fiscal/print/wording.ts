/** Texts and numbers as they are printed in Brazil. */

export function brazilianNumber(text: string, decimals: number): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
  const shown = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return shown === '' ? grouped : `${grouped},${shown}`;
}

export const reais = (text: string): string => brazilianNumber(text === '' ? '0' : text, 2);

export function taxIdShown(text: string): string {
  if (text.length === 14) return text.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
  return text.length === 11 ? text.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : text;
}

/** `2026-11-20T10:15:30-03:00` as `20/11/2026 10:15:30`. */
export const timeShown = (local: string): string =>
  local.replace(/^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2}).*$/, '$3/$2/$1 $4');

export const postalCodeShown = (text: string): string => text.replace(/^(\d{5})(\d{3})$/, '$1-$2');

export const numberShown = (text: string): string => brazilianNumber(text.padStart(9, '0'), 0);

const PAYMENTS: Readonly<Record<string, string>> = {
  '01': 'Dinheiro',
  '02': 'Cheque',
  '03': 'Cartão de crédito',
  '04': 'Cartão de débito',
  '05': 'Crédito loja',
  '10': 'Vale-alimentação',
  '11': 'Vale-refeição',
  '15': 'Boleto',
  '17': 'Pix',
  '20': 'Pix',
  '90': 'Sem pagamento',
};

export const paymentShown = (code: string, described: string): string => PAYMENTS[code] ?? (described || 'Outros');
