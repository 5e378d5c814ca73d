import type { HoldingDocument } from '../../../projections/inventory/holdings.js';
import type { LotDocument } from '../../../projections/inventory/lots.js';
import { lots as lotRecords, quantitiesByCause } from '../../../projections/inventory/lots.js';
import { Decimal } from '../../kernel/values/decimal.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { LotLife, MassBalance } from './domain/mass-balance.js';
import { massBalance } from './domain/mass-balance.js';
import { inBatches } from '../../kernel/values/in-batches.js';
import type { Found, KnownLots, KnownProducts } from './found-lots.js';

/** What became of the lots of a recall: a balance for each product, so that kilograms are never added to pieces. */

const LOTS_AT_ONCE = 2_000;

type Totals = Pick<LotDocument, 'totalsByCause'>;

/** Of the lots with the code, or of those that were made with them, all of one product. */
export interface Balance extends MassBalance {
  readonly kind: 'MATCHED' | 'REACHED';
  readonly variantId: string;
}

interface Lives extends Pick<Balance, 'kind' | 'variantId'> {
  readonly lives: LotLife[];
  inStock: Decimal;
}

/** A lot that was made with others, and all that became of it. */
type Reached = Pick<LotDocument, 'lotId' | 'totalsByCause'>;

export function reachedLives(context: RequestContext, { walked }: Found): Promise<readonly Reached[]> {
  const ids = [...walked.lots.values()].filter(({ depth }) => depth > 0).map(({ lotId }) => lotId);
  return inBatches(ids, LOTS_AT_ONCE, async (some) => {
    const texts = await context.reads.getHidden(lotRecords, some);
    // One text of many is read in half the time of so many texts.
    const known = JSON.parse(`[${texts.map((text) => text ?? 'null').join(',')}]`) as readonly (Totals | null)[];
    return some.flatMap((lotId, index) => {
      const totalsByCause = known[index]?.totalsByCause;
      return totalsByCause ? [{ lotId, totalsByCause }] : [];
    });
  });
}

export function balancesOf(
  { matched }: Pick<Found, 'matched'>,
  { lots }: KnownLots,
  reached: readonly Reached[],
  remaining: readonly HoldingDocument[],
): readonly Balance[] {
  const groups = new Map<string, Lives>();
  const groupOf = new Map<string, Lives>();
  const add = (kind: Lives['kind'], lot: Pick<LotDocument, 'lotId' | 'variantId' | 'totalsByCause'>) => {
    const key = `${kind} ${lot.variantId}`;
    const group = groups.get(key) ?? { kind, variantId: lot.variantId, lives: [], inStock: Decimal.zero };
    groups.set(key, group);
    group.lives.push(quantitiesByCause(lot));
    groupOf.set(lot.lotId, group);
  };
  for (const lot of matched) add('MATCHED', lot);
  for (const lot of reached) add('REACHED', { ...lot, variantId: lots.get(lot.lotId)?.variantId ?? '' });
  for (const { lotId, quantity } of remaining) {
    const group = groupOf.get(lotId);
    if (group) group.inStock = group.inStock.plus(Decimal.from(quantity));
  }
  return [...groups.values()].map(({ kind, variantId, lives, inStock }) => ({
    kind,
    variantId,
    ...massBalance(lives, inStock),
  }));
}

/** With the names of the products. */
export const shownBalances = (balances: readonly Balance[], { facts }: KnownProducts) =>
  balances.map(({ kind, variantId, ...balance }) => ({
    kind,
    variantId,
    description: facts.get(variantId)?.description ?? null,
    unit: facts.get(variantId)?.saleUnit ?? null,
    ...balance,
  }));
