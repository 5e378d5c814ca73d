import type { SoldLotDocument } from '../../../projections/traceability/sold-lots.js';
import type { RequestContext } from '../../kernel/routes/route.js';
import type { CustomerFacts } from '../contracts/customer-directory.js';
import { overviewOf } from './recall-overview.js';
import type { RecallRequest, RecallServices, Scope } from './recall-scope.js';
import { foundBy, keyOf, scopeIn } from './recall-scope.js';
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
  const found = await foundBy(context, services, request);
  let made: Promise<Scope> | undefined;
  const scopeMade = () => (made ??= scopeIn(context, services, request, found));
  const makeOverview = () => overviewOf(context, found, scopeMade);
  const weigh = ({ length }: string) => length / CHARACTERS_OF_A_RECORD;
  const { version } = found;
  const [overview, { scope, rows }] = await Promise.all([
    services.cache.of({ storeId: context.storeId, version }, `overview ${keyOf(request)}`, makeOverview, weigh),
    scopeMade().then(async (scope) => ({
      scope,
      rows: await soldPage(context.reads, scope.counts, (page - 1) * pageSize, pageSize),
    })),
  ]);
  const customers = await customersOf(context, services, rows);
  const sales = rows.map((row) => soldLine(row, scope, customers));
  const total = scope.counts.reduce((sum, { lines }) => sum + lines, 0);
  return `${overview},${JSON.stringify({ sales, page, pageSize, total }).slice(1)}`;
}

function soldLine(row: SoldLotDocument, { lots, facts }: Scope, customers: ReadonlyMap<string, CustomerFacts>) {
  const { quantity, returnedQuantity, netQuantity } = quantitiesOf(row);
  return {
    saleId: row.saleId,
    soldAt: row.soldAt,
    variantId: row.variantId,
    description: facts.get(row.variantId)?.description ?? null,
    lotCode: lots.get(row.lotId)?.lotCode ?? null,
    quantity: quantity.toNumber(),
    returnedQuantity: returnedQuantity.toNumber(),
    netQuantity: netQuantity.toNumber(),
    customer: row.customerId === null ? null : (customers.get(row.customerId) ?? unknown(row.customerId)),
    fiscalDocuments: [],
  };
}

const unknown = (id: string): CustomerFacts => ({ id, name: null, document: null, phone: null, email: null });
