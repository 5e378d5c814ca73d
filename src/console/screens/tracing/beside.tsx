import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useRead } from '../../client/queries.js';
import { Button, IconButton, LinkButton } from '../../parts/button.js';
import { Facts } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { day, moment, quantity, whole } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { OrderStatus } from '../production/orders.js';
import type { GroupedWay } from '../recall/grouped-way.js';
import type { Trace } from '../recall/trace.js';
import { LotStatus } from '../stock/lot-status.js';
import { words } from './words.js';

type Member = Trace['nodes'][number];

interface Opened {
  readonly members: readonly Member[];
  readonly onOpen: (id: string) => void;
}

/** The lots or orders behind an id: those of a group of the picture, or one alone. */
export const membersOf = (trace: Trace, way: GroupedWay, openId: string): readonly Member[] =>
  way.groups.find(({ id }) => id === openId)?.members ?? trace.nodes.filter(({ id }) => id === openId);

/** The picture, and beside it what was opened in it without leaving it. */
export function BesideWay({
  members,
  openId,
  onOpen,
  children,
}: Opened & { readonly openId: string; readonly children: ComponentChildren }) {
  const isOpen = members.length > 0;
  return (
    <div class={isOpen ? 'way-beside' : ''}>
      {children}
      {isOpen && <Beside key={openId} members={members} onOpen={onOpen} />}
    </div>
  );
}

/** A lot, an order, or several that stand together. */
function Beside({ members, onOpen }: Opened) {
  const [first] = members;
  if (!first) return null;
  if (members.length > 1) return <Several {...{ members, onOpen }} />;
  return first.kind === 'ORDER' ? <OneOrder id={first.id} {...{ onOpen }} /> : <OneLot id={first.id} {...{ onOpen }} />;
}

function Panel({
  title,
  onOpen,
  children,
}: {
  readonly title: string;
  readonly onOpen: Opened['onOpen'];
  readonly children: ComponentChildren;
}) {
  const shared = useWords(frame);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <aside class="way-panel no-print" aria-label={title}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton
          icon="close"
          label={shared('close')}
          onClick={() => {
            onOpen('');
          }}
        />
      </header>
      {children}
    </aside>
  );
}

const byTime = (one: Member, other: Member): number => (one.at < other.at ? -1 : 1);

function Several({ members, onOpen }: Opened) {
  const t = useWords(words);
  const [first] = members;
  const isOrders = first?.kind === 'ORDER';
  return (
    <Panel
      title={
        isOrders ? t('orderCount', { n: members.length }) : `${first?.description ?? '–'} (${whole(members.length)})`
      }
      onOpen={onOpen}
    >
      <ul class="agenda">
        {[...members].sort(byTime).map((member) => (
          <li key={member.id}>
            <Button
              look="quiet"
              onClick={() => {
                onOpen(member.id);
              }}
            >
              {isOrders ? t('order', { number: member.orderNumber ?? '' }) : (member.lotCode ?? t('noCode'))}
            </Button>
            <span class="fine">{day(member.at)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function OneLot({ id, onOpen }: Pick<Opened, 'onOpen'> & { readonly id: string }) {
  const t = useWords(words);
  const reading = useRead({
    key: ['lot', id],
    kinds: ['lot', 'sale', 'order'],
    read: (signal) => body(api.GET('/stock/lots/{lotId}', { params: { path: { lotId: id } }, signal })),
  });
  const label = useNames([reading.data?.variantId])(reading.data?.variantId);
  return (
    <Panel title={label?.description ?? '…'} onOpen={onOpen}>
      <Shown reading={reading}>
        {(lot) => (
          <>
            <Facts
              facts={[
                [t('lot'), lot.lotCode ?? t('noCode')],
                [t('left'), quantity(lot.quantity, label?.saleUnit)],
                [t('status'), <LotStatus key="status" lot={lot} />],
                [t('expires'), day(lot.expiresOn)],
                [t('entered'), moment(lot.receivedAt)],
                lot.supplier !== null && [t('supplier'), lot.supplier],
                lot.document !== null && [t('document'), lot.document],
              ]}
            />
            <div class="row">
              <LinkButton href={`/estoque/lote/${id}`}>{t('openLot')}</LinkButton>
              {lot.lotCode !== null && (
                <LinkButton href={`/recall?lot=${encodeURIComponent(lot.lotCode)}`}>{t('recall')}</LinkButton>
              )}
            </div>
          </>
        )}
      </Shown>
    </Panel>
  );
}

function OneOrder({ id, onOpen }: Pick<Opened, 'onOpen'> & { readonly id: string }) {
  const t = useWords(words);
  const reading = useRead({
    key: ['order', id],
    kinds: ['order'],
    read: (signal) => body(api.GET('/bakery-production/orders/{id}', { params: { path: { id } }, signal })),
  });
  const order = reading.data;
  const unit = useNames([order?.finishedVariantId])(order?.finishedVariantId)?.saleUnit;
  return (
    <Panel title={order ? `${order.recipeName} · ${whole(order.number)}` : '…'} onOpen={onOpen}>
      <Shown reading={reading}>
        {({ status, completedAt, batches, actualOutputQty, outputLotCode }) => (
          <>
            <Facts
              facts={[
                [t('status'), <OrderStatus key="status" status={status} />],
                [t('when'), moment(completedAt)],
                [t('batches'), quantity(batches)],
                [t('made'), quantity(actualOutputQty, unit)],
                [t('output'), outputLotCode ?? '–'],
              ]}
            />
            <div class="row">
              <LinkButton href={`/producao/${id}`}>{t('openOrder')}</LinkButton>
            </div>
          </>
        )}
      </Shown>
    </Panel>
  );
}
