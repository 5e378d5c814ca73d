import type { InventoryEvent } from '../../src/features/inventory/events.js';
import { comparableCode, inventoryEvents } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Actor, Recorded } from '../../src/kernel/events/event.js';
import { foldText } from '../../src/kernel/values/words.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { adding } from '../../src/kernel/projections/adding.js';
import type { Movement, MovementKind, StockFact } from './parts/stock-facts.js';
import { movementsOf, onMovements } from './parts/stock-facts.js';

/** A batch, wherever it lies, and all that ever became of it. */
export interface LotDocument {
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly variantId: string;
  readonly receivedAt: string;
  readonly expiresAt: string | null;
  readonly status: 'AVAILABLE' | 'BLOCKED';
  readonly origin: LotOrigin;
  readonly originId: string;
  /** The receipt of a lot that was received, from whom, and the paper that came with it. */
  readonly receiptId: string | null;
  readonly supplier: string | null;
  readonly document: string | null;
  /** Blocks and releases, the last at the end; of many the last ones. */
  readonly marks: readonly LotMark[];
  /** Orders the batches of a variant. */
  readonly entered: number;
  readonly totalsByCause: { readonly [C in Cause]?: Amount | undefined };
  /** When goods of it last moved. */
  readonly movedAt: string;
  /** The position of the event that it last saw. */
  readonly seen: string;
  /** At which it came to be, or was last blocked or released: of its own, not of its goods. */
  readonly revision: number;
}

interface LotMark {
  readonly status: LotDocument['status'];
  readonly reason: string;
  readonly at: string;
  readonly by: Actor;
}

const MOST_MARKS = 50;

export const LOT_ORIGINS = ['RECEIPT', 'PRODUCTION', 'OPENING', 'ADJUSTMENT'] as const;
type LotOrigin = (typeof LOT_ORIGINS)[number];

/** `returned` came back from sales, `givenBack` from orders that were reversed; `reversed` was unmade. */
export type Cause = 'entered' | 'returned' | 'givenBack' | 'sold' | 'consumed' | 'adjusted' | 'reversed';

/** Exact decimals. */
interface Amount {
  readonly quantity: string;
  readonly value: string;
}

/** The lots that have a code. */
export const codeSubject = (lotCode: string): string => `code ${comparableCode(lotCode)}`;

export const lots = recordCollection<LotDocument>({
  name: 'lots',
  version: 7,
  hidden: ['marks', 'entered', 'totalsByCause', 'movedAt', 'seen', 'revision'],
  columns: {
    lotCode: { type: 'text', of: ({ lotCode }) => lotCode },
    /** By which it is looked for. */
    code: { type: 'text', of: ({ lotCode }) => (lotCode === null ? null : comparableCode(lotCode)) },
    variantId: { type: 'id', of: ({ variantId }) => variantId },
    origin: { type: 'text', of: ({ origin }) => origin },
    supplier: { type: 'text', of: ({ supplier }) => (supplier === null ? null : foldText(supplier)) },
    expiresAt: { type: 'text', of: ({ expiresAt }) => expiresAt },
    status: { type: 'text', of: ({ status }) => status },
    left: { type: 'integer', of: (lot) => (remainingOf(lot).isPositive ? 1 : 0) },
    receivedAt: { type: 'text', of: ({ receivedAt }) => receivedAt },
    entered: { type: 'integer', of: ({ entered }) => entered },
  },
  /** By which the beginning of a code is looked for. */
  words: ({ lotCode }) => lotCode ?? '',
  subjectsOf: (lotId, lot) => (typeof lot?.lotCode === 'string' ? [lotId, codeSubject(lot.lotCode)] : [lotId]),
  indexes: [
    ['code', 'entered'],
    ['receivedAt'],
    ['entered'],
    ['left', 'entered'],
    ['left', 'expiresAt'],
    ['supplier', 'entered'],
  ],
});

const ORIGINS: Partial<Record<MovementKind, LotOrigin>> = {
  OPENING: 'OPENING',
  RECEIPT: 'RECEIPT',
  ADJUSTMENT: 'ADJUSTMENT',
  OUTPUT: 'PRODUCTION',
};

const CAUSES_OF_ENTRIES: Partial<Record<MovementKind, Cause>> = {
  OPENING: 'entered',
  RECEIPT: 'entered',
  ADJUSTMENT: 'entered',
  OUTPUT: 'entered',
  RETURN: 'returned',
  CANCELLATION: 'returned',
  REVERSAL: 'givenBack',
};

