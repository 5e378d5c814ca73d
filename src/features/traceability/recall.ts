import { customers } from '../../../projections/customers/customers.js';
import { fiscalDocuments } from '../../../projections/fiscal/documents.js';
import { products } from '../../../projections/products/products.js';
import { sales } from '../../../projections/sales/sales.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Resting } from '../../ports/read-models.js';
import type { CustomerFacts } from '../contracts/customer-directory.js';
import type { KnownProducts } from './found-lots.js';
import type { LotDetails } from './lot-details.js';
import { readDetails } from './lot-details.js';
import type { Surroundings } from './recall-overview.js';
import { summedUp, surroundingsOf } from './recall-overview.js';
import type { RecallRequest, RecallServices } from './recall-scope.js';
import { keyOf, reachOf, withProducts } from './recall-scope.js';
import { documentsOf } from './sale-documents.js';
import type { SoldLot } from './sold-rows.js';
import { quantitiesOf, soldPage } from './sold-rows.js';
import { RESTS_ON } from './what-became.js';

/** What a recall shows beside the lots and orders that it reaches. The numbers of sales never change. */
const SHOWS = { collections: [fiscalDocuments], records: [products, customers] };

interface RecallPage {
  readonly page: number;
  readonly pageSize: number;
}

/** The answer as JSON. It is kept by itself: what the recall reaches takes twenty times as much room, and may be gone before. */
export async function recall(
  context: RequestContext,
  services: RecallServices,
  request: RecallRequest & RecallPage,
): Promise<Buffer> {
  const { page, pageSize } = request;
  const surroundings = await surroundingsOf(context, services);
  const said = [surroundings.timeZone, ...surroundings.locationNames.entries()];
  const key = JSON.stringify(['recall', keyOf(request), page, pageSize, ...said]);
  return context.reads.kept({ ...SHOWS, about: RESTS_ON }, key, async (resting) => {
    const made = () => pageOf(context, services, request, surroundings, resting);
    let answer = await made();
    for (let tries = 1; answer.isOutdated && tries < TRIES; tries++) answer = await made();
    const { members, sales, total } = answer;
    return Buffer.from(`${members},${JSON.stringify({ sales, page, pageSize, total }).slice(1)}`);
  });
}

/** How often it is made anew because more was sold in the meantime. */
const TRIES = 5;

async function pageOf(
  context: RequestContext,
  services: RecallServices,
  { page, pageSize, ...request }: RecallRequest & RecallPage,
  surroundings: Surroundings,
  resting: Resting,
) {
  const reach = await reachOf(context, request, true);
  for (const subjects of reach.restsOn) resting.about(subjects);
  const scope = await withProducts(context, services, reach);
  const shownProducts = [...scope.facts.values()].map(({ productId }) => productId);
  resting.shows(products, shownProducts);
  const { timeZone, locationNames } = surroundings;
  const key = JSON.stringify(['recall overview', reach.number, timeZone, ...locationNames.entries()]);
  const overview = context.reads.kept(SHOWS, key, async ({ shows, takes }) => {
    shows(products, shownProducts);
    shows(customers, []);
    const json = JSON.stringify(await summedUp(context, scope, surroundings));
    takes(json.length);
    return json.slice(0, -1);
  });
  const found = soldPage(context.reads, scope.lots, (page - 1) * pageSize, pageSize);
  const known = { ...surroundings, facts: scope.facts, resting };
  const lines = found.then(({ rows }) => soldLines(context, services, rows, known));
  const [members, sales, { isOutdated }] = await Promise.all([overview, lines, found]);
  return { members, sales, total: scope.lots.reduce((sum, { lines: some }) => sum + some, 0), isOutdated };
}

async function soldLines(
  context: RequestContext,
  services: RecallServices,
  rows: readonly SoldLot[],
  known: Surroundings & KnownProducts & { readonly resting: Pick<Resting, 'shows'> },
) {
  const { facts, timeZone, locationNames, resting } = known;
  const saleIds = [...new Set(rows.map(({ saleId }) => saleId))];
  const customerIds = [...new Set(rows.map(({ customerId }) => customerId).filter((id) => id !== null))];
  resting.shows(customers, customerIds);
  const [people, details, numbers, documents] = await Promise.all([
    customersOf(context, services, customerIds),
    readDetails(
      context,
      rows.map(({ lotId }) => lotId),
      facts,
      timeZone,
    ),
    numbersOf(context, saleIds),
    documentsOf(context, saleIds),
  ]);
  return rows.map((row) => ({
    saleNumber: numbers.get(row.saleId) ?? null,
    ...soldLine(row, details(row.lotId), people),
    location: locationNames.get(row.locationId) ?? null,
    fiscalDocuments: documents.get(row.saleId) ?? [],
  }));
}

const customersOf = (
  context: RequestContext,
  { customers: directory }: RecallServices,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CustomerFacts>> =>
  ids.length === 0 ? Promise.resolve(new Map()) : directory.byIds(context, ids);

/** The numbers of the sales, which people know them by. */
export async function numbersOf(context: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = ids.length === 0 ? [] : await context.reads.getColumns(sales, ids, ['number']);
  return new Map(ids.flatMap((id, index) => (found[index] ? [[id, Number(found[index].number)] as const] : [])));
}

function soldLine(row: SoldLot, lot: LotDetails, customers: ReadonlyMap<string, CustomerFacts>) {
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
