import type { SoldLotDocument } from '../../../projections/traceability/sold-lots.js';
import { sales } from '../../../projections/sales/sales.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { CustomerFacts } from '../contracts/customer-directory.js';
import { timeZoneOf } from '../contracts/time-zone.js';
import type { LotDetails } from './lot-details.js';
import { readDetails } from './lot-details.js';
import { overviewOf } from './recall-overview.js';
import type { RecallRequest, RecallServices } from './recall-scope.js';
import { keyOf, scopeOf } from './recall-scope.js';
import { documentsOf } from './sale-documents.js';
import { quantitiesOf, soldPage } from './sold-rows.js';

const customersOf = (
  context: RequestContext,
  { customers }: RecallServices,
  rows: readonly SoldLotDocument[],
): Promise<ReadonlyMap<string, CustomerFacts>> => {
  const ids = new Set(rows.map(({ customerId }) => customerId).filter((id) => id !== null));
  return ids.size === 0 ? Promise.resolve(new Map()) : customers.byIds(context, [...ids]);
};

const CHARACTERS_OF_A_RECORD = 500;

/** The answer as JSON. */
export async function recall(
  context: RequestContext,
  services: RecallServices,
  request: RecallRequest & { readonly page: number; readonly pageSize: number },
): Promise<string> {
  const { page, pageSize } = request;
  // Before anything is read.
  const { storeId, version } = context;
  const scope = await scopeOf(context, services, request, true);
  const weigh = ({ length }: string) => length / CHARACTERS_OF_A_RECORD;
  const [overview, rows] = await Promise.all([
    services.cache.of(
      { storeId, version },
      `overview ${keyOf(request)}`,
      () => overviewOf(context, services, scope),
      weigh,
    ),
    soldPage(context.reads, scope.counts, (page - 1) * pageSize, pageSize),
  ]);
  const timeZone = await timeZoneOf(services.stores, context.storeId);
  const saleIds = [...new Set(rows.map(({ saleId }) => saleId))];
  const [customers, details, numbers, locations, documents] = await Promise.all([
    customersOf(context, services, rows),
    readDetails(
      context,
      rows.map(({ lotId }) => lotId),
      scope.facts,
      timeZone,
    ),
    numbersOf(context, saleIds),
    services.locations.names(context),
    documentsOf(context, saleIds),
  ]);
  const soldLines = rows.map((row) => ({
    saleNumber: numbers.get(row.saleId) ?? null,
    ...soldLine(row, details(row.lotId), customers),
    location: locations.get(row.locationId) ?? null,
    fiscalDocuments: documents.get(row.saleId) ?? [],
  }));
  const total = scope.counts.reduce((sum, { lines }) => sum + lines, 0);
  return `${overview},${JSON.stringify({ sales: soldLines, page, pageSize, total }).slice(1)}`;
}

/** The numbers of the sales, which people know them by. */
export async function numbersOf(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = ids.length === 0 ? [] : await context.reads.getColumns(sales, ids, ['number']);
  return new Map(ids.flatMap((id, index) => (found[index] ? [[id, Number(found[index].number)] as const] : [])));
}

function soldLine(row: SoldLotDocument, lot: LotDetails, customers: ReadonlyMap<string, CustomerFacts>) {
  const { quantity, returnedQuantity, netQuantity } = quantitiesOf(row);
  return {
    saleId: row.saleId,
    soldAt: row.soldAt,
    variantId: row.variantId,
    description: lot.description,
    unit: lot.unit,
    lotId: row.lotId,
    lotCode: lot.lotCode,
    expiresOn: lot.expiresOn,
    supplier: lot.supplier,
    document: lot.document,
    quantity: quantity.toNumber(),
    returnedQuantity: returnedQuantity.toNumber(),
    netQuantity: netQuantity.toNumber(),
    customer: row.customerId === null ? null : named(customers.get(row.customerId) ?? unknown(row.customerId)),
  };
}

const named = ({ id, name, document, phone, email }: CustomerFacts) => ({ id, name, document, phone, email });

const unknown = (id: string): CustomerFacts => ({ id, name: null, document: null, phone: null, email: null });
