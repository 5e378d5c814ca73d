import { useState } from 'preact/hooks';
import type { components } from 'openapi-client';
import { api, body, plainPage } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { Link } from '../../parts/link.js';
import { Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { Why } from '../../parts/why.js';
import { day, isoDay, oneDecimal, quantity, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { Nothing } from './nothing.js';
import { Rest, SeeAll } from './rest.js';
import { words } from './words.js';

type Order = components['schemas']['ProductionOrder'];
type Suggestion = components['schemas']['PlanningSuggestion'];

const SHOWN = 8;
const DAYS = 7;

async function openOrders(signal: AbortSignal): Promise<{ readonly shown: readonly Order[]; readonly total: number }> {
  const [running, planned] = await Promise.all(
    (['IN_PROGRESS', 'PLANNED'] as const).map((status) => {
      const query = { status, sort: 'due', limit: SHOWN } as const;
      return plainPage(api.GET('/bakery-production/orders', { params: { query }, signal }));
    }),
  );
  const all = [...(running?.items ?? []), ...(planned?.items ?? [])];
  return { shown: all.slice(0, SHOWN), total: (running?.total ?? 0) + (planned?.total ?? 0) };
}

export function OpenOrders() {
  const t = useWords(words);
  const orders = useRead({ key: ['today', 'orders'], kinds: ['order'], read: openOrders });
  return (
    <Section title={t('orders')} actions={<SeeAll of={t('orders')} href="/producao" />}>
      <Shown reading={orders}>
        {({ shown, total }) => (
          <Nothing when={total === 0} text={t('noOrders')}>
            <ul class="agenda">
              {shown.map((order) => (
                <OpenOrder key={order.id} order={order} />
              ))}
            </ul>
            <Rest count={total - shown.length} href="/producao" />
          </Nothing>
        )}
      </Shown>
    </Section>
  );
}

function OpenOrder({ order }: { readonly order: Order }) {
  const t = useWords(words);
  const due = order.expectedAt ? isoDay(0, Date.parse(order.expectedAt)) : undefined;
  const isLate = due !== undefined && due < isoDay();
  const isRunning = order.status === 'IN_PROGRESS';
  const done = order.stages.filter((stage) => stage.done).length;
  return (
    <li>
      <Link href={`/producao/${order.id}`}>
        {order.recipeName} · {whole(order.number)}
      </Link>
      <span class="fine">
        {t('batches', { count: quantity(order.batches), n: order.batches })}
        {order.stages.length > 0 && ` · ${t('stages', { done, n: order.stages.length })}`}
      </span>
      {isLate ? (
        <Status tone="bad">{t('late', { day: day(due) })}</Status>
      ) : (
        <Status tone={isRunning ? 'active' : 'calm'}>{isRunning ? t('running') : t('due', { day: day(due) })}</Status>
      )}
    </li>
  );
}

export function Suggestions() {
  const t = useWords(words);
  const [isAll, setAll] = useState(false);
  const suggestions = useRead({
    key: ['today', 'suggestions'],
    kinds: ['order', 'sale', 'lot', 'recipe'],
    read: (signal) =>
      body(api.GET('/bakery-production/planning/suggestions', { params: { query: { days: DAYS } }, signal })),
  });
  return (
    <Section title={t('suggestions')}>
      <Shown reading={suggestions}>
        {(all) => {
          const wanted = all
            .filter(({ suggestedBatches }) => suggestedBatches > 0)
            .sort((a, b) => (a.coverageDays ?? 0) - (b.coverageDays ?? 0));
          return (
            <Nothing when={wanted.length === 0} text={t('noSuggestions')}>
              <ul class="agenda">
                {wanted.slice(0, isAll ? wanted.length : SHOWN).map((suggestion) => (
                  <OneSuggestion key={suggestion.recipeId} suggestion={suggestion} />
                ))}
              </ul>
              {!isAll && wanted.length > SHOWN && (
                <Button
                  look="quiet"
                  onClick={() => {
                    setAll(true);
                  }}
                >
                  {t('allSuggestions', { count: whole(wanted.length) })}
                </Button>
              )}
            </Nothing>
          );
        }}
      </Shown>
    </Section>
  );
}

function OneSuggestion({ suggestion }: { readonly suggestion: Suggestion }) {
  const t = useWords(words);
  const may = useMay();
  const { recipeId, recipeName, suggestedBatches, maxBatches, stockQty, averageDailySales, finishedVariantId } =
    suggestion;
  const unit = useNames([finishedVariantId])(finishedVariantId)?.saleUnit;
  const plan = useCommand({
    send: (order: { readonly batches: number; readonly expectedAt: string }, headers) =>
      body(api.POST('/bakery-production/orders/plan', { body: { recipeId, ...order }, headers })),
    adds: `/bakery-production/orders/plan ${recipeId}`,
    kinds: ['order'],
  });
  const batches = t('batches', { count: whole(suggestedBatches), n: suggestedBatches });
  const isLimited = maxBatches !== null && maxBatches < suggestedBatches;
  return (
    <li>
      <span class="row">
        <Link href={`/receitas/${recipeId}`}>{recipeName}</Link>
        <Why what="planning" id={recipeId} label={recipeName} unit={unit} />
      </span>
      <span class="fine">
        {t('suggestion', { batches, stock: quantity(stockQty, unit), daily: oneDecimal(averageDailySales) })}
        {isLimited && <span class="warn-text"> · {t('limited', { count: whole(maxBatches) })}</span>}
      </span>
      {may('production.manage') && (
        <Button
          icon={plan.isSuccess ? 'check' : 'plus'}
          busy={plan.isPending}
          resting={plan.isSuccess}
          aria-label={`${t('plan')}: ${recipeName}`}
          onClick={() => {
            plan.mutate({ batches: suggestedBatches, expectedAt: isoDay(1) });
          }}
        >
          {plan.isSuccess ? t('planned') : t('plan')}
        </Button>
      )}
      <ProblemNote error={plan.error} />
    </li>
  );
}
