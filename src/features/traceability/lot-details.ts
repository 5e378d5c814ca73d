import type { RequestContext } from '../../kernel/routes/request-context.js';
import { dayOf } from '../../kernel/values/days.js';
import type { VariantLabel } from '../contracts/catalogue.js';
import type { LotRecord } from './lots.js';
import { lotsById } from './lots.js';

/** What a lot says in a recall, so that nobody need look anything up. */

export interface LotDetails {
  readonly lotCode: string | null;
  readonly variantId: string | null;
  readonly description: string | null;
  readonly unit: string | null;
  readonly expiresAt: string | null;
  /** The day in the store's time zone. */
  readonly expiresOn: string | null;
  readonly supplier: string | null;
  readonly document: string | null;
  readonly receiptId: string | null;
}

/** The last day on which it may be used, as labels have it. */
export const expiryDay = (expiresAt: string | null, timeZone: string): string | null =>
  expiresAt === null ? null : dayOf(Date.parse(expiresAt) - 1, timeZone);

type Facts = ReadonlyMap<string, VariantLabel>;

/** What is known of a lot; where the lot itself is not known, of its product. */
function detailsOf(lot: LotRecord | undefined, facts: Facts, timeZone: string): LotDetails {
  const variant = facts.get(lot?.variantId ?? '');
  const expiresAt = lot?.expiresAt ?? null;
  return {
    lotCode: lot?.lotCode ?? null,
    variantId: lot?.variantId ?? null,
    description: variant?.description ?? null,
    unit: variant?.saleUnit ?? null,
    expiresAt,
    expiresOn: expiryDay(expiresAt, timeZone),
    supplier: lot?.supplier ?? null,
    document: lot?.document ?? null,
    receiptId: lot?.receiptId ?? null,
  };
}

/** The details of several lots, with one read. */
export async function readDetails(
  context: RequestContext,
  lotIds: readonly string[],
  facts: Facts,
  timeZone: string,
): Promise<(lotId: string) => LotDetails & { readonly status: LotRecord['status'] | null }> {
  const lots = await lotsById(context, [...new Set(lotIds)]);
  return (lotId) => {
    const lot = lots.get(lotId);
    return { ...detailsOf(lot, facts, timeZone), status: lot?.status ?? null };
  };
}
