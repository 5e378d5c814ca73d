import type { Decimal } from '../../../../kernel/values/decimal.js';
import type {
  ComputedReform,
  ContributionAmounts,
  IndustryAmounts,
  ItemTaxes,
  ReformAmounts,
  ReformShare,
} from '../item-taxes.js';
import { approximateTotal, isRated, isTaxed, isUntaxed } from '../item-taxes.js';
import type { NoteItem } from '../note.js';
import { element, group } from './markup.js';
import { amount, fixed, rate } from './numbers.js';

/** `modBC`: the tax is computed from what is paid. */
const VALUE_OF_SALE = '3';

export const taxGroups = (item: NoteItem, taxes: ItemTaxes): string =>
  group(
    'imposto',
    taxes.approximate ? amount('vTotTrib', approximateTotal(taxes.approximate)) : '',
    group('ICMS', icmsGroup(item, taxes)),
    taxes.industry ? industryGroup(taxes.industry) : '',
    contributionGroup('PIS', taxes.pis),
    contributionGroup('COFINS', taxes.cofins),
    taxes.reform ? reformGroup(taxes.reform) : '',
  );

function icmsGroup({ rule }: NoteItem, { icms }: ItemTaxes): string {
  const { code } = rule.icms;
  const origin = element('orig', String(rule.origin));
  const csosn = element('CSOSN', code);
  const cst = element('CST', code);
  const reduction = icms.reduction === null ? '' : element('pRedBC', rate(icms.reduction));
  const due = [element('pICMS', rate(icms.rate)), amount('vICMS', icms.amount)];
  const base = amount('vBC', icms.base);
  const whole = isTaxed(rule.icms) ? [element('modBC', VALUE_OF_SALE), base, reduction, ...due] : [];
  switch (code) {
    case '101':
      return group('ICMSSN101', origin, csosn, element('pCredSN', rate(icms.rate)), amount('vCredICMSSN', icms.credit));
    case '102':
    case '103':
    case '300':
    case '400':
      return group('ICMSSN102', origin, csosn);
    case '500':
      return group('ICMSSN500', origin, csosn, withheldXml(icms));
    case '900':
      return group('ICMSSN900', origin, csosn, ...whole);
    case '00':
      return group('ICMS00', origin, cst, ...whole);
    case '20':
      return group('ICMS20', origin, cst, element('modBC', VALUE_OF_SALE), reduction, base, ...due);
    case '40':
    case '41':
    case '50':
      return group('ICMS40', origin, cst);
    case '60':
      return group('ICMS60', origin, cst, withheldXml(icms));
    case '90':
      return group('ICMS90', origin, cst, ...whole);
  }
}

/** What a seller before kept back; it is no part of the totals. */
function withheldXml({ withheld }: ItemTaxes['icms']): string {
  if (!withheld) return '';
  const { base, rate: percent, ownTax, tax } = withheld;
  return [
    amount('vBCSTRet', base),
    element('pST', rate(percent)),
    ownTax === null ? '' : amount('vICMSSubstituto', ownTax),
    amount('vICMSSTRet', tax),
  ].join('');
}

/** Codes under which IPI is due, or might be. */
const isDue = (cst: string): boolean => cst === '50' || cst === '99';

function industryGroup({ cst, legalCode, base, rate: percent, amount: due }: IndustryAmounts): string {
  const code = element('CST', cst);
  const told = isDue(cst)
    ? group('IPITrib', code, amount('vBC', base), element('pIPI', rate(percent)), amount('vIPI', due))
    : group('IPINT', code);
  return group('IPI', element('cEnq', legalCode), told);
}

function contributionGroup(name: 'PIS' | 'COFINS', taxes: ContributionAmounts): string {
  const cst = element('CST', taxes.cst);
  if (taxes.byUnit) {
    const quantity = element('qBCProd', fixed(taxes.byUnit.quantity, 4));
    const each = element('vAliqProd', fixed(taxes.byUnit.unitAmount, 4));
    return group(name, group(`${name}Qtde`, cst, quantity, each, amount(`v${name}`, taxes.amount)));
  }
  if (isUntaxed(taxes.cst)) return group(name, group(`${name}NT`, cst));
  const kind = isRated(taxes.cst) ? 'Aliq' : 'Outr';
  const fields = [amount('vBC', taxes.base), element(`p${name}`, rate(taxes.rate)), amount(`v${name}`, taxes.amount)];
  return group(name, group(`${name}${kind}`, cst, ...fields));
}

const reformGroup = ({ cst, classCode, computed }: ReformAmounts): string =>
  group(
    'IBSCBS',
    element('CST', cst),
    element('cClassTrib', classCode),
    computed === null ? '' : computedGroup(computed),
  );

function computedGroup({ reductionPercent, base, state, city, cbs }: ComputedReform): string {
  const share = (name: string, each: ReformShare): string =>
    group(
      `g${name}`,
      element(`p${name}`, rate(each.rate)),
      reductionPercent === null ? '' : reductionGroup(reductionPercent, each.effectiveRate),
      amount(`v${name}`, each.amount),
    );
  return group(
    'gIBSCBS',
    amount('vBC', base),
    share('IBSUF', state),
    share('IBSMun', city),
    amount('vIBS', state.amount.plus(city.amount)),
    share('CBS', cbs),
  );
}

const reductionGroup = (percent: Decimal, effectiveRate: Decimal): string =>
  group('gRed', element('pRedAliq', rate(percent)), element('pAliqEfet', rate(effectiveRate)));
