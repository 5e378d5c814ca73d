import type { Movement, MovementKind, StockFact } from '../../../../projections/inventory/parts/stock-facts.js';
import type { Wording } from '../../contracts/explanation.js';
import type { Settlement } from '../events.js';

/** What moved goods, in words. */

const numbered = (event: StockFact): string => ('number' in event.data ? ` ${String(event.data.number)}` : '');

const reasonIn = (event: StockFact): string =>
  'reason' in event.data && event.data.reason !== null ? `: ${event.data.reason}` : '';

function received(event: StockFact, say: Wording): string {
  if (event.type !== 'StockReceived') return '';
  const { supplier, document } = event.data;
  const from = supplier === null ? '' : say.text(` de ${supplier}`, ` from ${supplier}`);
  return document === null ? from : `${from}${say.text(`, documento ${document}`, `, document ${document}`)}`;
}

const WORDS: Readonly<Record<MovementKind, (event: StockFact, say: Wording) => string>> = {
  OPENING: (_, say) => say.text('Estoque inicial', 'Opening stock'),
  RECEIPT: (event, say) => `${say.text('Recebimento', 'Receipt')}${received(event, say)}`,
  ADJUSTMENT: (event, say) => `${say.text('Ajuste', 'Adjustment')}${reasonIn(event)}`,
  TRANSFER: (_, say) => say.text('Transferência entre locais', 'Transfer between locations'),
  SALE: (event, say) => `${say.text('Venda', 'Sale')}${numbered(event)}`,
  RETURN: (event, say) => `${say.text('Devolução de venda', 'Return of a sale')}${reasonIn(event)}`,
  CANCELLATION: (event, say) => `${say.text('Venda cancelada', 'Cancelled sale')}${reasonIn(event)}`,
  CONSUMPTION: (event, say) => `${say.text('Consumo da ordem', 'Used by order')}${numbered(event)}`,
  OUTPUT: (event, say) => `${say.text('Produção da ordem', 'Made by order')}${numbered(event)}`,
  REVERSAL: (event, say) => `${say.text('Estorno de ordem', 'Reversal of an order')}${reasonIn(event)}`,
  SETTLEMENT: (_, say) => say.text('Baixa do que se devia', 'Settlement of what was owed'),
};

export const movementWords = ({ kind }: Pick<Movement, 'kind'>, event: StockFact, say: Wording): string =>
  WORDS[kind](event, say);

export const settlementWords = ({ originKind }: Settlement, say: Wording): string =>
  originKind === 'SALE'
    ? say.text('Saída para uma venda que esperava por mercadoria', 'Left for a sale that waited for goods')
    : say.text('Saída para uma ordem que esperava por mercadoria', 'Left for an order that waited for goods');
