import { lots } from '../../../../projections/inventory/lots.js';
import { Decimal } from '../../../kernel/values/decimal.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { HeldAt } from './held-stock.js';
import { lotKeyOf, placeKeyOf } from './held-stock.js';
import type { Named } from './valuation-labels.js';
import { expiryDay, lotDocument } from './lot-answers.js';

/** The rows of a valuation: a place is a variant at a location, with its lots together or one by one. */

export interface Place {
  readonly key: string;
  readonly held: readonly HeldAt[];
}

/** In the order of what is held, some at a time. */
export async function* placesOf(
  held: AsyncIterable<readonly HeldAt[]>,
  by: 'place' | 'lot',
): AsyncGenerator<readonly Place[]> {
  const keyOf = by === 'lot' ? lotKeyOf : placeKeyOf;
  let last: { readonly key: string; readonly held: HeldAt[] } | undefined;
  for await (const some of held) {
    const whole: Place[] = [];
    for (const one of some) {
      const key = keyOf(one);
      if (last?.key === key) {
        last.held.push(one);
        continue;
      }
      if (last) whole.push(last);
      last = { key, held: [one] };
    }
    yield whole;
  }
  if (last) yield [last];
}

/** What is at each place, and what that is worth. */
export type PlaceWorth = Omit<HeldAt, 'lotId'>;

export function worthOf({ held }: Place): PlaceWorth {
  const { variantId = '', locationId = '' } = held[0] ?? {};
  const quantity = Decimal.sum(held.map((one) => one.quantity));
  return { variantId, locationId, quantity, value: Decimal.sum(held.map((one) => one.value)) };
}

export interface Shown {
  readonly nameOf: (variantId: string) => Named;
  readonly locations: ReadonlyMap<string, string>;
  readonly hidden: ReadonlySet<string>;
  readonly timeZone: string;
}

function placeRow(place: Place, { nameOf, locations, hidden }: Omit<Shown, 'timeZone'>) {
  const { variantId, locationId, quantity, value } = worthOf(place);
  const { label, categoryId, category } = nameOf(variantId);
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
    ...(place.held.some(({ lotId }) => hidden.has(lotId))
      ? {}
      : { unitCost: value.dividedBy(quantity).toNumber(), value: value.toNumber() }),
  };
}

/** The same with what there is to say of its one lot. */
async function lotRows(context: RequestContext, places: readonly Place[], shown: Shown) {
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
