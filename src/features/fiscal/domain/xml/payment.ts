import type { Decimal } from '../../../../kernel/values/decimal.js';
import type { Note, NoteItem, NotePayment } from '../note.js';
import { element, group, layoutText, optional } from './markup.js';
import { amount, fixed } from './numbers.js';

import { sumOf } from './item.js';

const STAND_ALONE = '2';
const OTHER = '99';

export const paymentXml = ({ payments, change }: Note): string =>
  group('pag', ...payments.map(paymentDetail), change.isPositive ? amount('vTroco', change) : '');

/** The layout wants two letters at least. */
function otherMeans(description: string | null): string {
  const told = layoutText(description ?? '', 60);
  return told.length < 2 ? 'Outros' : told;
}

const paymentDetail = ({ code, description, amount: paid, later, card }: NotePayment): string =>
  group(
    'detPag',
    code === '90' ? '' : element('indPag', later ? '1' : '0'),
    element('tPag', code),
    code === OTHER ? element('xPag', otherMeans(description)) : '',
    amount('vPag', paid),
    card === null
      ? ''
      : group(
          'card',
          element('tpIntegra', STAND_ALONE),
          optional('CNPJ', card.acquirerTaxId),
          optional('tBand', card.brand),
          optional('cAut', card.authorization === null ? null : layoutText(card.authorization, 128)),
        ),
  );

/** A consumer's note has no freight; in a company's the goods are counted and weighed as far as it is known. */
export function transportXml({ model, items }: Note): string {
  const noFreight = element('modFrete', '9');
  if (model === 65) return group('transp', noFreight);
  return group('transp', noFreight, volumeXml(items));
}

function volumeXml(items: readonly NoteItem[]): string {
  if (!items.every(({ netWeightKg }) => netWeightKg !== null)) return '';
  const species = [...new Set(items.map(({ volumeSpecies }) => volumeSpecies))];
  const weight = (of: (item: NoteItem) => Decimal | null): Decimal =>
    sumOf(items, (item) => item.quantity.times(of(item) ?? item.quantity.minus(item.quantity)));
  const net = weight(({ netWeightKg }) => netWeightKg);
  const gross = net.plus(weight(({ tareKg }) => tareKg));
  const pieces = sumOf(items, ({ quantity }) => quantity).ceil();
  const named = species.length === 1 ? layoutText(species[0] ?? '', 60) : '';
  return group(
    'vol',
    named === '' ? '' : element('qVol', fixed(pieces, 0)) + element('esp', named),
    element('pesoL', fixed(net, 3)),
    element('pesoB', fixed(gross, 3)),
  );
}
