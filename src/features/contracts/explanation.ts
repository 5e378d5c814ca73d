import { z } from 'zod';
import type { Language } from '../../kernel/events/history.js';
import { languageOf } from '../../kernel/routes/language.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { cursorText, queryInteger } from '../../kernel/values/fields.js';
import { goodsWritten, unitWritten } from '../../kernel/values/units-written.js';
import { writtenMoney, writtenNumber } from '../../kernel/values/written-numbers.js';
import { cursorAt, offsetAt } from '../../kernel/routes/list-cursors.js';

/** Why a figure is what it is: lines that add up to it, each with the event that it comes from. */

export interface ExplainedLine {
  readonly text: string;
  readonly quantity?: Decimal | undefined;
  readonly value?: Decimal | undefined;
  readonly eventId?: string | undefined;
  readonly at?: string | undefined;
  /** The lot whose own explanation goes on with it. */
  readonly ref?: string | undefined;
  /** They add up to it. */
  readonly lines?: readonly ExplainedLine[] | undefined;
}

interface ExplainedTotal {
  readonly quantity?: Decimal | undefined;
  readonly value?: Decimal | undefined;
}

/** What several lines lead to: it stands once, under the id that they refer to. */
export interface ExplainedPart {
  readonly ref: string;
  readonly text: string;
  readonly total: ExplainedTotal;
  readonly lines: readonly ExplainedLine[];
}

export interface Explained {
  readonly total: ExplainedTotal;
  readonly lines: readonly ExplainedLine[];
  readonly parts?: readonly ExplainedPart[];
  readonly nextCursor?: string | null;
}

const amount = z.number().optional();

const line = z
  .object({
    text: z.string(),
    quantity: amount,
    value: amount.meta({ description: 'Signed' }),
    eventId: z.uuid().optional().meta({ description: 'The event that it comes from' }),
    at: z.iso.datetime().optional(),
    ref: z.uuid().optional().meta({
      description:
        'A lot that the line took from: its whole cost stands in `parts`, or in GET /explain/lots/{lotId}/cost where it is not among them',
    }),
    get lines() {
      return z.array(line).optional().meta({ description: 'They add up to the line' });
    },
  })
  .meta({ id: 'ExplanationLine' });

const total = z.object({ quantity: amount, value: amount }).meta({ id: 'ExplanationTotal' });

export const explanationAnswer = z
  .object({
    total,
    lines: z.array(line),
    parts: z
      .array(z.object({ ref: z.uuid(), text: z.string(), total, lines: z.array(line) }))
      .optional()
      .meta({ description: 'The lots that lines refer to, each once' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Explanation', description: 'The lines of all pages add up to the total, exactly' });

const LIMIT = 50;
export const explanationQuery = z.strictObject({
  cursor: cursorText.optional(),
  limit: queryInteger(1, 200).default(LIMIT),
});
export type ExplanationQuery = z.output<typeof explanationQuery>;

const shownTotal = ({ quantity, value }: ExplainedTotal, seesValues: boolean) => ({
  ...(quantity === undefined ? {} : { quantity: quantity.toNumber() }),
  ...(value === undefined || !seesValues ? {} : { value: value.toNumber() }),
});

const shownLine = (one: ExplainedLine, seesValues: boolean): object => ({
  text: one.text,
  ...shownTotal(one, seesValues),
  ...(one.eventId === undefined ? {} : { eventId: one.eventId }),
  ...(one.at === undefined ? {} : { at: one.at }),
  ...(one.ref === undefined ? {} : { ref: one.ref }),
  ...(one.lines === undefined ? {} : { lines: one.lines.map((inner) => shownLine(inner, seesValues)) }),
});

/** As it is answered; without values for who may not see them. */
export const shownExplanation = ({ total: whole, lines, parts, nextCursor }: Explained, seesValues: boolean) => ({
  total: shownTotal(whole, seesValues),
  lines: lines.map((one) => shownLine(one, seesValues)),
  ...(parts && {
    parts: parts.map(({ ref, text, ...part }) => ({
      ref,
      text,
      total: shownTotal(part.total, seesValues),
      lines: part.lines.map((one) => shownLine(one, seesValues)),
    })),
  }),
  nextCursor: nextCursor ?? null,
});

/** What the lines of one list add up to. */
export const sumOf = (lines: readonly ExplainedLine[], of: 'quantity' | 'value'): Decimal =>
  Decimal.sum(lines.map((one) => one[of] ?? Decimal.zero));

const LIST = 'explanation';

/** A page of lines that were all made. */
export function pageOfLines(
  all: readonly ExplainedLine[],
  { cursor, limit }: ExplanationQuery,
): Required<Pick<Explained, 'lines' | 'nextCursor'>> {
  const from = offsetAt(LIST, cursor);
  const next = from + limit;
  return {
    lines: all.slice(from, next),
    nextCursor: next < all.length ? cursorAt(LIST, String(next)) : null,
  };
}

/** Words in the language that was asked for. */
export interface Wording {
  readonly language: Language;
  text(pt: string, en: string): string;
  number(value: Decimal | number): string;
  /** In a unit: `10 kg`, `3`. */
  quantity(value: Decimal | number, unit: string): string;
  /** With the name of the goods: `10 kg de Farinha`, `3 × Pão`. */
  goods(value: Decimal | number, of: { readonly unit: string; readonly description: string }): string;
  money(value: Decimal): string;
  /** The second where costs may be said to whoever asks, otherwise the first. */
  costly(plain: string, withCosts: () => string): string;
}

export function wordingFor(context: RequestContext, seesCosts = true): Wording {
  const language = languageOf(context);
  return {
    language,
    text: (pt, en) => (language === 'pt' ? pt : en),
    number: (value) => writtenNumber(language, value),
    quantity: (value, unit) => writtenNumber(language, value) + unitWritten(unit),
    goods: (value, { unit, description }) => writtenNumber(language, value) + goodsWritten(language, unit, description),
    money: (value) => writtenMoney(language, value),
    costly: (plain, withCosts) => (seesCosts ? withCosts() : plain),
  };
}
