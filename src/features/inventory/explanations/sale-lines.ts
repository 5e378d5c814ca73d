import type { Recorded } from '../../../kernel/events/event.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { ExplainedLine, Wording } from '../../contracts/explanation.js';
import { sumOf } from '../../contracts/explanation.js';
import type { SaleDocument, ShownPayment } from '../../../../projections/sales/sales.js';
import type { InventoryEvent, Payment, ReturnedLine } from '../events.js';
import { settlementsOf } from '../events.js';
import type { SaleFigures } from '../sales/costs.js';
import type { GoodsOf } from './cost-lines.js';
import { placeOf, withRounding } from './cost-lines.js';

type Facts = readonly Recorded<InventoryEvent>[];
type Fact<T extends InventoryEvent['type']> = Recorded<Extract<InventoryEvent, { readonly type: T }>>;

/** A sale, everything that ever touched it, and where the fees of its payments come from. */
interface ToldSale {
  readonly sale: SaleDocument;
  readonly facts: Facts;
  /** By payment; those whose fee was recalculated. */
  readonly recalculations: ReadonlyMap<number, { readonly eventId: string; readonly at: string }>;
  readonly goodsOf: GoodsOf;
  readonly say: Wording;
}

type OfSale = 'SaleCompleted' | 'SaleReturned' | 'SaleCancelled';

/** The sale's own facts: what others brought may have touched it as well. */
const ownFacts = <T extends OfSale>({ facts, sale }: Pick<ToldSale, 'facts' | 'sale'>, type: T): readonly Fact<T>[] =>
  facts.filter(
    (event): event is Fact<T> => event.type === type && 'saleId' in event.data && event.data.saleId === sale.id,
  );

const soldBy = (told: Pick<ToldSale, 'facts' | 'sale'>): Fact<'SaleCompleted'> | undefined =>
  ownFacts(told, 'SaleCompleted')[0];

/** What left the stock, or should have: of a kit its parts, also those that were not there. */
export const goodsSold = (told: Pick<ToldSale, 'facts' | 'sale'>): readonly string[] =>
  (soldBy(told)?.data.lines ?? []).flatMap(({ issues }) => issues.map(({ variantId }) => variantId));

/** What came in for a line, and went out again. */
function revenueLines(told: ToldSale, index: number): ExplainedLine[] {
  const { say } = told;
  const sold = soldBy(told);
  const line = sold?.data.lines[index];
  if (!sold || !line) return [];
  const { quantity, unitPrice, discount, total } = line;
  const less = discount.isZero
    ? ''
    : say.text(`, desconto ${say.money(discount)}`, `, discount ${say.money(discount)}`);
  const words = `${say.quantity(quantity, line.unit)} × ${say.money(unitPrice)}${less}`;
  const lines: ExplainedLine[] = [
    { text: say.text(`Vendido: ${words}`, `Sold: ${words}`), value: total, ...placeOf(sold) },
  ];
  for (const event of ownFacts(told, 'SaleReturned')) {
    for (const back of event.data.lines.filter((one) => one.line === index)) {
      const text = say.text(
        `Reembolso de ${say.quantity(back.quantity, line.unit)}`,
        `Refund of ${say.quantity(back.quantity, line.unit)}`,
      );
      lines.push({ text, value: back.total.negated(), ...placeOf(event) });
    }
  }
  const [cancelled] = ownFacts(told, 'SaleCancelled');
  if (cancelled) {
    const text = say.text('Venda cancelada', 'Sale cancelled');
    lines.push({ text, value: sumOf(lines, 'value').negated(), ...placeOf(cancelled) });
  }
  return lines;
}

const lotWords = (code: string | null, lotId: string, say: Wording): string =>
  say.text(`lote ${code ?? lotId.slice(-8)}`, `lot ${code ?? lotId.slice(-8)}`);

function takenLines(told: ToldSale, index: number): ExplainedLine[] {
  const sold = soldBy(told);
  const { say, goodsOf } = told;
  return (sold?.data.lines[index]?.issues ?? []).flatMap(({ variantId, takes, debt }): ExplainedLine[] => {
    const place = sold ? placeOf(sold) : {};
    const lines: ExplainedLine[] = takes.map(({ lotId, lotCode, quantity, value }) => ({
      text: say.text(
        `Custo de ${say.goods(quantity, goodsOf(variantId))}, ${lotWords(lotCode, lotId, say)}`,
        `Cost of ${say.goods(quantity, goodsOf(variantId))}, ${lotWords(lotCode, lotId, say)}`,
      ),
      quantity,
      value: value.negated(),
      ref: lotId,
      ...place,
    }));
    if (!debt) return lines;
    const { quantity, value } = debt;
    const text = say.text(
      `Custo provisório de ${say.goods(quantity, goodsOf(variantId))}, vendido sem haver em estoque`,
      `Provisional cost of ${say.goods(quantity, goodsOf(variantId))}, sold without being in stock`,
    );
    return [...lines, { text, quantity, value: value.negated(), ...place }];
  });
}

