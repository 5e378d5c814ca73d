import { Decimal } from '../../../../kernel/values/decimal.js';
import type { ItemTaxes } from '../item-taxes.js';
import type { NoteItem } from '../note.js';
import type { TaxRegime } from '../../../contracts/fiscal-settings.js';
import { usesCsosn } from '../tax-rules.js';
import { element, group, layoutText } from './markup.js';
import { money } from './numbers.js';

/** What the laws want to be read on a note. */

const SIMPLES_NOTICE = 'DOCUMENTO EMITIDO POR ME OU EPP OPTANTE PELO SIMPLES NACIONAL';
const LONGEST = 5_000;

export function remarksXml(regime: TaxRegime, items: readonly NoteItem[], taxes: readonly ItemTaxes[]): string {
  const remarks = [usesCsosn(regime) ? SIMPLES_NOTICE : '', creditRemark(items, taxes), approximateRemark(taxes)];
  const told = remarks.filter((remark) => remark !== '').join('. ');
  return told === '' ? '' : group('infAdic', element('infCpl', layoutText(told, LONGEST)));
}

const shown = (value: Decimal): string => money(value).replace('.', ',');

/** Buyers of a small company take its tax as a credit only where the note says how much, and at which rate. */
function creditRemark(items: readonly NoteItem[], taxes: readonly ItemTaxes[]): string {
  const credited = taxes.filter((_, index) => items[index]?.rule.icms.code === '101');
  const credit = Decimal.sum(credited.map(({ icms }) => icms.credit));
  if (!credit.isPositive) return '';
  const rates = [...new Set(credited.map(({ icms }) => shown(icms.rate)))].join('% E ');
  return (
    `PERMITE O APROVEITAMENTO DO CREDITO DE ICMS NO VALOR DE R$ ${shown(credit)}, CORRESPONDENTE A ALIQUOTA DE ${rates}%, ` +
    'NOS TERMOS DO ART. 23 DA LEI COMPLEMENTAR 123 DE 2006'
  );
}

function approximateRemark(taxes: readonly ItemTaxes[]): string {
  const told = taxes.flatMap(({ approximate }) => approximate ?? []);
  if (told.length === 0) return '';
  const sum = (of: (one: (typeof told)[number]) => Decimal): Decimal => Decimal.sum(told.map(of));
  const city = sum((one) => one.city);
  const parts = [
    `R$ ${shown(sum(({ federal }) => federal))} federais`,
    `R$ ${shown(sum(({ state }) => state))} estaduais`,
    ...(city.isPositive ? [`R$ ${shown(city)} municipais`] : []),
  ];
  const sources = [...new Set(told.map(({ source }) => source))].join(', ');
  return `Tributos aproximados (Lei 12.741/2012): ${parts.join(', ')}. Fonte: ${sources}`;
}
