import type { Batch, InventoryEvent } from '../../src/features/inventory/events.js';
import { comparableCode, inventoryEvents } from '../../src/features/inventory/events.js';
import { Decimal } from '../../src/kernel/values/decimal.js';
import type { Recorded } from '../../src/kernel/events/event.js';
import { recordCollection, recordProjector } from '../../src/kernel/projections/projector.js';
import { adding } from '../../src/kernel/projections/memoise.js';
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
  /** Orders the batches of a variant. */
  readonly entered: number;
  readonly totalsByCause: Readonly<Partial<Record<Cause, Amount>>>;
  /** When goods of it last moved. */
  readonly movedAt: string;
  /** Of the event that it last saw. */
  readonly seen: string;
  /** At which it came to be, or was last blocked or released: of its own, not of its goods. */
  readonly revision: number;
}

export type LotOrigin = 'RECEIPT' | 'PRODUCTION' | 'OPENING' | 'ADJUSTMENT';

/** `returned` came back from sales, `givenBack` from orders that were reversed; `reversed` was unmade. */
export type Cause = 'entered' | 'returned' | 'givenBack' | 'sold' | 'consumed' | 'adjusted' | 'reversed';

/** Exact decimals. */
interface Amount {
  readonly quantity: string;
  readonly value: string;
}

export const lots = recordCollection<LotDocument>({
  name: 'lots',
  version: 4,
  hidden: ['entered', 'totalsByCause', 'movedAt', 'seen', 'revision'],
  columns: {
    lotCode: { type: 'text', of: ({ lotCode }) => lotCode },
    /** By which it is looked for. */
    code: { type: 'text', of: ({ lotCode }) => (lotCode === null ? null : comparableCode(lotCode)) },
    variantId: { type: 'text', of: ({ variantId }) => variantId },
    receivedAt: { type: 'text', of: ({ receivedAt }) => receivedAt },
    entered: { type: 'integer', of: ({ entered }) => entered },
  },
  indexes: [['code', 'entered'], ['receivedAt']],
});

const ORIGINS: Partial<Record<MovementKind, LotOrigin>> = {
  OPENING: 'OPENING',
  RECEIPT: 'RECEIPT',
  ADJUSTMENT: 'ADJUSTMENT',
  OUTPUT: 'PRODUCTION',
};

const FATES_OF_ENTRIES: Partial<Record<MovementKind, Cause>> = {
  OPENING: 'entered',
  RECEIPT: 'entered',
  ADJUSTMENT: 'entered',
  OUTPUT: 'entered',
  RETURN: 'returned',
  CANCELLATION: 'returned',
  REVERSAL: 'givenBack',
};

const FATES_OF_ISSUES: Partial<Record<MovementKind, Cause>> = {
  SALE: 'sold',
  CONSUMPTION: 'consumed',
  ADJUSTMENT: 'adjusted',
  REVERSAL: 'reversed',
};

/** What a fact does to one lot. */
interface Effect {
  readonly lotId: string;
  /** Of a transfer none: the goods stay in the lot. */
  readonly fate: Cause | undefined;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly born?: Omit<LotDocument, 'totalsByCause' | 'seen' | 'receivedAt' | 'movedAt' | 'status' | 'revision'>;
}

function effectsOf({ kind, sourceId, issue, entry }: Movement): Effect[] {
  if (issue)
    return issue.takes.map(({ lotId, quantity, value }) => ({ lotId, fate: FATES_OF_ISSUES[kind], quantity, value }));
  if (!entry) return [];
  const { lotId, quantity, value, variantId, settlements } = entry;
  const origin = ORIGINS[kind];
  const born = origin && { ...batchOf(entry), variantId, origin, originId: sourceId };
  return [
    { lotId, fate: FATES_OF_ENTRIES[kind], quantity, value, ...(born ? { born } : {}) },
    ...settlements.map((settled) => ({
      lotId,
      fate: settled.originKind === 'SALE' ? ('sold' as const) : ('consumed' as const),
      quantity: settled.quantity,
      value: settled.value,
    })),
  ];
}

const batchOf = ({ lotId, lotCode, entered, expiresAt }: Batch): Batch => ({ lotId, lotCode, entered, expiresAt });

function withEffect(
  document: LotDocument | undefined,
  effect: Effect,
  { meta: { at }, revision }: Pick<Recorded<InventoryEvent>, 'meta' | 'revision'>,
): LotDocument | undefined {
  const { fate, born } = effect;
  const base: LotDocument | undefined =
    document ??
    (born && { ...born, receivedAt: at, movedAt: at, status: 'AVAILABLE', totalsByCause: {}, seen: '', revision });
  if (!base || !fate) return base;
  const before = base.totalsByCause[fate] ?? { quantity: '0', value: '0' };
  const amount = {
    quantity: Decimal.from(before.quantity).plus(effect.quantity).toString(),
    value: Decimal.from(before.value).plus(effect.value).toString(),
  };
  return { ...base, totalsByCause: { ...base.totalsByCause, [fate]: amount } };
}

/** A reversal blocks the lot that it unmakes. */
const isUnmade = (event: StockFact, lotId: string): boolean =>
  event.type === 'OrderReversed' &&
  event.data.output.issues.some(({ takes }) => takes.some((taken) => taken.lotId === lotId));

type Marking = Recorded<Extract<InventoryEvent, { readonly type: 'LotBlocked' | 'LotReleased' }>>;

const status = (of: LotDocument['status']) => ({
  ids: ({ data }: Marking) => [data.lotId],
  evolve: (document: LotDocument | undefined, { revision }: Marking) =>
    document && { ...document, status: of, revision },
});

export const lotsProjector = recordProjector(lots, [inventoryEvents], {
  ...onMovements(
    adding(
      (event) => movementsOf(event).flatMap(effectsOf),
      ({ lotId }) => lotId,
      (document: LotDocument | undefined, effects, event) => {
        const after = effects.reduce<LotDocument | undefined>(
          (current, effect) => withEffect(current, effect, event),
          document,
        );
        if (!after) return undefined;
        const marked = isUnmade(event, after.lotId) ? { status: 'BLOCKED' as const, revision: event.revision } : {};
        return { ...after, ...marked, movedAt: event.meta.at, seen: event.position };
      },
    ),
  ),
  LotBlocked: status('BLOCKED'),
  LotReleased: status('AVAILABLE'),
});

const quantityOf = (fates: LotDocument['totalsByCause'], fate: Cause): Decimal =>
  Decimal.from(fates[fate]?.quantity ?? '0');

/** The quantities of a lot's life: what entered is sold, used, adjusted away, unmade, or still in stock. */
export function quantitiesByCause({ totalsByCause: fates }: Pick<LotDocument, 'totalsByCause'>) {
  const of = (fate: Cause): Decimal => quantityOf(fates, fate);
  const sold = of('sold').minus(of('returned'));
  const consumed = of('consumed').minus(of('givenBack'));
  return { entered: of('entered'), sold, consumed, adjustedAway: of('adjusted'), reversed: of('reversed') };
}