/** What was owed came in, at another cost than was thought. */
function settledLines({ facts, sale, say }: ToldSale, index: number): ExplainedLine[] {
  return facts.flatMap((event) =>
    settlementsOf(event, 'SALE')
      .filter(({ settled }) => settled.originId === sale.id && settled.line === index)
      .map(({ entry, settled }) => ({
        text: say.text(
          `Entrada do que se devia, ${lotWords(entry.lotCode, entry.lotId, say)}: ${say.money(settled.value)} em vez de ${say.money(settled.provisional)}`,
          `What was owed came in, ${lotWords(entry.lotCode, entry.lotId, say)}: ${say.money(settled.value)} in place of ${say.money(settled.provisional)}`,
        ),
        value: settled.provisional.minus(settled.value),
        ref: entry.lotId,
        ...placeOf(event),
      })),
  );
}

function broughtBack(back: ReturnedLine, goodsOf: GoodsOf, say: Wording): ExplainedLine[] {
  const { entries, forgiven } = back;
  return [
    ...entries.map(({ lotId, lotCode, variantId, quantity, value }) => ({
      text: say.text(
        `Voltou ao estoque: ${say.goods(quantity, goodsOf(variantId))}, ${lotWords(lotCode, lotId, say)}`,
        `Back in stock: ${say.goods(quantity, goodsOf(variantId))}, ${lotWords(lotCode, lotId, say)}`,
      ),
      quantity,
      value,
      ref: lotId,
    })),
    ...forgiven.map(({ variantId, quantity, value }) => ({
      text: say.text(
        `Deixou de ser devido: ${say.goods(quantity, goodsOf(variantId))}`,
        `No longer owed: ${say.goods(quantity, goodsOf(variantId))}`,
      ),
      quantity,
      value,
    })),
  ];
}

function backLines(told: ToldSale, index: number): ExplainedLine[] {
  const { goodsOf, say } = told;
  return [...ownFacts(told, 'SaleReturned'), ...ownFacts(told, 'SaleCancelled')].flatMap((event) =>
    event.data.lines
      .filter(({ line }) => line === index)
      .flatMap((back) => broughtBack(back, goodsOf, say).map((line) => ({ ...line, ...placeOf(event) }))),
  );
}

const SOURCES: Readonly<Record<NonNullable<Payment['feeTerms']>['source'], readonly [pt: string, en: string]>> = {
  BRAND: ['taxa própria da bandeira nesta máquina', "the brand's own rate on this machine"],
  GENERAL: ['taxa geral da máquina', "the machine's general rate"],
  OFF: ['o cálculo de taxas está desligado', 'fees are switched off'],
  NONE: ['nenhuma taxa foi cadastrada', 'no rate was known'],
};

function recalculatedFrom(before: number | null, say: ToldSale['say']): string {
  if (before === null) return say.text('recalculada, antes desconhecida', 'recalculated, not known before');
  const fee = say.money(Decimal.from(before));
  return say.text(`recalculada, antes ${fee}`, `recalculated, ${fee} before`);
}

/** Which rate counted, and why. */
function feeWords(told: ToldSale, index: number, payment: ShownPayment): string {
  const { sale, recalculations, say } = told;
  const terms = soldBy(told)?.data.payments[index]?.feeTerms;
  const percent = payment.feePercent === null ? undefined : say.number(payment.feePercent);
  const rate = percent === undefined ? '' : say.text(` ${percent} %`, ` ${percent}%`);
  const machine =
    payment.accountName === null
      ? ''
      : say.text(` da máquina ${payment.accountName}`, ` of the machine ${payment.accountName}`);
  const fixed = payment.fixedFee
    ? say.text(
        ` mais ${say.money(Decimal.from(payment.fixedFee))}`,
        ` plus ${say.money(Decimal.from(payment.fixedFee))}`,
      )
    : '';
  const source = terms ? say.text(...SOURCES[terms.source]) : '';
  const why = recalculations.has(index) ? recalculatedFrom(payment.previousFee ?? null, say) : source;
  const head = say.text(`Taxa do cartão${machine}:${rate}${fixed} sobre`, `Card fee${machine}:${rate}${fixed} on`);
  const part = sale.items.length > 1 ? say.text(', parte desta linha', ', this line’s part') : '';
  return `${head} ${say.money(Decimal.from(payment.amount))}${part}${why === '' ? '' : ` (${why})`}`;
}

function feeLines(told: ToldSale, { fees }: SaleFigures): ExplainedLine[] {
  const sold = soldBy(told);
  return told.sale.payments.flatMap((payment, index): ExplainedLine[] => {
    const fee = fees[index] ?? Decimal.zero;
    if (fee.isZero) return [];
    const place = told.recalculations.get(index) ?? (sold && placeOf(sold)) ?? {};
    return [{ text: feeWords(told, index, payment), value: fee.negated(), ...place }];
  });
}

/** Why a line left what it did. Without costs the lines that tell of them are missing, and what they lead to. */
export function soldLine(told: ToldSale, index: number, figures: SaleFigures, seesCosts: boolean): ExplainedLine {
  const item = told.sale.items[index];
  const sold = soldBy(told);
  const costs = seesCosts
    ? withRounding(
        [...takenLines(told, index), ...settledLines(told, index), ...backLines(told, index)],
        figures.cost.negated(),
        told.say,
      )
    : [];
  return {
    text: item ? told.say.goods(item.quantity, item) : '',
    ...(seesCosts ? { value: figures.margin } : {}),
    ...(sold ? placeOf(sold) : {}),
    lines: [...revenueLines(told, index), ...costs, ...feeLines(told, figures)],
  };
}
