import { z } from 'zod';
import type { CardPaymentsDocument } from '../../../../projections/card-fees/card-payments.js';
import { cardPayments } from '../../../../projections/card-fees/card-payments.js';
import type { LotDocument } from '../../../../projections/inventory/lots.js';
import { lots, worthOf } from '../../../../projections/inventory/lots.js';
import { orders } from '../../../../projections/production/orders.js';
import type { SaleDocument } from '../../../../projections/sales/sales.js';
import { sales } from '../../../../projections/sales/sales.js';
import { metaOf } from '../../../kernel/events/recorded.js';
import { entity } from '../../../kernel/events/history.js';
import { NOT_FOUND, Rejection } from '../../../kernel/events/rejection.js';
import type { RequestContext } from '../../../kernel/routes/request-context.js';
import type { Route } from '../../../kernel/routes/route.js';
import { route } from '../../../kernel/routes/route.js';
import { toIso } from '../../../kernel/values/clock.js';
import { endOf, LAST_MOMENT, queryMoment } from '../../../kernel/values/days.js';
import { pathId } from '../../../kernel/values/fields.js';
import type { RecordCollection, StoredRecord } from '../../../ports/read-models.js';
import { eventPage } from '../../contracts/entity-events.js';
import type { Explained, ExplanationQuery } from '../../contracts/explanation.js';
import {
  explanationAnswer,
  explanationQuery,
  pageOfLines,
  shownExplanation,
  sumOf,
  wordingFor,
} from '../../contracts/explanation.js';
import { timeZoneOf } from '../../contracts/time-zone.js';
import { inventory } from '../decider.js';
import { figuresOf } from '../sales/costs.js';
import { withFeesInForce } from '../sales/fees-in-force.js';
import { hiddenLots, producedVariants } from '../stock/costs.js';
import { explainedAverage } from './average-lines.js';
import type { Completed } from './cost-lines.js';
import { laborLine, materialLines, placeOf } from './cost-lines.js';
import { explainedKit } from './kit-lines.js';
import type { ExplanationServices } from './lot-costs.js';
import { LotCosts, planOf } from './lot-costs.js';
import { lotLine } from './lot-lines.js';
import { goodsSold, soldLine } from './sale-lines.js';
import { documentOf } from '../../../kernel/routes/stored-records.js';

/** Why a figure is what it is. */

const response = { status: 200, schema: explanationAnswer } as const;
const common = { method: 'get', tag: 'Explanations', response } as const;
const COSTS = 'production.costs';

async function expectRecord(
  context: RequestContext,
  collection: RecordCollection<never>,
  id: string,
): Promise<StoredRecord> {
  const record = await context.reads.get(collection, id);
  if (!record) throw new Rejection(NOT_FOUND);
  return record;
}

const seesCostsOf = async (context: RequestContext, { lotId }: LotDocument): Promise<boolean> =>
  !(await hiddenLots(context, [lotId])).has(lotId);

const explainLot = ({ eventStore }: ExplanationServices): Route =>
  route({
    ...common,
    path: '/explain/lots/{lotId}',
    operationId: 'explainLot',
    summary: 'Explains what is left of a lot and what that is worth',
    description: 'Each event that moved goods of the lot is a line; they add up to what is there.',
    permission: 'stock.view',
    request: { params: z.strictObject({ lotId: pathId }), query: explanationQuery },
    async handle({ params: { lotId }, query }, context) {
      const lot = documentOf(lots, await expectRecord(context, lots, lotId));
      const say = wordingFor(context);
      // What happens from now on belongs to another total.
      const { events, nextCursor } = await eventPage(eventStore, context, entity('lot', lotId), {
        ...query,
        upTo: lot.seen,
      });
      const lines = events.flatMap((event) => lotLine(event, lotId, say) ?? []);
      return { body: shownExplanation({ total: worthOf(lot), lines, nextCursor }, await seesCostsOf(context, lot)) };
    },
  });

const explainLotCost = (services: ExplanationServices): Route =>
  route({
    ...common,
    path: '/explain/lots/{lotId}/cost',
    operationId: 'explainLotCost',
    summary: 'Explains what a lot cost when it entered, down to receipts and labour',
    description:
      'A line that took from another lot names it in `ref`; what that lot cost as a whole stands once in `parts`, whose lines lead on. ' +
      'Parts go 20 levels deep and are 200 at most; a lot that is not among them is explained at its own address.',
    permission: 'stock.view',
    request: { params: z.strictObject({ lotId: pathId }), query: explanationQuery },
    async handle({ params: { lotId }, query }, context) {
      const lot = documentOf(lots, await expectRecord(context, lots, lotId));
      const seesCosts = await seesCostsOf(context, lot);
      const costs = new LotCosts(services, context, wordingFor(context, seesCosts));
      const own = await costs.of(lotId);
      if (!own) throw new Rejection(NOT_FOUND);
      const page = pageOfLines(own.lines, query);
      const parts = await costs.below(page.lines, [lotId]);
      return { body: shownExplanation({ total: own.total, ...page, parts }, seesCosts) };
    },
  });

