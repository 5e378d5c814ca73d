import { isWorldwide, paddedGtin } from '../../brazil/gtin.js';
import { inPieces } from '../../kernel/files/pieces.js';
import { localTime } from '../../kernel/values/days.js';
import type { Decimal } from '../../kernel/values/decimal.js';

/** GS1 EPCIS 2.0 in JSON-LD: orders are transformations, their reversals take away and bring back, sales and returns are observations. */

export const EPCIS_TYPE = 'application/ld+json; charset=utf-8';

const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

/** UN/CEFACT codes of the units that measure; pieces have none. */
const UNITS: Readonly<Record<string, string>> = { KG: 'KGM', G: 'GRM', L: 'LTR', ML: 'MLT' };

/** A quantity of a lot, with what names it. */
export interface LotQuantity {
  readonly lotId: string;
  readonly lotCode: string | null;
  readonly gtin: string;
  readonly unit: string;
  readonly quantity: Decimal;
}

interface Production {
  readonly orderId: string;
  readonly completedAt: string;
  readonly inputs: readonly LotQuantity[];
  readonly outputs: readonly LotQuantity[];
}

interface SoldLine {
  readonly saleId: string;
  readonly line: number;
  readonly soldAt: string;
  readonly goods: LotQuantity;
}

/** One reversal of an order, by its place among them. */
interface Reversed {
  readonly orderId: string;
  readonly index: number;
  readonly at: string;
  readonly unmade: readonly LotQuantity[];
  readonly broughtBack: readonly LotQuantity[];
}

interface ReturnedLine extends SoldLine {
  readonly returnId: string;
  readonly returnedAt: string;
}

/** Who publishes: own barcodes, and lots that GS1 has no names for, are named under the service's address, for they mean nothing elsewhere. */
export interface Publisher {
  readonly baseUrl: string;
  /** The store's zone: everything happened there. */
  readonly timeZone: string;
}

/** A moment, and how far the clocks of the place were from UTC then. */
const eventAt = (eventTime: string, { timeZone }: Publisher) => ({
  eventTime,
  eventTimeZoneOffset: localTime(Date.parse(eventTime), timeZone).slice(-'+00:00'.length),
});

/** What GS1 takes for the number of a lot: 20 of these characters. */
const GS1_LOT = /^[!"%-?A-Z_a-z]{1,20}$/;

/** A lot as a link. It is one of GS1's where GS1 permits both of its names; otherwise it has the same form under the service's address. */
function linkOf({ gtin, lotCode, lotId }: LotQuantity, { baseUrl }: Publisher): string {
  const lot = lotCode ?? lotId;
  const base = isWorldwide(gtin) && GS1_LOT.test(lot) ? 'https://id.gs1.org' : baseUrl;
  return `${base}/01/${paddedGtin(gtin)}/10/${encodeURIComponent(lot)}`;
}

function element(lot: LotQuantity, publisher: Publisher): object {
  const uom = UNITS[lot.unit];
  return {
    epcClass: linkOf(lot, publisher),
    quantity: lot.quantity.toNumber(),
    ...(uom === undefined ? {} : { uom }),
  };
}

export const transformationEvent = (
  { orderId, completedAt, inputs, outputs }: Production,
  publisher: Publisher,
): object => ({
  type: 'TransformationEvent',
  eventID: `urn:uuid:${orderId}`,
  ...eventAt(completedAt, publisher),
  transformationID: `urn:uuid:${orderId}`,
  inputQuantityList: inputs.map((lot) => element(lot, publisher)),
  outputQuantityList: outputs.map((lot) => element(lot, publisher)),
  bizStep: 'commissioning',
  disposition: 'active',
});

export const saleEvent = ({ saleId, line, soldAt, goods }: SoldLine, publisher: Publisher): object => ({
  type: 'ObjectEvent',
  eventID: `${publisher.baseUrl}/sales/${saleId}/lines/${String(line)}/lots/${goods.lotId}`,
  ...eventAt(soldAt, publisher),
  action: 'OBSERVE',
  quantityList: [element(goods, publisher)],
  bizStep: 'retail_selling',
  disposition: 'retail_sold',
  bizTransactionList: [{ type: 'inv', bizTransaction: `urn:uuid:${saleId}` }],
});

/** What was made leaves again, and what it was made of is there again. */
export function reversalEvents(
  { orderId, index, at, unmade, broughtBack }: Reversed,
  publisher: Publisher,
): readonly object[] {
  const eventID = `${publisher.baseUrl}/bakery-production/orders/${orderId}/reversals/${String(index + 1)}`;
  const common = {
    ...eventAt(at, publisher),
    bizTransactionList: [{ type: 'prodorder', bizTransaction: `urn:uuid:${orderId}` }],
  };
  const list = (lots: readonly LotQuantity[]) => lots.map((lot) => element(lot, publisher));
  const gone = {
    type: 'ObjectEvent',
    eventID: `${eventID}/outputs`,
    ...common,
    action: 'DELETE',
    quantityList: list(unmade),
    bizStep: 'decommissioning',
    disposition: 'inactive',
  };
  const back = {
    type: 'ObjectEvent',
    eventID: `${eventID}/inputs`,
    ...common,
    action: 'ADD',
    quantityList: list(broughtBack),
    bizStep: 'commissioning',
    disposition: 'active',
  };
  return [...(unmade.length > 0 ? [gone] : []), ...(broughtBack.length > 0 ? [back] : [])];
}

export const returnEvent = (
  { saleId, returnId, line, returnedAt, goods }: ReturnedLine,
  publisher: Publisher,
): object => ({
  type: 'ObjectEvent',
  eventID: `${publisher.baseUrl}/sales/${saleId}/returns/${returnId}/lines/${String(line)}/lots/${goods.lotId}`,
  ...eventAt(returnedAt, publisher),
  action: 'OBSERVE',
  quantityList: [element(goods, publisher)],
  bizStep: 'receiving',
  disposition: 'returned',
  bizTransactionList: [
    { type: 'inv', bizTransaction: `urn:uuid:${saleId}` },
    { type: 'rma', bizTransaction: `urn:uuid:${returnId}` },
  ],
});

/** The document in pieces, so that its length does not matter. */
export const epcisDocument = (createdAt: string, events: AsyncIterable<object>): AsyncGenerator<string> =>
  inPieces(textsOf(createdAt, events));

async function* textsOf(createdAt: string, events: AsyncIterable<object>): AsyncGenerator<string> {
  const head = { '@context': [CONTEXT], type: 'EPCISDocument', schemaVersion: '2.0', creationDate: createdAt };
  yield `${JSON.stringify(head).slice(0, -1)},"epcisBody":{"eventList":[`;
  let first = true;
  for await (const event of events) {
    yield `${first ? '' : ','}${JSON.stringify(event)}`;
    first = false;
  }
  yield ']}}';
}
