import type { Movement, StockFact } from '../../../../projections/inventory/parts/stock-facts.js';
import { movementsOf } from '../../../../projections/inventory/parts/stock-facts.js';
import type { DomainEvent, Recorded } from '../../../kernel/events/event.js';
import type { ExplainedLine, Wording } from '../../contracts/explanation.js';
import { sumOf } from '../../contracts/explanation.js';
import { movementWords, settlementWords } from './movement-words.js';

const MOVING: ReadonlySet<string> = new Set<StockFact['type']>([
  'StockOpened',
  'StockReceived',
  'StockAdjusted',
  'StockTransferred',
  'SaleCompleted',
  'SaleReturned',
  'SaleCancelled',
  'OrderCompleted',
  'OrderReversed',
]);

export const isStockFact = (event: Recorded<DomainEvent>): event is Recorded<StockFact> => MOVING.has(event.type);

/** What one movement does to a lot. */
function linesOf(movement: Movement, lotId: string, event: Recorded<StockFact>, say: Wording): ExplainedLine[] {
  const words = movementWords(movement, event, say);
  const { issue, entry } = movement;
  if (issue) {
    return issue.takes
      .filter((taken) => taken.lotId === lotId)
      .map(({ quantity, value }) => ({ text: words, quantity: quantity.negated(), value: value.negated() }));
  }
  if (entry?.lotId !== lotId) return [];
  return [
    { text: words, quantity: entry.quantity, value: entry.value },
    ...entry.settlements.map((settled) => ({
      text: settlementWords(settled, say),
      quantity: settled.quantity.negated(),
      value: settled.value.negated(),
    })),
  ];
}

/** What an event does to the quantity and the value of a lot; undefined when it only names it. */
export function lotLine(event: Recorded<DomainEvent>, lotId: string, say: Wording): ExplainedLine | undefined {
  if (!isStockFact(event)) return undefined;
  const movements = movementsOf(event);
  const lines = movements.flatMap((movement) => linesOf(movement, lotId, event, say));
  const [first] = lines;
  if (!first) return undefined;
  const place = { eventId: event.id, at: event.meta.at };
  if (lines.length === 1) return { ...first, ...place };
  return { text: first.text, quantity: sumOf(lines, 'quantity'), value: sumOf(lines, 'value'), ...place, lines };
}