const explainAverage = ({ stores, catalogue }: ExplanationServices): Route =>
  route({
    ...common,
    path: '/explain/variants/{id}/average-cost',
    operationId: 'explainAverageCost',
    summary: 'Explains the average cost of a variant: what each entry did to it',
    description:
      'Of a kit the lines are its parts, each at its average cost; what it was made of in the past is not told.',
    permission: 'stock.view',
    request: {
      params: z.strictObject({ id: pathId }),
      query: explanationQuery.extend({
        at: queryMoment.optional().meta({ description: 'As it was then; a date means the end of that day' }),
      }),
    },
    async handle({ params: { id }, query: { at, ...query } }, context) {
      const kit = at === undefined ? await explainedKit(catalogue, context, id, query) : undefined;
      if (kit) return { body: shownExplanation(kit.explained, kit.seesCosts) };
      const timeZone = await timeZoneOf(stores, context.storeId);
      const upTo = toIso(at === undefined ? LAST_MOMENT : endOf(at, timeZone));
      const seesCosts = !(await producedVariants(context, [id])).has(id);
      const label = (await catalogue.labels(context, [id])).get(id);
      const variant = { variantId: id, unit: label?.saleUnit ?? '' };
      const explained = await explainedAverage(context, variant, { ...query, upTo }, wordingFor(context, seesCosts));
      if (!explained && !label) throw new Rejection(NOT_FOUND);
      return { body: shownExplanation(explained ?? { total: {}, lines: [] }, seesCosts) };
    },
  });

const explainOrder = (services: ExplanationServices): Route =>
  route({
    ...common,
    path: '/explain/orders/{id}',
    operationId: 'explainOrder',
    summary: 'Explains what a production order cost: what it used, and the work',
    description: 'The total is its totalCost. An order that is not completed has none yet.',
    permission: 'production.view',
    request: { params: z.strictObject({ id: pathId }), query: explanationQuery },
    async handle({ params: { id }, query }, context) {
      const { revisions } = documentOf(orders, await expectRecord(context, orders, id));
      const events = await context.eventsAt(inventory, revisions);
      const completed = events.find(
        (event): event is Completed => event.type === 'OrderCompleted' && event.data.orderId === id,
      );
      const explained = completed
        ? await completedOrder(services, context, completed, query)
        : notCompleted(context, events[0], query);
      return { body: shownExplanation(explained, context.may(COSTS)) };
    },
  });

async function completedOrder(
  services: ExplanationServices,
  context: RequestContext,
  completed: Completed,
  query: ExplanationQuery,
): Promise<Explained> {
  const say = wordingFor(context, context.may(COSTS));
  const costs = new LotCosts(services, context, say);
  await costs.learn(completed.data.consumptions.map(({ variantId }) => variantId));
  const labor = laborLine(completed, await planOf(services, context, completed), say);
  const page = pageOfLines([...materialLines(completed, 'cost', costs.goodsOf, say), ...(labor ? [labor] : [])], query);
  return { total: { value: completed.data.totalCost }, ...page, parts: await costs.below(page.lines) };
}

function notCompleted(
  context: RequestContext,
  began: Parameters<typeof placeOf>[0] | undefined,
  query: ExplanationQuery,
): Explained {
  const text = wordingFor(context).text(
    'A ordem não foi concluída: ainda não custou nada',
    'The order is not completed: it has cost nothing yet',
  );
  return { total: {}, ...pageOfLines([{ text, ...(began ? placeOf(began) : {}) }], query) };
}

const explainSale = (services: ExplanationServices): Route =>
  route({
    ...common,
    path: '/explain/sales/{id}',
    operationId: 'explainSale',
    summary: 'Explains the margin of a sale, line by line',
    description:
      'The margin of a line is what was paid for it, less what its lots cost and its share of card fees. Without production.costs costs and margins are missing.',
    permission: 'sales.view',
    request: { params: z.strictObject({ id: pathId }), query: explanationQuery },
    async handle({ params: { id }, query }, context) {
      const record = await expectRecord(context, sales, id);
      const sale = (await withFeesInForce(context.reads, documentOf(sales, record))) as SaleDocument;
      const say = wordingFor(context);
      const seesCosts = context.may(COSTS);
      const [facts, recalculations] = await Promise.all([
        context.eventsAt(inventory, sale.revisions),
        recalculationsOf(services, context, sale),
      ]);
      const costs = new LotCosts(services, context, say);
      await costs.learn([...sale.items.map(({ variantId }) => variantId), ...goodsSold({ sale, facts })]);
      const told = { sale, facts, recalculations, goodsOf: costs.goodsOf, say };
      const lines = figuresOf(sale, sale.costs).map((figures, index) => soldLine(told, index, figures, seesCosts));
      const page = pageOfLines(lines, query);
      const parts = seesCosts ? { parts: await costs.below(page.lines.flatMap((line) => line.lines ?? [])) } : {};
      const total = seesCosts ? { value: sumOf(lines, 'value') } : {};
      return { body: shownExplanation({ total, ...page, ...parts }, true) };
    },
  });

/** The recalculations that gave payments their fees. */
async function recalculationsOf({ eventStore }: ExplanationServices, context: RequestContext, sale: SaleDocument) {
  const found = new Map<number, { readonly eventId: string; readonly at: string }>();
  const record = sale.cardPlace === null ? undefined : await context.reads.get(cardPayments, sale.cardPlace);
  if (!record) return found;
  const document = JSON.parse(record.body) as CardPaymentsDocument;
  const entries = document.sales.find(([saleId]) => saleId === sale.id)?.[3] ?? [];
  const changed = entries.flatMap(([payment, , , , , before]) => (before ? [{ payment, position: before[2] }] : []));
  const events = changed.length === 0 ? [] : await eventStore.readAt(changed.map(({ position }) => position));
  for (const { payment, position } of changed) {
    const event = events.find((stored) => stored.position === position);
    if (event) found.set(payment, { eventId: event.id, at: metaOf(event).at });
  }
  return found;
}

export const explanationRoutes = (services: ExplanationServices): readonly Route[] => [
  explainLot(services),
  explainLotCost(services),
  explainAverage(services),
  explainOrder(services),
  explainSale(services),
];
