import { Decimal } from '../../../../kernel/values/decimal.js';
import type { ItemTaxes, ReformAmounts } from '../item-taxes.js';
import type { NoteItem } from '../note.js';
import { group } from './markup.js';
import { amount } from './numbers.js';

const NOTHING = Decimal.zero;
const nothing = (...names: readonly string[]): string => names.map((name) => amount(name, NOTHING)).join('');

const sum = <T>(all: readonly T[], of: (one: T) => Decimal): Decimal => Decimal.sum(all.map(of));

/** What the note comes to. */
export const noteTotal = (items: readonly NoteItem[]): Decimal =>
  sum(items, ({ gross, discount }) => gross.minus(discount));

/** The sums of the items. */
export function totalsXml(items: readonly NoteItem[], taxes: readonly ItemTaxes[]): string {
  const total = noteTotal(items);
  const reforms = taxes.flatMap(({ reform }) => (reform ? [reform] : []));
  const icms = group(
    'ICMSTot',
    amount(
      'vBC',
      sum(taxes, (tax) => tax.icms.base),
    ),
    amount(
      'vICMS',
      sum(taxes, (tax) => tax.icms.amount),
    ),
    nothing('vICMSDeson', 'vFCP', 'vBCST', 'vST', 'vFCPST', 'vFCPSTRet'),
    amount(
      'vProd',
      sum(items, ({ gross }) => gross),
    ),
    nothing('vFrete', 'vSeg'),
    amount(
      'vDesc',
      sum(items, ({ discount }) => discount),
    ),
    nothing('vII', 'vIPI', 'vIPIDevol'),
    amount(
      'vPIS',
      sum(taxes, ({ pis }) => pis.amount),
    ),
    amount(
      'vCOFINS',
      sum(taxes, ({ cofins }) => cofins.amount),
    ),
    nothing('vOutro'),
    amount('vNF', total),
  );
  if (reforms.length === 0) return group('total', icms);
  return group('total', icms, reformTotals(reforms), amount('vNFTot', total));
}

function reformTotals(reforms: readonly ReformAmounts[]): string {
  const state = sum(reforms, (reform) => reform.state.amount);
  const city = sum(reforms, (reform) => reform.city.amount);
  return group(
    'IBSCBSTot',
    amount(
      'vBCIBSCBS',
      sum(reforms, ({ base }) => base),
    ),
    group(
      'gIBS',
      group('gIBSUF', nothing('vDif', 'vDevTrib'), amount('vIBSUF', state)),
      group('gIBSMun', nothing('vDif', 'vDevTrib'), amount('vIBSMun', city)),
      amount('vIBS', state.plus(city)),
      nothing('vCredPres', 'vCredPresCondSus'),
    ),
    group(
      'gCBS',
      nothing('vDif', 'vDevTrib'),
      amount(
        'vCBS',
        sum(reforms, ({ cbs }) => cbs.amount),
      ),
      nothing('vCredPres', 'vCredPresCondSus'),
    ),
  );
}
