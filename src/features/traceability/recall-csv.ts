import { LRUCache } from 'lru-cache';
import type { OrderDocument } from '../../../projections/production/orders.js';
import { orders } from '../../../projections/production/orders.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import { BYTE_ORDER_MARK, csvCells, csvLine } from '../../kernel/files/csv.js';
import { PIECE_LENGTH, turnToWrite } from '../../kernel/files/pieces.js';
import { expiryDay } from './lot-details.js';
import type { RecallServices, Scope } from './recall-scope.js';
import type { LotRecord } from './lots.js';
import { lotsById } from './lots.js';
import { chosenOf, documentsOf, hasDocuments } from './sale-documents.js';
import type { SoldLot } from './sold-rows.js';
import { allSold, quantitiesOf } from './sold-rows.js';

export const CSV_TYPE = 'text/csv; charset=utf-8';

const COLUMNS = [
  'lotCode',
  'sourceLotCode',
  'depth',
  'productId',
  'description',
  'gtin',
  'ncm',
  'manufacturedAt',
  'expiresAt',
  'productionOrderNumber',
  'saleId',
  'soldAt',
  'quantity',
  'returnedQuantity',
  'netQuantity',
  'unit',
  'customerName',
  'customerDocument',
  'customerPhone',
  'customerEmail',
  'model',
  'series',
  'number',
  'accessKey',
  'fiscalStatus',
  'location',
  'supplier',
  'supplierDocument',
  'expiresOn',
];

/** All pages of a recall, some hundred lines at a time. What lines have in common is written once. */
export async function* recallCsv(
  context: RequestContext,
  services: RecallServices,
  scope: Scope,
  { locationNames, timeZone }: { readonly locationNames: ReadonlyMap<string, string>; readonly timeZone: string },
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS);
  const documented = await hasDocuments(context);
  const people = new LRUCache<string, string>({ max: KNOWN_PEOPLE });
  const locations = new Map([...locationNames].map(([id, name]) => [id, csvCells([name])]));
  for await (const rows of readAhead(allSold(context.reads, scope.lots))) {
    const [lotCells, written, documents] = await Promise.all([
      cellsOfLots(context, scope, rows, timeZone),
      writtenPeople(context, services, rows, people),
      documented ? writtenDocuments(context, rows) : undefined,
    ]);
    let text = '';
    for (const row of rows) {
      const { before, unit, origin } = lotCells.get(row.lotId) ?? NO_LOT;
      const who = row.customerId === null ? NOBODY : (written.get(row.customerId) ?? NOBODY);
      const location = locations.get(row.locationId) ?? '';
      text += `${before};${row.saleId};${row.soldAt};${quantityCells(row)};${unit};${who};${documents?.get(row.saleId) ?? NO_DOCUMENT};${location};${origin}\r\n`;
      if (text.length > PIECE_LENGTH) {
        yield text;
        text = '';
        await turnToWrite();
      }
    }
    yield text;
  }
}

const KNOWN_PEOPLE = 5_000;
const NOBODY = csvCells([null, null, null, null]);
/** The fiscal columns stay empty of a sale without a fiscal document. */
const NO_DOCUMENT = csvCells([null, null, null, null, null]);

/** The cells of the document of each sale that has one. */
async function writtenDocuments(
  context: RequestContext,
  rows: readonly SoldLot[],
): Promise<ReadonlyMap<string, string>> {
  const found = await documentsOf(
    context,
    rows.map(({ saleId }) => saleId),
  );
  return new Map(
    [...found].map(([saleId, documents]) => {
      const { model, series, number, accessKey, status } = chosenOf(documents) ?? NO_CELLS;
      return [saleId, csvCells([model, series, number, accessKey, status])];
    }),
  );
}

const NO_CELLS = { model: null, series: null, number: null, accessKey: null, status: null };

/** Reads on while what was read is being written and sent. */
async function* readAhead<T>(pieces: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = pieces.next();
  try {
    for (let piece = await next; piece.done !== true; piece = await next) {
      next = pieces.next();
      // It may fail while nobody waits for it yet.
      next.catch(() => undefined);
      yield piece.value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

/** The cells of all customers of some rows; those who come again are remembered for the length of the answer. */
async function writtenPeople(
  context: RequestContext,
  services: RecallServices,
  rows: readonly SoldLot[],
  known: LRUCache<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const written = new Map<string, string>();
  const fresh = new Set<string>();
  for (const { customerId } of rows) {
    if (customerId === null || written.has(customerId)) continue;
    const cells = known.get(customerId);
    if (cells === undefined) fresh.add(customerId);
    else written.set(customerId, cells);
  }
  if (fresh.size > 0) {
    for (const [id, { name, document, phone, email }] of await services.customers.byIds(context, [...fresh])) {
      const cells = csvCells([name, document, phone, email]);
      known.set(id, cells);
      written.set(id, cells);
    }
  }
  return written;
}

function quantityCells(row: SoldLot): string {
  if (row.returnedQuantity === '0') {
    const quantity = row.quantity.replace('.', ',');
    return `${quantity};0;${quantity}`;
  }
  const { quantity, returnedQuantity, netQuantity } = quantitiesOf(row);
  return csvCells([quantity, returnedQuantity, netQuantity]);
}

/** What the lots of some rows have to say, with the numbers of the orders that made them. */
async function cellsOfLots(
  context: RequestContext,
  scope: Scope,
  rows: readonly SoldLot[],
  timeZone: string,
): Promise<ReadonlyMap<string, LotCells>> {
  const lots = [...(await lotsById(context, [...new Set(rows.map(({ lotId }) => lotId))])).values()];
  const orderIds = new Set(lots.filter(isProduced).map(({ originId }) => originId));
  const made = await context.reads.getBodies(orders, [...orderIds]);
  const numbers = new Map<string, number>();
  for (const body of made) {
    if (body === undefined) continue;
    const { id, number } = JSON.parse(body) as OrderDocument;
    numbers.set(id, number);
  }
  return new Map(
    lots.map((lot) => [lot.lotId, { ...cellsOfLot(lot, scope, numbers), origin: originCells(lot, timeZone) }]),
  );
}

const isProduced = ({ origin }: LotRecord): boolean => origin === 'PRODUCTION';

interface LotCells {
  readonly before: string;
  readonly unit: string;
  /** Who delivered it with which document, and the day on its label. */
  readonly origin: string;
}

const NO_LOT: LotCells = {
  before: csvCells(Array.from({ length: 10 }, () => null)),
  unit: '',
  origin: csvCells([null, null, null]),
};

const originCells = ({ supplier, document, expiresAt }: LotRecord, timeZone: string): string =>
  csvCells([supplier, document, expiryDay(expiresAt, timeZone)]);

function cellsOfLot(
  lot: LotRecord,
  { lotCode, walked, facts }: Scope,
  numbers: ReadonlyMap<string, number>,
): Omit<LotCells, 'origin'> {
  const variant = facts.get(lot.variantId);
  const made = isProduced(lot) ? lot : undefined;
  const before = csvCells([
    lot.lotCode,
    lotCode,
    walked.depthsOfLots().get(lot.lotId) ?? null,
    variant?.productId ?? null,
    variant?.description ?? null,
    variant?.gtin ?? null,
    variant?.ncm ?? null,
    made?.receivedAt ?? null,
    lot.expiresAt,
    made ? (numbers.get(made.originId) ?? null) : null,
  ]);
  return { before, unit: csvCells([variant?.saleUnit ?? null]) };
}
