import { useState } from 'preact/hooks';
import type { Counted } from '../../client/api.js';
import { api, plainPage } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useList } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button, LinkButton } from '../../parts/button.js';
import { Link } from '../../parts/link.js';
import { Page, Tabs } from '../../parts/page.js';
import { Outcome } from '../../parts/problem-note.js';
import { Loading, Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { day, isoDay, quantity, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { CompleteDialog } from './complete-order.js';
import type { Order } from './orders.js';
import { isOpen, spokenName, useStart } from './orders.js';
import { Stages } from './stages.js';
import { words } from './words.js';

const AT_FIRST = 50;

/** Orders of one column, the most urgent or the newest first, as many as were asked for so far. */
function useLane(query: { status: Order['status']; sort: 'due' | 'ended'; from?: string }) {
  return useList<Order, Counted<Order>>({
    key: ['board', query],
    kinds: ['order'],
    read: (at, signal) => {
      const wanted = { ...query, limit: AT_FIRST, ...at };
      return plainPage(api.GET('/bakery-production/orders', { params: { query: wanted }, signal }));
    },
  });
}

export function OrderTabs({ current }: { readonly current: 'board' | 'list' }) {
  const t = useWords(words);
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={[
        { href: '/producao', id: 'board', label: t('board') },
        { href: '/producao/ordens', id: 'list', label: t('list') },
      ]}
    />
  );
}

/** What is to be made, what is being made and what was made today; made for a tablet beside the oven. */
export function Board() {
  const t = useWords(words);
  const may = useMay();
  const inProgress = useLane({ status: 'IN_PROGRESS', sort: 'due' });
  const planned = useLane({ status: 'PLANNED', sort: 'due' });
  const doneToday = useLane({ status: 'COMPLETED', sort: 'ended', from: isoDay() });
  // On a phone, where one stands below the other, the first to come would be pushed down by the next.
  const isComing = [inProgress, planned, doneToday].some(({ isPending }) => isPending);
  return (
    <Page
      title={t('title')}
      actions={
        may('production.manage') && (
          <LinkButton href="/producao/planejar" look="main" icon="plus">
            {t('plan')}
          </LinkButton>
        )
      }
    >
      <OrderTabs current="board" />
      {isComing ? (
        <Loading />
      ) : (
        <div class="board">
          <Lane title={t('inProgress')} lane={inProgress} />
          <Lane title={t('planned')} lane={planned} />
          <Lane title={t('doneToday')} lane={doneToday} />
        </div>
      )}
    </Page>
  );
}

function Lane({ title, lane }: { readonly title: string; readonly lane: ReturnType<typeof useLane> }) {
  const t = useWords(words);
  const total = lane.data?.pages[0]?.total ?? 0;
  const left = total - lane.items.length;
  return (
    <section>
      <h2>
        {title} {lane.data && <span class="fine">{whole(total)}</span>}
      </h2>
      <Shown reading={lane}>
        {() => (
          <>
            {total === 0 && <p class="fine">{t('nothing')}</p>}
            {lane.items.map((order) => (
              <Card key={order.id} order={order} />
            ))}
            {lane.hasNextPage && (
              <Button busy={lane.isFetchingNextPage} onClick={() => void lane.fetchNextPage()}>
                {t('showMore', { n: left, count: whole(left) })}
              </Button>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

function Card({ order }: { readonly order: Order }) {
  const t = useWords(words);
  const may = useMay();
  const [isCompleting, setCompleting] = useState(false);
  const start = useStart(order.id);
  const unit = useNames([order.finishedVariantId])(order.finishedVariantId)?.saleUnit;
  const due = order.expectedAt === null ? undefined : isoDay(0, Date.parse(order.expectedAt));
  const spoken = spokenName(order);
  const isLate = isOpen(order) && due !== undefined && due < isoDay();
  return (
    <article class="card">
      <header>
        <h3>
          <Link href={`/producao/${order.id}`} aria-label={spoken}>
            {order.recipeName}
          </Link>
        </h3>
        <p class="fine">
          {t('order', { number: whole(order.number) })} ·{' '}
          {t('batches', { count: quantity(order.batches), n: order.batches })}
          {isOpen(order) && ` · ${quantity(order.expectedQty, unit)}`}
        </p>
      </header>
      {isLate && <Status tone="bad">{t('late', { day: day(due) })}</Status>}
      {isOpen(order) && !isLate && due !== undefined && <p class="fine">{t('due', { day: day(due) })}</p>}
      {order.status === 'IN_PROGRESS' && <Stages order={order} />}
      {!isOpen(order) && (
        <p>
          <strong>{quantity(order.actualOutputQty, unit)}</strong>
          {order.outputLotCode !== null && ` · ${order.outputLotCode}`}
        </p>
      )}
      <Outcome error={start.error} isThere={order.status !== 'PLANNED'} />
      {isOpen(order) && may('production.manage') && (
        <div class="row">
          {order.status === 'PLANNED' && (
            <Button
              look="main"
              busy={start.isPending}
              aria-label={`${t('start')}: ${spoken}`}
              onClick={() => {
                start.mutate(null);
              }}
            >
              {t('start')}
            </Button>
          )}
          <Button
            look={order.status === 'PLANNED' ? 'plain' : 'main'}
            aria-label={`${t('complete')}: ${spoken}`}
            onClick={() => {
              setCompleting(true);
            }}
          >
            {t('complete')}
          </Button>
        </div>
      )}
      {order.outputLotId !== null && (
        <LinkButton href={`/rotulos?lot=${order.outputLotId}`} icon="labels" aria-label={`${t('labels')}: ${spoken}`}>
          {t('labels')}
        </LinkButton>
      )}
      {isCompleting && (
        <CompleteDialog
          order={order}
          onClose={() => {
            setCompleting(false);
          }}
        />
      )}
    </article>
  );
}
