import type { OrderDocument } from '../../../projections/production/orders.js';
import { orders } from '../../../projections/production/orders.js';
import { grouped } from '../../kernel/values/grouped.js';
import type { RequestContext } from '../../kernel/routes/route.js';
import type { LotQuantity } from './epcis-document.js';
import { epcisDocument, saleEvent, transformationEvent } from './epcis-document.js';
import type { Edge } from './graph-walk.js';
import { MAX_DEPTH, lotOf, merged, orderOf, walk } from './graph-walk.js';
import { edgeReader } from './edges.js';
import type { LotLabel } from './lots.js';
import { lotsById } from './lots.js';
import type { RecallServices, Scope } from './recall-scope.js';
import { allSold, quantitiesOf } from './sold-rows.js';

/** The orders between the lots as transformations, then every sale. */
export const recallEpcis = (context: RequestContext, services: RecallServices, scope: Scope): AsyncGenerator<string> =>
  epcisDocument(context.at, events(context, services, scope));

async function* events(context: RequestContext, services: RecallServices, scope: Scope): AsyncGenerator<object> {
  const publisher = { baseUrl: context.client.baseUrl };
  yield* transformations(context, services, scope);
  for await (const rows of allSold(context.reads, scope.counts)) {
    for (const row of rows) {
      const lot = scope.lots.get(row.lotId);
      if (!lot) continue;
      const { quantity } = quantitiesOf(row);
      const goods = quantityOf(lot, quantity, scope);
      yield saleEvent({ saleId: row.saleId, line: row.line, soldAt: row.soldAt, goods }, publisher);
    }
  }
}

const ORDERS_AT_ONCE = 200;

async function* transformations(
  context: RequestContext,
  { catalogue }: RecallServices,
  scope: Scope,
): AsyncGenerator<object> {
  const publisher = { baseUrl: context.client.baseUrl };
  const start = scope.matched.map(({ lotId }) => lotId);
  const walked = await walk(edgeReader(context), start, 'forward', MAX_DEPTH);
  const ids = [...walked.orders.keys()];
  const byOrder = grouped(merged(walked.edges), orderOf);
  for (let first = 0; first < ids.length; first += ORDERS_AT_ONCE) {
    const some = ids.slice(first, first + ORDERS_AT_ONCE);
    const records = await context.reads.getMany(orders, some);
    const edges = some.flatMap((id) => byOrder.get(id) ?? []);
    const lotIds = new Set(edges.map(lotOf));
    const lots = new Map<string, LotLabel>([...(await lotsById(context, [...lotIds])), ...scope.lots]);
    const variantIds = [...lots.values()].map(({ variantId }) => variantId);
    const facts = new Map([...scope.facts, ...(await catalogue.labels(context, variantIds))]);
    for (const { id, body } of records) {
      const { completedAt, createdAt } = JSON.parse(body) as OrderDocument;
      const quantities = (kind: Edge['kind']) =>
        (byOrder.get(id) ?? []).flatMap((edge) => {
          const lot = edge.kind === kind ? lots.get(lotOf(edge)) : undefined;
          return lot && edge.quantity.isPositive ? [quantityOf(lot, edge.quantity, { facts })] : [];
        });
      const production = { inputs: quantities('USED'), outputs: quantities('MADE') };
      yield transformationEvent({ orderId: id, completedAt: completedAt ?? createdAt, ...production }, publisher);
    }
  }
}

function quantityOf(
  { lotId, lotCode, variantId }: LotLabel,
  quantity: LotQuantity['quantity'],
  { facts }: Pick<Scope, 'facts'>,
): LotQuantity {
  const variant = facts.get(variantId);
  return { lotId, lotCode, gtin: variant?.gtin ?? '', unit: variant?.saleUnit ?? 'UN', quantity };
}