const CAUSES_OF_ISSUES: Partial<Record<MovementKind, Cause>> = {
  SALE: 'sold',
  CONSUMPTION: 'consumed',
  ADJUSTMENT: 'adjusted',
  REVERSAL: 'reversed',
};

/** What a fact does to one lot. */
interface Effect {
  readonly lotId: string;
  /** Undefined for a transfer: the goods stay in the lot. */
  readonly cause: Cause | undefined;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly born?: Born | undefined;
}

/** Members are written out here and below: a spread before others takes ten times as long. */
type Born = Omit<LotDocument, 'totalsByCause' | 'seen' | 'receivedAt' | 'movedAt' | 'status' | 'revision' | 'marks'>;

interface Received {
  readonly receiptId: string | null;
  readonly supplier: string | null;
  readonly document: string | null;
}

const receivedBy = (event: StockFact): Received =>
  event.type === 'StockReceived' ? event.data : { receiptId: null, supplier: null, document: null };

function effectsOf({ kind, sourceId, issue, entry }: Movement, { receiptId, supplier, document }: Received): Effect[] {
  if (issue)
    return issue.takes.map(({ lotId, quantity, value }) => ({ lotId, cause: CAUSES_OF_ISSUES[kind], quantity, value }));
  if (!entry) return [];
  const { lotId, quantity, value, variantId, settlements } = entry;
  const { lotCode, entered, expiresAt } = entry;
  const origin = ORIGINS[kind];
  const born = origin && {
    lotId,
    lotCode,
    entered,
    expiresAt,
    variantId,
    origin,
    originId: sourceId,
    receiptId,
    supplier,
    document,
  };
  return [
    { lotId, cause: CAUSES_OF_ENTRIES[kind], quantity, value, born },
    ...settlements.map((settled) => ({
      lotId,
      cause: settled.originKind === 'SALE' ? ('sold' as const) : ('consumed' as const),
      quantity: settled.quantity,
      value: settled.value,
    })),
  ];
}

const bornLot = (born: Born, { at, revision }: { readonly at: string; readonly revision: number }): LotDocument => ({
  lotId: born.lotId,
  lotCode: born.lotCode,
  entered: born.entered,
  expiresAt: born.expiresAt,
  variantId: born.variantId,
  origin: born.origin,
  originId: born.originId,
  receiptId: born.receiptId,
  supplier: born.supplier,
  document: born.document,
  receivedAt: at,
  movedAt: at,
  status: 'AVAILABLE',
  marks: [],
  totalsByCause: {},
  seen: '',
  revision,
});

const lotAfter = (
  lot: LotDocument,
  totalsByCause: LotDocument['totalsByCause'],
  movedAt: string,
  seen: string,
): LotDocument => ({
  lotId: lot.lotId,
  lotCode: lot.lotCode,
  entered: lot.entered,
  expiresAt: lot.expiresAt,
  variantId: lot.variantId,
  origin: lot.origin,
  originId: lot.originId,
  receiptId: lot.receiptId,
  supplier: lot.supplier,
  document: lot.document,
  receivedAt: lot.receivedAt,
  movedAt,
  status: lot.status,
  marks: lot.marks,
  totalsByCause,
  seen,
  revision: lot.revision,
});

/** What has no amount is undefined, which JSON leaves out: so all of them stay objects of one kind. */
function withAmount(totals: LotDocument['totalsByCause'], cause: Cause, amount: Amount): LotDocument['totalsByCause'] {
  const of = (one: Cause): Amount | undefined => (one === cause ? amount : totals[one]);
  return {
    entered: of('entered'),
    returned: of('returned'),
    givenBack: of('givenBack'),
    sold: of('sold'),
    consumed: of('consumed'),
    adjusted: of('adjusted'),
    reversed: of('reversed'),
  };
}

function withEffect(
  document: LotDocument | undefined,
  effect: Effect,
  { meta: { at }, revision }: Pick<Recorded<InventoryEvent>, 'meta' | 'revision'>,
): LotDocument | undefined {
  const { cause, born } = effect;
  const base = document ?? (born && bornLot(born, { at, revision }));
  if (!base || !cause) return base;
  const before = base.totalsByCause[cause];
  const amount = {
    quantity: Decimal.from(before?.quantity ?? '0')
      .plus(effect.quantity)
      .toString(),
    value: Decimal.from(before?.value ?? '0')
      .plus(effect.value)
      .toString(),
  };
  return lotAfter(base, withAmount(base.totalsByCause, cause, amount), base.movedAt, base.seen);
}

