import { Decimal } from '../../../../kernel/values/decimal.js';
import { isWorldwide } from '../../../../brazil/gtin.js';
import type { ItemLot, Note, NoteItem } from '../note.js';
import type { ItemTaxes } from '../item-taxes.js';
import { amount, fixed, money, positiveAmount, spare } from './numbers.js';
import { element, group, layoutText, optional } from './markup.js';
import { taxGroups } from './tax-groups.js';
import { itemTotal } from './totals.js';

const NO_GTIN = 'SEM GTIN';
/** What an absent classification is written as: the authority says the rest. */
const NO_NCM = '00000000';
const TEST_ITEM = 'NOTA FISCAL EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL';

/** A store's own code, and one that scales print, is none. */
const worldGtin = (gtin: string | null): string => (gtin !== null && isWorldwide(gtin) ? gtin : NO_GTIN);

export type Destination = 'IN_STATE' | 'OUT_OF_STATE_TAXPAYER' | 'OUT_OF_STATE_CONSUMER';

const operationCode = ({ rule }: NoteItem, destination: Destination): string => {
  if (destination === 'IN_STATE') return rule.cfopInState;
  return destination === 'OUT_OF_STATE_TAXPAYER' ? rule.cfopOutOfState : rule.cfopOutOfStateConsumer;
};

/** One item of a note, with its taxes. */
export function itemXml(
  note: Note,
  item: NoteItem,
  taxes: ItemTaxes,
  place: { readonly index: number; readonly destination: Destination },
): string {
  const number = String(place.index + 1);
  const share = taxes.reform ? amount('vItem', itemTotal(item)) : '';
  const content = productGroup(note, item, place) + taxGroups(item, taxes) + share;
  return `<det nItem="${number}">${content}</det>`;
}

function productGroup(
  { model, environment }: Note,
  item: NoteItem,
  { index, destination }: { readonly index: number; readonly destination: Destination },
): string {
  const unit = layoutText(item.unit, 6) || 'UN';
  const gtin = worldGtin(item.gtin);
  const isTest = model === 65 && environment === 'HOMOLOGATION' && index === 0;
  const taxed = item.taxedUnit ?? { unit, quantity: item.quantity, price: item.unitPrice };
  const taxedUnit = layoutText(taxed.unit, 6) || unit;
  return group(
    'prod',
    element('cProd', layoutText(item.code, 60)),
    element('cEAN', gtin),
    element('xProd', isTest ? TEST_ITEM : layoutText(item.description, 120) || 'PRODUTO'),
    element('NCM', item.ncm ?? NO_NCM),
    optional('CEST', item.cest),
    optional('cBenef', item.rule.benefitCode),
    element('CFOP', operationCode(item, destination)),
    element('uCom', unit),
    element('qCom', fixed(item.quantity, 4)),
    element('vUnCom', spare(item.unitPrice)),
    element('vProd', money(item.gross)),
    element('cEANTrib', taxedUnit === unit ? gtin : NO_GTIN),
    element('uTrib', taxedUnit),
    element('qTrib', fixed(taxed.quantity, 4)),
    element('vUnTrib', spare(taxed.price)),
    positiveAmount('vDesc', item.discount),
    element('indTot', '1'),
    ...item.lots
      .filter(({ code }) => layoutText(code, LOT_CODE) !== '')
      .slice(0, MOST_LOTS)
      .map(lotGroup),
  );
}

const LOT_CODE = 20;
const MOST_LOTS = 500;

const lotGroup = ({ code, quantity, madeOn, expiresOn }: ItemLot): string =>
  group(
    'rastro',
    element('nLote', layoutText(code, LOT_CODE)),
    element('qLote', fixed(quantity, 3)),
    element('dFab', madeOn),
    element('dVal', expiresOn),
  );

export const sumOf = <T>(items: readonly T[], of: (item: T) => Decimal): Decimal => Decimal.sum(items.map(of));
