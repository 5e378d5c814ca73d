import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useActorName } from '../../parts/actor.js';
import { Button, LinkButton } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { HistoryButton } from '../../parts/last-change.js';
import { Link } from '../../parts/link.js';
import { wholeCode } from '../../parts/lot-code.js';
import { Facts, Page, Section, Typed } from '../../parts/page.js';
import { PrintButton } from '../../parts/print-button.js';
import { Outcome, ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { Why } from '../../parts/why.js';
import { day, moment, money, percent, quantity, unitCost, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { CompleteDialog } from './complete-order.js';
import type { Order } from './orders.js';
import { isOpen, OrderStatus, useStart } from './orders.js';
import { Needs, useCostColumn, useRecipe } from './plan-order.js';
import { ReverseDialog } from './reverse-order.js';
import { Stages } from './stages.js';
import { words } from './words.js';

export function OrderPage({ id }: { readonly id: string }) {
  const order = useRead({
    key: ['order', id],
    kinds: ['order'],
    read: (signal) => body(api.GET('/bakery-production/orders/{id}', { params: { path: { id } }, signal })),
  });
  return <Shown reading={order}>{(record) => <OneOrder order={record} />}</Shown>;
}

type Asked = 'complete' | 'cancel' | 'reverse';

function OneOrder({ order }: { readonly order: Order }) {
  const t = useWords(words);
  const [asked, setAsked] = useState<Asked>();
  const unit = useNames([order.finishedVariantId])(order.finishedVariantId)?.saleUnit;
  const close = () => {
    setAsked(undefined);
  };
  return (
    <Page
      title={`${order.recipeName} · ${t('order', { number: whole(order.number) })}`}
      back={{ href: '/producao', label: t('title') }}
      actions={
        <>
          <Actions order={order} onAsk={setAsked} />
          <HistoryButton kind="order" id={order.id} />
        </>
      }
    >
      <Facts
        facts={[
          [t('status'), <OrderStatus key="status" status={order.status} />],
          [t('batchCount'), quantity(order.batches)],
          [t('expectedAt'), day(order.expectedAt)],
          [t('expectedOutput'), quantity(order.expectedQty, unit)],
          order.startedAt !== null && [t('startedAt'), moment(order.startedAt)],
          order.completedAt !== null && [t('completedAt'), moment(order.completedAt)],
          order.actualOutputQty !== null && [t('output'), quantity(order.actualOutputQty, unit)],
          order.lossPercent !== null && [
            t('loss'),
            `${quantity(order.lossQty, unit)} (${percent(order.lossPercent, 2)})`,
          ],
          order.outputLotId !== null && [
            t('lot'),
            <Link key="lot" href={`/estoque/lote/${order.outputLotId}`}>
              {order.outputLotCode}
            </Link>,
          ],
          order.materialCost !== undefined &&
            order.materialCost !== null && [t('materialCost'), money(order.materialCost)],
          order.laborCost !== undefined && order.laborCost !== null && [t('laborCost'), money(order.laborCost)],
          order.totalCost !== undefined &&
            order.totalCost !== null && [
              t('totalCost'),
              <span key="total" class="with-why">
                {money(order.totalCost)} <Why what="order" id={order.id} label={t('totalCost')} />
              </span>,
            ],
          order.unitCost !== undefined && order.unitCost !== null && [t('unitCost'), unitCost(order.unitCost)],
          order.notes !== null && [t('notes'), <Typed key="notes" text={order.notes} />],
        ]}
      />
      {order.stages.length > 0 && (
        <Section title={t('stages')}>
          <Stages order={order} />
        </Section>
      )}
      {isOpen(order) ? (
        <Needs
          recipeId={order.recipeId}
          batches={order.batches}
          version={order.recipeVersion}
          locationId={order.locationId}
        />
      ) : (
        <Used order={order} />
      )}
      <p class="print-only signed">{t('signed')}</p>
      {asked === 'complete' && <CompleteDialog order={order} onClose={close} />}
      {asked === 'cancel' && <CancelDialog order={order} onClose={close} />}
      {asked === 'reverse' && <ReverseDialog order={order} onClose={close} />}
    </Page>
  );
}

function Actions({ order, onAsk }: { readonly order: Order; readonly onAsk: (asked: Asked) => void }) {
  const t = useWords(words);
  const may = useMay();
  const start = useStart(order.id);
  const ask = (asked: Asked) => () => {
    onAsk(asked);
  };
  const canReverse = order.status === 'COMPLETED' || order.status === 'PARTIALLY_REVERSED';
  return (
    <>
      {isOpen(order) && may('production.manage') && (
        <>
          {order.status === 'PLANNED' && (
            <Button
              look="main"
              busy={start.isPending}
              onClick={() => {
                start.mutate(null);
              }}
            >
              {t('start')}
            </Button>
          )}
          <Outcome error={start.error} isThere={order.status !== 'PLANNED'} />
          <Button look={order.status === 'PLANNED' ? 'plain' : 'main'} onClick={ask('complete')}>
            {t('complete')}
          </Button>
          {order.status === 'PLANNED' && <RefreshRecipe order={order} />}
          <Button look="danger" onClick={ask('cancel')}>
            {t('cancel')}
          </Button>
        </>
      )}
      {order.outputLotId !== null && (
        <LinkButton href={`/rotulos?lot=${order.outputLotId}`} icon="labels">
          {t('labels')}
        </LinkButton>
      )}
      <PrintButton>{t('sheet')}</PrintButton>
      {canReverse && may('production.reverse') && (
        <Button look="danger" onClick={ask('reverse')}>
          {t('reverse')}
        </Button>
      )}
    </>
  );
}

/** A plan keeps the recipe of its day; this takes the one that is in force now. */
function RefreshRecipe({ order: { id, recipeId, recipeVersion } }: { readonly order: Order }) {
  const t = useWords(words);
  const recipe = useRecipe(recipeId);
  const refresh = useCommand({
    send: (_: null, headers) =>
      body(api.POST('/bakery-production/orders/{id}/refresh-recipe', { params: { path: { id } }, headers })),
    kinds: ['order'],
  });
  if (!recipe || recipe.currentVersion === recipeVersion) return null;
  return (
    <>
      <Button
        busy={refresh.isPending}
        onClick={() => {
          refresh.mutate(null);
        }}
      >
        {t('refresh')}
      </Button>
      <ProblemNote error={refresh.error} />
    </>
  );
}

/** What a completed order took, from which lots, and what came out beside the product. */
function Used({ order }: { readonly order: Order }) {
  const t = useWords(words);
  const actor = useActorName();
  const costs = useCostColumn();
  const { consumptions, byproducts, reversals } = order;
  const names = useNames([
    ...consumptions.map(({ componentVariantId }) => componentVariantId),
    ...byproducts.map(({ variantId }) => variantId),
  ]);
  return (
    <>
      <Section title={t('inputs')}>
        <Table
          label={t('inputs')}
          rows={rowsOf(consumptions)}
          rowKey={({ componentVariantId, lotId }) => componentVariantId + (lotId ?? '')}
          href={({ lotId }) => (lotId === null ? undefined : `/estoque/lote/${lotId}`)}
          empty={t('nothing')}
          columns={[
            { id: 'product', title: t('product'), cell: (row) => names(row.componentVariantId)?.description ?? '…' },
            {
              id: 'lot',
              title: t('lot'),
              below: 'plain',
              cell: (row) => (row.lotId === null ? t('belowZero') : wholeCode(row.lotCode)),
            },
            {
              id: 'quantity',
              title: t('quantity'),
              figure: true,
              cell: (row) => quantity(row.quantity, names(row.componentVariantId)?.saleUnit),
            },
            ...costs,
          ]}
        />
      </Section>
      {byproducts.length > 0 && (
        <Section title={t('byproducts')}>
          <Table
            label={t('byproducts')}
            rows={rowsOf(byproducts)}
            rowKey={({ lotId }) => lotId}
            href={({ lotId }) => `/estoque/lote/${lotId}`}
            empty=""
            columns={[
              { id: 'product', title: t('product'), cell: (row) => names(row.variantId)?.description ?? '…' },
              { id: 'lot', title: t('lot'), below: 'plain', cell: (row) => wholeCode(row.lotCode) },
              {
                id: 'quantity',
                title: t('quantity'),
                figure: true,
                cell: (row) => quantity(row.quantity, names(row.variantId)?.saleUnit),
              },
              ...costs,
            ]}
          />
        </Section>
      )}
      {reversals.length > 0 && (
        <Section title={t('reversals')}>
          <ul class="agenda">
            {reversals.map(({ at, by, reason, quantity: amount }) => (
              <li key={at}>
                <span>{reason}</span>
                <span class="fine">
                  {quantity(amount)} · {actor(by)} · {moment(at)}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function CancelDialog({ order, onClose }: { readonly order: Order; readonly onClose: () => void }) {
  const t = useWords(words);
  const { id } = order;
  const done = order.stages.filter((stage) => stage.done).length;
  return (
    <DestructiveDialog
      title={t('cancel')}
      subject={['order', id]}
      kinds={['order']}
      send={(sent) =>
        api.POST('/bakery-production/orders/{id}/cancel', {
          params: { path: { id } },
          ...sent,
        })
      }
      onClose={onClose}
    >
      {() => (
        <>
          <p>{t('cancelLead')}</p>
          {done > 0 && <p>{t('cancelStages', { n: done, count: whole(done) })}</p>}
        </>
      )}
    </DestructiveDialog>
  );
}
