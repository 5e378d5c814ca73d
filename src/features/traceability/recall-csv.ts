import { setImmediate as breathe } from 'node:timers/promises';
import type { OrderDocument } from '../../../projections/orders.js';
import { orders } from '../../../projections/orders.js';
import type { LotDocument } from '../../../projections/lots.js';
import type { SoldLotDocument } from '../../../projections/sold-lots.js';
import type { RequestContext } from '../../kernel/route.js';
import type { CustomerFacts } from '../../ports/customer-directory.js';
import type { Cell } from './domain/csv.js';
import { BYTE_ORDER_MARK, csvLine } from './domain/csv.js';
import type { RecallServices, Scope } from './recall.js';
import { customersOf, quantitiesOf } from './recall.js';
import { allSold } from './sold-rows.js';

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
];

/** All pages of a recall, a few hundred lines at a time. */
export async function* recallCsv(
  context: RequestContext,
  services: RecallServices,
  scope: Scope,
  locationNames: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS);
  const numbers = await orderNumbers(context, scope);
  const lotCells = new Map<string, LotCells>();
  for await (const rows of allSold(context.reads, scope.counts)) {
    const customers = await customersOf(context, services, rows);
    let text = '';
    for (const row of rows) {
      let cells = lotCells.get(row.lotId);
      if (!cells) lotCells.set(row.lotId, (cells = cellsOfLot(row.lotId, scope, numbers)));
      text += csvLine(lineOf(row, cells, customers, locationNames));
    }
    yield text;
    await breathe();
  }
}

/** The numbers of the orders that made the lots. */
async function orderNumbers(context: RequestContext, { lots }: Scope): Promise<ReadonlyMap<string, number>> {
  const ids = new Set([...lots.values()].filter(isProduced).map(({ originId }) => originId));
  const records = await context.reads.getMany(orders, [...ids]);
  return new Map(records.map(({ id, body }) => [id, (JSON.parse(body) as OrderDocument).number]));
}

const isProduced = ({ origin }: LotDocument): boolean => origin === 'PRODUCTION';

interface LotCells {
  readonly before: readonly Cell[];
  readonly unit: string | null;
}

function cellsOfLot(
  lotId: string,
  { lotCode, lots, walked, facts }: Scope,
  numbers: ReadonlyMap<string, number>,
): LotCells {
  const lot = lots.get(lotId);
  const variant = lot && facts.get(lot.variantId);
  const made = lot && isProduced(lot) ? lot : undefined;
  return {
    before: [
      lot?.lotCode ?? null,
      lotCode,
      walked.lots.get(lotId)?.depth ?? null,
      variant?.productId ?? null,
      variant?.description ?? null,
      variant?.gtin ?? null,
      variant?.ncm ?? null,
      made?.receivedAt ?? null,
      lot?.expiresAt ?? null,
      made ? (numbers.get(made.originId) ?? null) : null,
    ],
    unit: variant?.saleUnit ?? null,
  };
}

/** The fiscal columns stay empty while a sale has no fiscal document. */
function lineOf(
  row: SoldLotDocument,
  { before, unit }: LotCells,
  customers: ReadonlyMap<string, CustomerFacts>,
  locationNames: ReadonlyMap<string, string>,
): Cell[] {
  const { quantity, returnedQuantity, netQuantity } = quantitiesOf(row);
  const customer = customers.get(row.customerId ?? '');
  const who = [customer?.name ?? null, customer?.document ?? null, customer?.phone ?? null, customer?.email ?? null];
  const fiscal = [null, null, null, null, null];
  const location = locationNames.get(row.locationId) ?? null;
  return [
    ...before,
    row.saleId,
    row.soldAt,
    quantity,
    returnedQuantity,
    netQuantity,
    unit,
    ...who,
    ...fiscal,
    location,
  ];
}
