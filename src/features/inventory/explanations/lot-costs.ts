import { Decimal } from '../../../kernel/values/decimal.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Recorded } from '../../../kernel/events/event.js';
import { counted, entity } from '../../../kernel/events/history.js';
import type { FeatureServices } from '../../contracts/feature.js';
import { firstEventOf } from '../../contracts/entity-events.js';
import type { ExplainedLine, ExplainedPart, Wording } from '../../contracts/explanation.js';
import { movementsOf } from '../../../../projections/inventory/parts/stock-facts.js';
import type { Entry, InventoryEvent, OrderPlan } from '../events.js';
import { entriesOf } from '../events.js';
import type { Completed, GoodsOf, KnownGoods } from './cost-lines.js';
import { madeLines, placeOf } from './cost-lines.js';
import { isStockFact } from './lot-lines.js';
import { movementWords } from './movement-words.js';

/** How far a tree of costs goes, and how many lots one answer tells of. */
const DEEPEST = 20;
const MOST_PARTS = 200;
/** The first lines of a part stand for themselves; the rest is one. */
const MOST_LINES = 200;

export type ExplanationServices = Pick<FeatureServices, 'eventStore' | 'catalogue' | 'stores'>;

/** A lot at its beginning: the fact with which it entered. */
interface Birth {
  readonly lotId: string;
  readonly event: Recorded<InventoryEvent>;
  readonly entry: Entry;
  readonly plan: OrderPlan | undefined;
}

async function birthOf(
  services: ExplanationServices,
  context: RequestContext,
  lotId: string,
): Promise<Birth | undefined> {
  const first = await firstEventOf(services.eventStore, context, entity('lot', lotId));
  if (!first || !isStockFact(first)) return undefined;
  const entry = entriesOf(first).find((one) => one.lotId === lotId);
  if (!entry) return undefined;
  const plan = first.type === 'OrderCompleted' ? await planOf(services, context, first) : undefined;
  return { lotId, event: first, entry, plan };
}

/** What the order was to make: with its completion, or planned before. */
export async function planOf(
  { eventStore }: ExplanationServices,
  context: RequestContext,
  { data }: Completed,
): Promise<OrderPlan | undefined> {
  if (data.plan) return data.plan;
  const planned = await firstEventOf(eventStore, context, entity('order', data.orderId));
  return planned?.type === 'OrderPlanned'
    ? (planned as Recorded<Extract<InventoryEvent, { type: 'OrderPlanned' }>>).data
    : undefined;
}

const variantsIn = ({ entry, event }: Birth): readonly string[] =>
  event.type === 'OrderCompleted'
    ? [
        event.data.finishedVariantId,
        ...event.data.consumptions.map(({ variantId }) => variantId),
        ...event.data.byproducts.map(({ variantId }) => variantId),
      ]
    : [entry.variantId];

function birthLines({ event, entry, lotId, plan }: Birth, goodsOf: GoodsOf, say: Wording): ExplainedLine[] {
  if (event.type === 'OrderCompleted') return madeLines(event, { lotId, value: entry.value }, plan, goodsOf, say);
  if (!isStockFact(event)) return [];
  const movement = movementsOf(event).find((one) => one.entry === entry) ?? { kind: 'ADJUSTMENT' as const };
  const { quantity, value } = entry;
  const words = `${movementWords(movement, event, say)}: ${say.quantity(quantity, goodsOf(entry.variantId).unit)}`;
  const text = say.costly(words, () => `${words} × ${say.money(value.dividedBy(quantity))}`);
  return [{ text, quantity, value, ...placeOf(event) }];
}

function shortened(lines: readonly ExplainedLine[], say: Wording): readonly ExplainedLine[] {
  if (lines.length <= MOST_LINES) return lines;
  const rest = lines.slice(MOST_LINES - 1);
  const value = Decimal.sum(rest.map((line) => line.value ?? Decimal.zero));
  const text = say.text(
    `Mais ${counted(rest.length, 'linha', 'linhas')}`,
    counted(rest.length, 'more line', 'more lines'),
  );
  return [...lines.slice(0, MOST_LINES - 1), { text, value }];
}

const refsIn = (lines: readonly ExplainedLine[]): readonly string[] => lines.flatMap(({ ref }) => ref ?? []);

/** Finds what lots cost when they entered. What several lead to is read once. */
export class LotCosts {
  private readonly known = new Map<string, KnownGoods>();

  constructor(
    private readonly services: ExplanationServices,
    private readonly context: RequestContext,
    private readonly say: Wording,
  ) {}

  readonly goodsOf: GoodsOf = (variantId) =>
    this.known.get(variantId) ?? { unit: '', description: variantId.slice(-8) };

  async learn(variantIds: readonly string[]): Promise<void> {
    const unknown = variantIds.filter((id) => !this.known.has(id));
    if (unknown.length === 0) return;
    const labels = await this.services.catalogue.labels(this.context, [...new Set(unknown)]);
    for (const [id, { description, saleUnit }] of labels) this.known.set(id, { unit: saleUnit, description });
  }

  /** Undefined of a lot that is not in the store. */
  async of(lotId: string): Promise<ExplainedPart | undefined> {
    return (await this.partsOf([lotId]))[0];
  }

  /** Every lot that these lines lead to, the nearest first: as many as an answer holds. */
  async below(lines: readonly ExplainedLine[], known: readonly string[] = []): Promise<readonly ExplainedPart[]> {
    const seen = new Set(known);
    const parts: ExplainedPart[] = [];
    let refs = refsIn(lines);
    for (let depth = 0; depth < DEEPEST && refs.length > 0; depth++) {
      const next = [...new Set(refs)].filter((ref) => !seen.has(ref)).slice(0, MOST_PARTS - parts.length);
      for (const ref of next) seen.add(ref);
      const found = await this.partsOf(next);
      parts.push(...found.map((part) => ({ ...part, lines: shortened(part.lines, this.say) })));
      refs = found.flatMap((part) => refsIn(part.lines));
    }
    return parts;
  }

  private async partsOf(lotIds: readonly string[]): Promise<readonly ExplainedPart[]> {
    const births = await Promise.all(lotIds.map((lotId) => birthOf(this.services, this.context, lotId)));
    const known = births.filter((birth) => birth !== undefined);
    await this.learn(known.flatMap(variantsIn));
    await this.learn(known.map(({ entry }) => entry.variantId));
    return known.map((birth) => {
      const { lotId, lotCode, variantId, quantity, value } = birth.entry;
      const { say } = this;
      const code = lotCode ?? lotId.slice(-8);
      const { unit, description: name } = this.goodsOf(variantId);
      const words = `${say.text(`Lote ${code} de ${name}`, `Lot ${code} of ${name}`)}: ${say.quantity(quantity, unit)}`;
      const text = say.costly(words, () => `${words} ${say.text('por', 'for')} ${say.money(value)}`);
      return { ref: lotId, text, total: { value }, lines: birthLines(birth, this.goodsOf, say) };
    });
  }
}
