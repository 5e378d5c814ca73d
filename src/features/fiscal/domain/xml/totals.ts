import { Decimal } from '../../../../kernel/values/decimal.js';
import type { ComputedReform, ItemTaxes } from '../item-taxes.js';
import { approximateTotal } from '../item-taxes.js';
import type { NoteItem } from '../note.js';
import { group } from './markup.js';
import { amount } from './numbers.js';

const nothing = (...names: readonly string[]): string => names.map((name) => amount(name, Decimal.zero)).join('');

/** What no sale here has. */
const NO_SPECIAL_ICMS = nothing('vICMSDeson', 'vFCP', 'vBCST', 'vST', 'vFCPST', 'vFCPSTRet');
const NO_FREIGHT = nothing('vFrete', 'vSeg');
const NO_IMPORT = nothing('vII');
const NOTHING_GIVEN_BACK = nothing('vIPIDevol');
const NO_OTHER_COSTS = nothing('vOutro');
const NOT_DEFERRED = nothing('vDif', 'vDevTrib');
const NO_CREDITS = nothing('vCredPres', 'vCredPresCondSus');

const sum = <T>(all: readonly T[], of: (one: T) => Decimal): Decimal => Decimal.sum(all.map(of));

/** What was paid for an item. */
export const itemTotal = ({ gross, discount, industryTax }: NoteItem): Decimal =>
  gross.minus(discount).plus(industryTax);

/** What the note comes to. */
export const noteTotal = (items: readonly NoteItem[]): Decimal => sum(items, itemTotal);

/** The sums of the items. */
export function totalsXml(items: readonly NoteItem[], taxes: readonly ItemTaxes[]): string {
  const total = noteTotal(items);
  const reforms = taxes.flatMap(({ reform }) => reform ?? []);
  const approximate = taxes.flatMap((tax) => tax.approximate ?? []);
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
    NO_SPECIAL_ICMS,
    amount(
      'vProd',
      sum(items, ({ gross }) => gross),
    ),
    NO_FREIGHT,
    amount(
      'vDesc',
      sum(items, ({ discount }) => discount),
    ),
    NO_IMPORT,
    amount(
      'vIPI',
      sum(items, ({ industryTax }) => industryTax),
    ),
    NOTHING_GIVEN_BACK,
    amount(
      'vPIS',
      sum(taxes, ({ pis }) => pis.amount),
    ),
    amount(
      'vCOFINS',
      sum(taxes, ({ cofins }) => cofins.amount),
    ),
    NO_OTHER_COSTS,
    amount('vNF', total),
    approximate.length === 0 ? '' : amount('vTotTrib', sum(approximate, approximateTotal)),
  );
  if (reforms.length === 0) return group('total', icms);
  const computed = reforms.flatMap((reform) => reform.computed ?? []);
  return group('total', icms, reformTotals(computed), amount('vNFTot', total));
}

function reformTotals(reforms: readonly ComputedReform[]): string {
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
      group('gIBSUF', NOT_DEFERRED, amount('vIBSUF', state)),
      group('gIBSMun', NOT_DEFERRED, amount('vIBSMun', city)),
      amount('vIBS', state.plus(city)),
      NO_CREDITS,
    ),
    group(
      'gCBS',
      NOT_DEFERRED,
      amount(
        'vCBS',
        sum(reforms, ({ cbs }) => cbs.amount),
      ),
      NO_CREDITS,
    ),
  );
}
