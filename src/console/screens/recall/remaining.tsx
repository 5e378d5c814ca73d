import type { components } from 'openapi-client';
import { useState } from 'preact/hooks';
import { api } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { wholeCode } from '../../parts/lot-code.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { day, quantity, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { LotStatus } from '../stock/lot-status.js';
import { FirstRows } from './first-rows.js';
import type { Left, RecallAnswer } from './recall-answer.js';
import { lotFacts } from './recall-answer.js';
import { useRemaining } from './all-remaining.js';
import { words } from './words.js';

type Mark = 'block' | 'release';

/** The lots of some rows that such a mark would change, each once. */
const lotsToMark = (rows: readonly Left[], mark: Mark): string[] => [
  ...new Set(rows.filter(({ status }) => (status === 'BLOCKED') === (mark === 'release')).map(({ lotId }) => lotId)),
];

/** One click keeps all that is still here from leaving; at the head of the page, for who is in a hurry, it has its place before anything is known. */
export function BlockAll({ answer }: { readonly answer: RecallAnswer | undefined }) {
  return <MarkAll mark="block" rows={useRemaining(answer).data ?? []} />;
}

function MarkAll({ mark, rows }: { readonly mark: Mark; readonly rows: readonly Left[] }) {
  const t = useWords(words);
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const lotIds = lotsToMark(rows, mark);
  const hasNone = lotIds.length === 0;
  if (!may('stock.manage') || (mark === 'release' && hasNone && !isAsking)) return null;
  return (
    <>
      <Button
        look={mark === 'block' ? 'danger' : 'plain'}
        resting={hasNone}
        onClick={() => {
          setAsking(true);
        }}
      >
        {t(WORDS[mark].title)}
      </Button>
      {isAsking && (
        <MarkDialog
          mark={mark}
          lotIds={lotIds}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </>
  );
}

/** What is still here, and where; after a drill, or a false alarm, what was blocked is released from here. */
export function Remaining({ answer }: { readonly answer: RecallAnswer }) {
  const t = useWords(words);
  const remaining = useRemaining(answer);
  return (
    <Section
      title={`${t('remaining')} (${whole(answer.remainingCount)})`}
      actions={<MarkAll mark="release" rows={remaining.data ?? []} />}
      isPreparedForPaper
    >
      <Shown reading={remaining}>
        {(rows) => (
          <>
            {rows.length > 0 && lotsToMark(rows, 'block').length === 0 && <p class="note good">{t('allBlocked')}</p>}
            <RemainingRows rows={rows} />
          </>
        )}
      </Shown>
    </Section>
  );
}

function RemainingRows({ rows }: { readonly rows: readonly Left[] }) {
  const t = useWords(words);
  const may = useMay();
  return (
    <FirstRows rows={rows}>
      {(shown) => (
        <Table
          label={t('remaining')}
          rows={rowsOf(shown)}
          rowKey={({ lotId, locationId }) => lotId + locationId}
          href={may('stock.view') ? ({ lotId }) => `/estoque/lote/${lotId}` : undefined}
          empty={t('nothingLeft')}
          columns={[
            { id: 'product', title: t('product'), cell: ({ description }) => description ?? '–' },
            { id: 'lot', title: t('lot'), below: 'plain', cell: (row) => wholeCode(row.lotCode) },
            { id: 'location', title: t('location'), below: 'plain', cell: ({ location: place }) => place ?? '–' },
            { id: 'expires', title: t('expires'), below: 'titled', cell: ({ expiresOn }) => day(expiresOn) },
            { id: 'quantity', title: t('quantity'), figure: true, cell: (row) => quantity(row.quantity, row.unit) },
            {
              id: 'status',
              title: t('status'),
              below: 'plain',
              cell: (row) => <LotStatus lot={lotFacts(row)} />,
            },
          ]}
        />
      )}
    </FirstRows>
  );
}

/** So many lots are marked by one command. */
const AT_ONCE = 2_000;

const portionsOf = (lotIds: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(lotIds.length / AT_ONCE) }, (_, place) =>
    lotIds.slice(place * AT_ONCE, (place + 1) * AT_ONCE),
  );

const WORDS = {
  block: { title: 'blockAll', lead: 'blockLead', none: 'allBlocked' },
  release: { title: 'releaseAll', lead: 'releaseLead', none: 'noneBlocked' },
} as const;

interface Marked {
  readonly items: readonly components['schemas']['Lot'][];
}

/** How much of each product stops or goes on, and of how many lots. */
function WouldMark({ mark, lots }: { readonly mark: Mark; readonly lots: Marked['items'] }) {
  const t = useWords(words);
  const names = useNames(lots.map(({ variantId }) => variantId));
  const amounts = new Map<string, number>();
  for (const { variantId, quantity: left } of lots) amounts.set(variantId, (amounts.get(variantId) ?? 0) + left);
  // Somebody else has done it meanwhile.
  if (lots.length === 0) return <p>{t(WORDS[mark].none)}</p>;
  return (
    <>
      <p>{t(WORDS[mark].lead, { n: lots.length, count: whole(lots.length) })}</p>
      <ul>
        {[...amounts].map(([variantId, left]) => (
          <li key={variantId}>
            {names(variantId)?.description ?? '…'}: {quantity(left, names(variantId)?.saleUnit)}
          </li>
        ))}
      </ul>
    </>
  );
}

function MarkDialog({
  mark,
  lotIds,
  onClose,
}: {
  readonly mark: Mark;
  readonly lotIds: string[];
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const title = t(WORDS[mark].title);
  return (
    <DestructiveDialog
      title={title}
      subject={lotIds}
      kinds={['lot', 'sale', 'order']}
      asksReason
      send={portionsOf(lotIds).map((some) => (sent, reason) => {
        const named = { body: { lotIds: some, reason }, ...sent };
        return mark === 'block' ? api.POST('/stock/lots/block', named) : api.POST('/stock/lots/release', named);
      })}
      onClose={onClose}
    >
      {(...answers) => <WouldMark mark={mark} lots={(answers as Marked[]).flatMap(({ items }) => items)} />}
    </DestructiveDialog>
  );
}
