import type { OrderDocument } from '../../../projections/production/orders.js';
import { orders } from '../../../projections/production/orders.js';
import type { SaleDocument } from '../../../projections/sales/sales.js';
import { sales } from '../../../projections/sales/sales.js';
import { batchesOf } from '../../kernel/values/batches.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { grouped } from '../../kernel/values/grouped.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { LotQuantity, Publisher } from './epcis-document.js';
import { epcisDocument, returnEvent, reversalEvents, saleEvent, transformationEvent } from './epcis-document.js';
import type { Edge } from './graph-walk.js';
import { MAX_DEPTH, lotOf, merged, orderOf } from './graph-walk.js';
import { walkWithEdges } from './edges.js';
import type { LotLabel } from './lots.js';
import { lotsById } from './lots.js';
import type { RecallServices, Scope } from './recall-scope.js';
import type { SoldLot } from './sold-rows.js';
import { allSold, quantitiesOf } from './sold-rows.js';

/** The orders between the lots as transformations, each with its reversals, then every sale with its returns. */
export function recallEpcis(
  context: RequestContext,
  services: RecallServices,
  scope: Scope,
  { timeZone }: Pick<Publisher, 'timeZone'>,
): AsyncGenerator<string> {
  const publisher = { baseUrl: context.client.baseUrl, timeZone };
  return epcisDocument(context.at, events(context, services, scope, publisher));
}

async function* events(
  context: RequestContext,
  services: RecallServices,
  scope: Scope,
  publisher: Publisher,
): AsyncGenerator<object> {
  yield* transformations(context, services, scope, publisher);
  const lots = new Map(scope.lots.map((lot) => [lot.lotId, lot]));
  for await (const rows of allSold(context.reads, scope.lots)) {
    const returnsOf = await returnsIn(context, rows);
    for (const row of rows) {
      const lot = lots.get(row.lotId);
      if (!lot) continue;
      const { saleId, line, soldAt } = row;
      const sold = (quantity: Decimal) => ({ saleId, line, soldAt, goods: quantityOf(lot, quantity, scope) });
      yield saleEvent(sold(quantitiesOf(row).quantity), publisher);
      for (const { returnId, returnedAt, quantity } of returnsOf(row)) {
        yield returnEvent({ ...sold(quantity), returnId, returnedAt }, publisher);
      }
    }
  }
}

interface ReturnedLot {
  readonly returnId: string;
  readonly returnedAt: string;
  readonly quantity: Decimal;
}

/** What of each row came back when, from its sale; only sales of which something did are read. */
async function returnsIn(
  context: RequestContext,
  rows: readonly SoldLot[],
): Promise<(row: SoldLot) => readonly ReturnedLot[]> {
  const ids = [...new Set(rows.flatMap((row) => (row.returnedQuantity === '0' ? [] : [row.saleId])))];
  const bodies = ids.length === 0 ? [] : await context.reads.getBodies(sales, ids);
  const found = bodies.flatMap((body) => (body === undefined ? [] : [JSON.parse(body) as SaleDocument]));
  const bySale = new Map(found.map(({ id, returns }) => [id, returns]));
  return ({ saleId, line, lotId }) =>
    (bySale.get(saleId) ?? []).flatMap(({ id: returnId, at: returnedAt, items }) => {
      const lots = items.filter((item) => item.line === line).flatMap((item) => item.lots);
      const back = lots.filter((lot) => lot.lotId === lotId).map(({ quantity }) => Decimal.from(quantity));
      return back.length === 0 ? [] : [{ returnId, returnedAt, quantity: Decimal.sum(back) }];
    });
}

const ORDERS_AT_ONCE = 200;

async function* transformations(
  context: RequestContext,
  { catalogue }: RecallServices,
  scope: Scope,
  publisher: Publisher,
): AsyncGenerator<object> {
  const start = scope.matched.map(({ lotId }) => lotId);
  const { walked, edges: all } = await walkWithEdges(context, 'forward', start, MAX_DEPTH);
  const ids = walked.orders.map(({ subject }) => subject);
  // What a reversal brought back is an event of its own.
  const byOrder = grouped(merged(all.filter(({ quantity }) => quantity > 0)), orderOf);
  for (const some of batchesOf(ids, ORDERS_AT_ONCE)) {
    const records = await context.reads.getMany(orders, some);
    const edges = some.flatMap((id) => byOrder.get(id) ?? []);
    const lotIds = new Set(edges.map(lotOf));
    const lots: ReadonlyMap<string, LotLabel> = await lotsById(context, [...lotIds]);
    const variantIds = [...lots.values()].map(({ variantId }) => variantId);
    const facts = new Map([...scope.facts, ...(await catalogue.labels(context, variantIds))]);
    for (const { id, body } of records) {
      const order = JSON.parse(body) as OrderDocument;
      const { completedAt, createdAt } = order;
      const quantities = (kind: Edge['kind']) =>
        (byOrder.get(id) ?? []).flatMap((edge) => {
          const lot = edge.kind === kind ? lots.get(lotOf(edge)) : undefined;
          return lot && edge.quantity.isPositive ? [quantityOf(lot, edge.quantity, { facts })] : [];
        });
      const production = { inputs: quantities('USED'), outputs: quantities('MADE') };
      yield transformationEvent({ orderId: id, completedAt: completedAt ?? createdAt, ...production }, publisher);
      for (const [index, reversal] of order.reversals.entries()) {
        yield* reversalEvents(
          { orderId: id, index, at: reversal.at, ...reversedLots(order, reversal, lots, facts) },
          publisher,
        );
      }
    }
  }
}

/** The reversals of the lots that the recall knows. */
function reversedLots(
  { outputLotId }: OrderDocument,
  { quantity, inputs, byproducts }: OrderDocument['reversals'][number],
  lots: ReadonlyMap<string, LotLabel>,
  facts: Scope['facts'],
) {
  const known = (parts: readonly { readonly lotId: string; readonly quantity: number }[]) =>
    parts.flatMap((part) => {
      const lot = lots.get(part.lotId);
      return lot ? [quantityOf(lot, Decimal.from(part.quantity), { facts })] : [];
    });
  const output = outputLotId === null ? [] : [{ lotId: outputLotId, quantity }];
  return { unmade: known([...output, ...byproducts]), broughtBack: known(inputs) };
}

function quantityOf(
  { lotId, lotCode, variantId }: LotLabel,
  quantity: LotQuantity['quantity'],
  { facts }: Pick<Scope, 'facts'>,
): LotQuantity {
  const variant = facts.get(variantId);
  return { lotId, lotCode, gtin: variant?.gtin ?? '', unit: variant?.saleUnit ?? 'UN', quantity };
}