/** A reversal blocks the lot that it unmakes. */
const isUnmade = (event: StockFact, lotId: string): boolean =>
  event.type === 'OrderReversed' &&
  event.data.output.issues.some(({ takes }) => takes.some((taken) => taken.lotId === lotId));

type Marking = Recorded<
  Extract<
    InventoryEvent,
    { readonly type: 'LotBlocked' | 'LotReleased' | 'LotsBlocked' | 'LotsReleased' | 'OrderReversed' }
  >
>;

/** Seeing the same block again changes nothing. */
function withMark(lot: LotDocument, status: LotDocument['status'], { data, meta, revision }: Marking): LotDocument {
  if (lot.revision >= revision) return lot;
  const mark: LotMark = { status, reason: data.reason, at: meta.at, by: meta.actor };
  return { ...lot, status, marks: [...lot.marks, mark].slice(-MOST_MARKS), revision };
}

const marking = <E extends Marking>(status: LotDocument['status'], ids: (event: E) => readonly string[]) => ({
  ids,
  evolve: (document: LotDocument | undefined, event: E) => document && withMark(document, status, event),
});

export const lotsProjector = recordProjector(lots, [inventoryEvents], {
  ...onMovements(
    adding(
      (event) => movementsOf(event).flatMap((movement) => effectsOf(movement, receivedBy(event))),
      ({ lotId }) => lotId,
      (document: LotDocument | undefined, effects, event) => {
        const after = effects.reduce<LotDocument | undefined>(
          (current, effect) => withEffect(current, effect, event),
          document,
        );
        if (!after) return undefined;
        const marked =
          event.type === 'OrderReversed' && isUnmade(event, after.lotId) ? withMark(after, 'BLOCKED', event) : after;
        return lotAfter(marked, marked.totalsByCause, event.meta.at, event.position);
      },
    ),
  ),
  LotBlocked: marking('BLOCKED', ({ data }) => [data.lotId]),
  LotReleased: marking('AVAILABLE', ({ data }) => [data.lotId]),
  LotsBlocked: marking('BLOCKED', ({ data }) => data.lots.map(({ lotId }) => lotId)),
  LotsReleased: marking('AVAILABLE', ({ data }) => data.lots.map(({ lotId }) => lotId)),
});

function quantityOf(totals: LotDocument['totalsByCause'], cause: Cause): Decimal {
  const quantity = totals[cause]?.quantity;
  return quantity === undefined ? Decimal.zero : Decimal.from(quantity);
}

/** The quantities of a lot's life: what entered is sold, used, adjusted away, unmade, or still in stock. */
export function quantitiesByCause({ totalsByCause }: Pick<LotDocument, 'totalsByCause'>) {
  const of = (cause: Cause): Decimal => quantityOf(totalsByCause, cause);
  const sold = of('sold').minus(of('returned'));
  const consumed = of('consumed').minus(of('givenBack'));
  return { entered: of('entered'), sold, consumed, adjustedAway: of('adjusted'), reversed: of('reversed') };
}

/** What is left of a lot, and what that is worth: what went in less what went out. */
export function worthOf({ totalsByCause }: Pick<LotDocument, 'totalsByCause'>) {
  const of = (cause: Cause, figure: keyof Amount) => Decimal.from(totalsByCause[cause]?.[figure] ?? '0');
  const left = (figure: keyof Amount) =>
    Decimal.sum(IN.map((cause) => of(cause, figure))).minus(Decimal.sum(OUT.map((cause) => of(cause, figure))));
  return { quantity: left('quantity'), value: left('value') };
}

const IN: readonly Cause[] = ['entered', 'returned', 'givenBack'];
const OUT: readonly Cause[] = ['sold', 'consumed', 'adjusted', 'reversed'];

/** What is left of a lot, over all locations. */
export function remainingOf(lot: Pick<LotDocument, 'totalsByCause'>): Decimal {
  const { entered, sold, consumed, adjustedAway, reversed } = quantitiesByCause(lot);
  return entered.minus(sold).minus(consumed).minus(adjustedAway).minus(reversed);
}
