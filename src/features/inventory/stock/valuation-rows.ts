import { lots } from '../../../../projections/inventory/lots.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { HeldAt } from './valuation.js';
import type { Named } from './valuation-labels.js';
import { expiryDay, lotDocument } from './lot-answers.js';

/** The rows of a valuation: a place is a variant at a location, with its lots together or one by one. */

export interface Place {
  readonly key: string;
  readonly held: readonly HeldAt[];
}

/** In their order, which is that of what is held. */
export function placesOf(held: readonly HeldAt[], by: 'place' | 'lot'): readonly Place[] {
  const places: { readonly key: string; readonly held: HeldAt[] }[] = [];
  for (const one of held) {
    const { variantId, locationId, lotId } = one;
    const key = by === 'lot' ? `${variantId} ${locationId} ${lotId}` : `${variantId} ${locationId}`;
    const last = places.at(-1);
    if (last?.key === key) last.held.push(one);
    else places.push({ key, held: [one] });
  }
  return places;
}

export interface Shown {
  readonly nameOf: (variantId: string) => Named;
  readonly locations: ReadonlyMap<string, string>;
  readonly hidden: ReadonlySet<string>;
  readonly timeZone: string;
}

function placeRow({ held }: Place, { nameOf, locations, hidden }: Omit<Shown, 'timeZone'>) {
  const { variantId = '', locationId = '' } = held[0] ?? {};
  const { label, categoryId, category } = nameOf(variantId);
  const quantity = Decimal.sum(held.map((one) => one.quantity));
  const value = Decimal.sum(held.map((one) => one.value));
  return {
    variantId,
    productId: label?.productId ?? null,
    description: label?.description ?? null,
    sku: label?.sku ?? null,
    gtin: label?.gtin ?? null,
    ncm: label?.ncm ?? null,
    unit: label?.saleUnit ?? null,
    categoryId,
    category,
    locationId,
    location: locations.get(locationId) ?? null,
    quantity: quantity.toNumber(),
    ...(held.some(({ lotId }) => hidden.has(lotId))
      ? {}
      : { unitCost: value.dividedBy(quantity).toNumber(), value: value.toNumber() }),
  };
}

/** The same with what there is to say of its one lot. */
export async function lotRows(context: RequestContext, places: readonly Place[], shown: Shown) {
  const ids = [...new Set(places.flatMap(({ held }) => held.map(({ lotId }) => lotId)))];
  const found = new Map((await context.reads.getMany(lots, ids)).map((record) => [record.id, lotDocument(record)]));
  return places.map((place) => {
    const lotId = place.held[0]?.lotId ?? '';
    const lot = found.get(lotId);
    return {
      ...placeRow(place, shown),
      lotId,
      lotCode: lot?.lotCode ?? null,
      origin: lot?.origin ?? null,
      receivedAt: lot?.receivedAt ?? null,
      expiresOn: expiryDay(lot?.expiresAt ?? null, shown.timeZone),
      supplier: lot?.supplier ?? null,
      document: lot?.document ?? null,
    };
  });
}

export type ValuationRow = ReturnType<typeof placeRow> & Partial<Awaited<ReturnType<typeof lotRows>>[number]>;

export const rowsOf = async (
  context: RequestContext,
  places: readonly Place[],
  by: 'place' | 'lot',
  shown: Shown,
): Promise<readonly ValuationRow[]> =>
  by === 'lot' ? lotRows(context, places, shown) : places.map((place) => placeRow(place, shown));
