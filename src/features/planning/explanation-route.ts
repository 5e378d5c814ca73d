import { z } from 'zod';
import { counted, entity } from '../../kernel/events/history.js';
import { NOT_FOUND, Rejection } from '../../kernel/events/rejection.js';
import type { RequestContext } from '../../kernel/routes/request-context.js';
import type { Route } from '../../kernel/routes/route.js';
import { route } from '../../kernel/routes/route.js';
import { Decimal } from '../../kernel/values/decimal.js';
import { pathId } from '../../kernel/values/fields.js';
import { firstEventOf } from '../contracts/entity-events.js';
import type { ExplainedLine, Wording } from '../contracts/explanation.js';
import {
  explanationAnswer,
  explanationQuery,
  pageOfLines,
  shownExplanation,
  sumOf,
  wordingFor,
} from '../contracts/explanation.js';
import type { FeatureServices } from '../contracts/feature.js';
import type { OpenOutput } from '../contracts/stock-keeper.js';
import type { Outlook } from './domain/suggestion.js';
import { suggest, targetOf } from './domain/suggestion.js';
import type { PlanningServices } from './outlooks.js';
import { outlooks } from './outlooks.js';
import { planningQuery } from './planning-routes.js';

type Services = PlanningServices & Pick<FeatureServices, 'catalogue' | 'eventStore'>;

/** Orders are shown with the events with which they began; of many the first ones. */
const MOST_ORDERS = 200;

async function orderLines(
  { eventStore }: Services,
  context: RequestContext,
  orders: readonly OpenOutput[],
  say: Wording,
): Promise<ExplainedLine[]> {
  const shown = orders.slice(0, MOST_ORDERS);
  const rest = orders.slice(MOST_ORDERS);
  const began = await Promise.all(
    shown.map(({ orderId }) => firstEventOf(eventStore, context, entity('order', orderId))),
  );
  const lines = shown.map(({ number, quantity }, index): ExplainedLine => {
    const event = began[index];
    const text = say.text(`Ordem ${String(number)}`, `Order ${String(number)}`);
    return { text, quantity: quantity.negated(), ...(event ? { eventId: event.id, at: event.meta.at } : {}) };
  });
  if (rest.length === 0) return lines;
  const quantity = Decimal.sum(rest.map((order) => order.quantity)).negated();
  return [
    ...lines,
    {
      text: say.text(
        `Mais ${counted(rest.length, 'ordem', 'ordens')}`,
        counted(rest.length, 'more order', 'more orders'),
      ),
      quantity,
    },
  ];
}

function linesOf(
  outlook: Outlook,
  orders: readonly ExplainedLine[],
  {
    days,
    total,
    batches,
    unit,
  }: { readonly days: number; readonly total: Decimal; readonly batches: number; readonly unit: string | undefined },
  say: Wording,
): ExplainedLine[] {
  const { used, free, planned } = outlook;
  const usedSaid = unit === undefined ? say.number(used) : `${say.number(used)} ${unit}`;
  const lines: ExplainedLine[] = [
    {
      text: say.text(
        `Consumo esperado em ${counted(days, 'dia', 'dias')}: ${usedSaid} em ${counted(outlook.days, 'dia passado', 'dias passados')}`,
        `Expected use in ${counted(days, 'day', 'days')}: ${usedSaid} in ${counted(outlook.days, 'past day', 'past days')}`,
      ),
      quantity: targetOf(outlook, days),
    },
    { text: say.text('Estoque livre', 'Free stock'), quantity: free.negated() },
    {
      text: say.text('Ordens planejadas e em produção', 'Planned and started orders'),
      quantity: planned.negated(),
      ...(orders.length > 0 ? { lines: orders } : {}),
    },
  ];
  const rest = total.minus(sumOf(lines, 'quantity'));
  if (rest.isZero) return lines;
  const text =
    batches === 0
      ? say.text('Nada a produzir: já há o bastante', 'Nothing to make: there is enough')
      : say.text(
          `Arredondado para ${counted(batches, 'batelada', 'bateladas')}`,
          `Rounded up to ${counted(batches, 'batch', 'batches')}`,
        );
  return [...lines, { text, quantity: rest }];
}

export const explainPlanning = (services: Services): Route =>
  route({
    method: 'get',
    path: '/explain/planning/{recipeId}',
    operationId: 'explainPlanning',
    tag: 'Explanations',
    summary: 'Explains how much of a recipe is suggested to be made',
    description: 'The total is the suggestedQty of the planning suggestions with the same days.',
    permission: 'production.view',
    request: { params: z.strictObject({ recipeId: pathId }), query: planningQuery.extend(explanationQuery.shape) },
    response: { status: 200, schema: explanationAnswer },
    async handle({ params: { recipeId }, query: { days, lookbackDays, ...query } }, context) {
      const recipe = await services.recipes.inForce(context, recipeId);
      if (!recipe) throw new Rejection(NOT_FOUND);
      const outlook = (await outlooks(services, context, [recipe], lookbackDays))(recipe);
      const { suggestedQty, suggestedBatches: batches } = suggest(recipe, outlook, days);
      const say = wordingFor(context);
      const total = Decimal.from(suggestedQty);
      const { finishedVariantId } = recipe;
      const [orders, variants] = await Promise.all([
        orderLines(services, context, outlook.orders, say),
        services.catalogue.variants(context, [finishedVariantId]),
      ]);
      const unit = variants.get(finishedVariantId)?.saleUnit;
      const lines = linesOf(outlook, orders, { days, total, batches, unit }, say);
      return { body: shownExplanation({ total: { quantity: total }, ...pageOfLines(lines, query) }, true) };
    },
  });
