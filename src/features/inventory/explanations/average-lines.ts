import { averageCosts } from '../../../../projections/inventory/average-costs.js';
import { movementsOf } from '../../../../projections/inventory/parts/stock-facts.js';
import type { Recorded } from '../../../kernel/events/event.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Row } from '../../../ports/read-models.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import { cursorAt, placeAt } from '../../../kernel/routes/list-cursors.js';
import type { Explained, ExplainedLine, ExplanationQuery, Wording } from '../../contracts/explanation.js';
import { inventory } from '../decider.js';
import type { InventoryEvent } from '../events.js';
import { isStockFact } from './lot-lines.js';
import { movementWords } from './movement-words.js';

type CostRow = Row<'at' | 'averageCost' | 'revision'>;

/** Where a page begins: behind an entry. What the average was there is looked up, since who pages may not be one who sees costs. */
interface Place {
  readonly cursor: string;
  readonly revision: number;
  readonly at: string;
}

/** What the average was before is looked up at the place where the page before ended, which another variant does not have. */
const listOf = (variantId: string): string => `average-cost ${variantId}`;
const CURSOR = /^(\d{1,15}) (\S+) (\S+)$/;

function placeOf(variantId: string, text: string): Place {
  const [revision = '', at = '', cursor = ''] = placeAt(listOf(variantId), text, CURSOR);
  return { cursor, revision: Number(revision), at };
}

const cursorOf = (variantId: string, { revision, at }: CostRow, cursor: string): string =>
  cursorAt(listOf(variantId), `${String(revision)} ${String(at)} ${cursor}`);

async function averageAt({ reads }: RequestContext, variantId: string, { at, revision }: Place): Promise<Decimal> {
  const { items } = await reads.findRows(averageCosts, {
    equal: { variantId, revision },
    range: { column: 'at', from: at, to: at },
    sort: { column: 'at', direction: 'asc' },
    limit: 1,
  });
  return Decimal.from(Number(items[0]?.averageCost ?? 0));
}

interface OfVariant {
  readonly variantId: string;
  readonly unit: string;
}

/** What an event let in of a variant, in words. */
function wordsOf(event: Recorded<InventoryEvent>, { variantId, unit }: OfVariant, say: Wording): string {
  if (!isStockFact(event)) return event.type;
  const movements = movementsOf(event).filter(({ entry, forgiven }) => (entry ?? forgiven)?.variantId === variantId);
  const [first] = movements;
  if (!first) return movementWords({ kind: 'REVERSAL' }, event, say);
  const goods = movements.flatMap(({ entry, forgiven }) => entry ?? forgiven ?? []);
  const quantity = Decimal.sum(goods.map((one) => one.quantity));
  const value = Decimal.sum(goods.map((one) => one.value));
  const words = `${movementWords(first, event, say)}: ${say.quantity(quantity, unit)}`;
  return say.costly(words, () => `${words} ${say.text('por', 'for')} ${say.money(value)}`);
}

function lineOf(
  event: Recorded<InventoryEvent>,
  variant: OfVariant,
  before: Decimal,
  after: Decimal,
  say: Wording,
): ExplainedLine {
  const words = wordsOf(event, variant, say);
  const text = say.costly(words, () =>
    say.text(
      `${words}; a média foi de ${say.money(before)} a ${say.money(after)}`,
      `${words}; the average went from ${say.money(before)} to ${say.money(after)}`,
    ),
  );
  return { text, value: after.minus(before), eventId: event.id, at: event.meta.at };
}

/** How a variant came to its average cost: what each entry did to it. Undefined when it had none at that time. */
export async function explainedAverage(
  context: RequestContext,
  variant: OfVariant,
  { upTo, ...query }: ExplanationQuery & { readonly upTo: string },
  say: Wording,
): Promise<Explained | undefined> {
  const { variantId } = variant;
  const place = query.cursor === undefined ? undefined : placeOf(variantId, query.cursor);
  const [last] = await context.reads.lastRows(averageCosts, {
    by: ['variantId'],
    keys: [[variantId]],
    column: 'at',
    upTo,
  });
  if (!last) return undefined;
  const { items, nextCursor } = await context.reads.findRows(averageCosts, {
    equal: { variantId },
    range: { column: 'at', to: String(last.at) },
    sort: { column: 'at', direction: 'asc' },
    limit: query.limit,
    ...(place === undefined ? {} : { cursor: place.cursor }),
  });
  const events = await context.eventsAt(
    inventory,
    items.map(({ revision }) => Number(revision)),
  );
  let before = place === undefined ? Decimal.zero : await averageAt(context, variantId, place);
  const lines = events.map((event, index) => {
    const after = Decimal.from(Number(items[index]?.averageCost ?? 0));
    const line = lineOf(event, variant, before, after, say);
    before = after;
    return line;
  });
  const end = items.at(-1);
  return {
    total: { value: Decimal.from(Number(last.averageCost)) },
    lines,
    nextCursor: nextCursor === null || end === undefined ? null : cursorOf(variantId, end, nextCursor),
  };
}
