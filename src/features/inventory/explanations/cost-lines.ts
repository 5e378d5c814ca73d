import type { Recorded } from '../../../kernel/events/event.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { ExplainedLine, Wording } from '../../contracts/explanation.js';
import { sumOf } from '../../contracts/explanation.js';
import type { Consumption, InventoryEvent, OrderPlan } from '../events.js';

export type Completed = Recorded<Extract<InventoryEvent, { readonly type: 'OrderCompleted' }>>;

/** What goods are called and counted in, by their variants. */
export interface KnownGoods {
  readonly unit: string;
  readonly description: string;
}
export type GoodsOf = (variantId: string) => KnownGoods;

interface Place {
  readonly eventId: string;
  readonly at: string;
}

const CENTS = 2;
const MINUTES = Decimal.from(60);

export const placeOf = ({ id, meta }: Pick<Recorded<InventoryEvent>, 'id' | 'meta'>): Place => ({
  eventId: id,
  at: meta.at,
});

/** Which of the two figures of what was used: exact values, or the cents that the order shows. */
type Figure = 'value' | 'cost';

const codeOf = (code: string | null, lotId: string): string => code ?? lotId.slice(-8);

function usedLines(consumption: Consumption, figure: Figure, goods: KnownGoods, say: Wording): ExplainedLine[] {
  const { takes, debt } = consumption;
  const lines: ExplainedLine[] = takes.map((taken) => ({
    text: say.text(
      `${say.goods(taken.quantity, goods)}, lote ${codeOf(taken.lotCode, taken.lotId)}`,
      `${say.goods(taken.quantity, goods)}, lot ${codeOf(taken.lotCode, taken.lotId)}`,
    ),
    quantity: taken.quantity,
    value: taken[figure],
    ref: taken.lotId,
  }));
  if (debt) {
    lines.push({
      text: say.text(
        `${say.goods(debt.quantity, goods)}, usado sem haver em estoque, ao último custo conhecido`,
        `${say.goods(debt.quantity, goods)}, used without being in stock, at the last known cost`,
      ),
      quantity: debt.quantity,
      value: debt[figure],
    });
  }
  return lines;
}

/** What an order used, each lot a line. */
export const materialLines = (event: Completed, figure: Figure, goodsOf: GoodsOf, say: Wording): ExplainedLine[] =>
  event.data.consumptions.flatMap((consumption) =>
    usedLines(consumption, figure, goodsOf(consumption.variantId), say).map((line) => ({ ...line, ...placeOf(event) })),
  );

/** Labour by stages: each in cents, and what rounding them left. */
export function laborLine(event: Completed, plan: OrderPlan | undefined, say: Wording): ExplainedLine | undefined {
  const { laborCost } = event.data;
  if (laborCost.isZero) return undefined;
  const stages = plan?.recipe.stages ?? [];
  const lines = stages.flatMap(({ name, standardMinutes, laborRatePerHour }): ExplainedLine[] => {
    if (!standardMinutes || !laborRatePerHour) return [];
    const value = standardMinutes.times(laborRatePerHour).timesRatio(plan?.batches ?? Decimal.one, MINUTES, CENTS);
    const minutes = `${name}: ${say.number(standardMinutes)} min ${say.text('por batelada', 'a batch')}`;
    const rate = () =>
      say.text(`a ${say.money(laborRatePerHour)} por hora`, `at ${say.money(laborRatePerHour)} an hour`);
    const text = say.costly(minutes, () => `${minutes} ${rate()}`);
    return [{ text, value }];
  });
  const text = say.text('Mão de obra', 'Labour');
  const line = { text, value: laborCost, ...placeOf(event) };
  return lines.length === 0 ? line : { ...line, lines: withRounding(lines, laborCost, say) };
}

/** The lines, and one more for what they are short of the whole. */
export function withRounding(lines: readonly ExplainedLine[], whole: Decimal, say: Wording): ExplainedLine[] {
  const rest = whole.minus(sumOf(lines, 'value'));
  return rest.isZero ? [...lines] : [...lines, { text: say.text('Arredondamento', 'Rounding'), value: rest }];
}

/** All that an order cost and that went to others than one of its lots. */
function sharesOfOthers({ data }: Completed, lotId: string, goodsOf: GoodsOf, say: Wording): ExplainedLine[] {
  const lines = data.byproducts
    .filter((byproduct) => byproduct.lotId !== lotId)
    .map(({ variantId, value }) => ({
      text: say.text(
        `Parte do subproduto ${goodsOf(variantId).description}`,
        `Share of the by-product ${goodsOf(variantId).description}`,
      ),
      value: value.negated(),
    }));
  if (data.output?.lotId === lotId) return lines;
  const text = data.output
    ? say.text(
        `Parte do produto ${goodsOf(data.finishedVariantId).description}`,
        `Share of the product ${goodsOf(data.finishedVariantId).description}`,
      )
    : say.text('Perda total do produto', 'Total loss of the product');
  return [{ text, value: data.productCost.negated() }, ...lines];
}

/** What a lot cost that an order made: all that was used and worked, without what others of its lots bear. */
export function madeLines(
  event: Completed,
  { lotId, value }: { readonly lotId: string; readonly value: Decimal },
  plan: OrderPlan | undefined,
  goodsOf: GoodsOf,
  say: Wording,
): ExplainedLine[] {
  const labor = laborLine(event, plan, say);
  const lines = [
    ...materialLines(event, 'value', goodsOf, say),
    ...(labor ? [labor] : []),
    ...sharesOfOthers(event, lotId, goodsOf, say).map((line) => ({ ...line, ...placeOf(event) })),
  ];
  return withRounding(lines, value, say).map((line) => ({ ...placeOf(event), ...line }));
}
