import { useState } from 'preact/hooks';
import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { namesSettled, useNames } from '../../client/names.js';
import { useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useActorName } from '../../parts/actor.js';
import { Button, LinkButton } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { HistoryButton } from '../../parts/last-change.js';
import { Link } from '../../parts/link.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { day, moment, quantity, unitCost } from '../../values/formats.js';
import { Why } from '../../parts/why.js';
import { useWords } from '../../words/words.js';
import { Movements } from './ledger.js';
import { LotStatus } from './lot-status.js';
import { words } from './words.js';
import { WriteOff } from './write-off.js';

type Lot = components['schemas']['Lot'];

type Mark = 'block' | 'release';

export function LotPage({ id }: { readonly id: string }) {
  const lot = useRead({
    key: ['lot', id],
    kinds: ['lot', 'sale', 'order'],
    read: async (signal) => {
      const found = await body(api.GET('/stock/lots/{lotId}', { params: { path: { lotId: id } }, signal }));
      await namesSettled([found.variantId]);
      return found;
    },
  });
  return <Shown reading={lot}>{(record) => <OneLot lot={record} />}</Shown>;
}

function sourceOf({ origin, originId, receiptId }: Lot): string | undefined {
  if (receiptId !== null) return `/estoque/entradas/${receiptId}`;
  return origin === 'PRODUCTION' ? `/producao/${originId}` : undefined;
}

/** Its cost stands in the list alone, for those who may see it; it has its place while it is on its way. */
function useCostOf({ lotId }: Lot): { readonly isComing: boolean; readonly cost: number | undefined } {
  const may = useMay();
  const held = useRead({
    key: ['lot', lotId, 'cost'],
    kinds: ['lot', 'sale', 'order'],
    read: (signal) =>
      body(api.GET('/stock/lots', { params: { query: { lotId, includeEmpty: true, limit: 1 } }, signal })),
  });
  return { isComing: may('production.costs') && held.isPending, cost: held.data?.items[0]?.unitCost ?? undefined };
}

function OneLot({ lot }: { readonly lot: Lot }) {
  const t = useWords(words);
  const actor = useActorName();
  const may = useMay();
  const [asked, setAsked] = useState<Mark | 'writeOff'>();
  const close = () => {
    setAsked(undefined);
  };
  const label = useNames([lot.variantId])(lot.variantId);
  const code = lot.lotCode;
  const source = sourceOf(lot);
  const { cost, isComing } = useCostOf(lot);
  const mark: Mark = lot.status === 'BLOCKED' ? 'release' : 'block';
  return (
    <Page
      title={`${label?.description ?? '…'} · ${code ?? t('noCode')}`}
      back={{ href: '/estoque/lotes', label: t('lots') }}
      actions={
        <>
          {code !== null && (
            <>
              <LinkButton href={`/recall?lot=${encodeURIComponent(code)}`}>{t('recall')}</LinkButton>
              <LinkButton href={`/rastreio?lot=${encodeURIComponent(code)}`}>{t('trace')}</LinkButton>
            </>
          )}
          <LinkButton href={`/rotulos?lot=${lot.lotId}`} icon="labels">
            {t('label')}
          </LinkButton>
          <HistoryButton kind="lot" id={lot.lotId} />
          {may('stock.manage') && lot.quantity > 0 && (
            <Button
              onClick={() => {
                setAsked('writeOff');
              }}
            >
              {t('writeOff')}
            </Button>
          )}
          {may('stock.manage') && (
            <Button
              look={mark === 'release' ? 'plain' : 'danger'}
              onClick={() => {
                setAsked(mark);
              }}
            >
              {t(mark)}
            </Button>
          )}
        </>
      }
    >
      <Facts
        facts={[
          [t('quantity'), quantity(lot.quantity, label?.saleUnit)],
          [t('status'), <LotStatus key="status" lot={lot} />],
          (isComing || cost !== undefined) && [
            t('unitCost'),
            cost === undefined ? (
              '…'
            ) : (
              <span key="cost" class="with-why">
                {unitCost(cost)} <Why what="lot" id={lot.lotId} label={t('unitCost')} />
              </span>
            ),
          ],
          [t('expires'), day(lot.expiresOn)],
          [
            t('received'),
            source === undefined ? (
              moment(lot.receivedAt)
            ) : (
              <Link key="source" href={source}>{`${moment(lot.receivedAt)} · ${t(lot.origin)}`}</Link>
            ),
          ],
          lot.supplier !== null && [t('supplier'), lot.supplier],
          lot.document !== null && [t('document'), lot.document],
        ]}
      />
      {lot.marks.length > 0 && (
        <Section title={t('history')}>
          <ul class="agenda">
            {lot.marks.map(({ at, status, reason, by }) => (
              <li key={at}>
                <span>{reason}</span>
                <span class="fine">
                  {t(status === 'BLOCKED' ? 'block' : 'release')} · {actor(by)} · {moment(at)}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('movesOfLot')}>
        <Movements filters={{ lotId: lot.lotId }} />
      </Section>
      {(asked === 'block' || asked === 'release') && <MarkDialog lot={lot} mark={asked} onClose={close} />}
      {asked === 'writeOff' && <WriteOff lotId={lot.lotId} unit={label?.saleUnit} onClose={close} />}
    </Page>
  );
}

/** What was asked for stays so whatever becomes of the lot: whoever means to block one that is blocked by then must not release it. */
function MarkDialog({ lot, mark, onClose }: { readonly lot: Lot; readonly mark: Mark; readonly onClose: () => void }) {
  const t = useWords(words);
  const label = useNames([lot.variantId])(lot.variantId);
  const isDone = (lot.status === 'BLOCKED') === (mark === 'block');
  return (
    <DestructiveDialog
      title={t(mark)}
      below={isDone && <p role="status">{t(mark === 'block' ? 'isBlocked' : 'isReleased')}</p>}
      subject={['lot', lot.lotId]}
      kinds={['lot', 'sale', 'order']}
      asksReason
      send={(sent, reason) => {
        const asked = {
          params: { path: { lotId: lot.lotId } },
          body: { reason },
          ...sent,
        };
        return mark === 'release'
          ? api.POST('/stock/lots/{lotId}/release', asked)
          : api.POST('/stock/lots/{lotId}/block', asked);
      }}
      onClose={onClose}
    >
      {(answer) => (
        <p>
          {t(mark === 'release' ? 'releaseLead' : 'blockLead', {
            quantity: quantity((answer as Lot).quantity, label?.saleUnit),
            name: label?.description ?? '…',
          })}
        </p>
      )}
    </DestructiveDialog>
  );
}
