import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { isRefused, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { SaveButton } from '../../parts/file-button.js';
import { wholeCode } from '../../parts/lot-code.js';
import { Paper } from '../../parts/paper.js';
import { Page, Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Empty, Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { moment, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { Balances } from './balances.js';
import { RunningDrill, StartDrill } from './drills.js';
import { LotBox } from './lot-box.js';
import { allRemaining } from './all-remaining.js';
import { allSales } from './all-sales.js';
import { Buyers } from './buyers.js';
import { Printed } from './printed.js';
import type { Left, RecallAnswer } from './recall-answer.js';
import { ownCode } from './recall-answer.js';
import { BlockAll, Remaining } from './remaining.js';
import { SimilarLots } from './similar-lots.js';
import { Sales } from './sales.js';
import { WayOfLot } from './way-of-lot.js';
import { words } from './words.js';

const SALES = 200;

export function Report({ code, drillId }: { readonly code: string; readonly drillId: string }) {
  const t = useWords(words);
  const recall = useRead({
    key: ['recall', code],
    kinds: ['lot', 'sale', 'order', 'customer', 'document'],
    read: (signal) =>
      body(
        api.GET('/bakery-production/recall', { params: { query: { lotCode: code, pageSize: SALES } }, signal }),
      ) as Promise<RecallAnswer>,
  });
  if (isRefused(recall.error, 'LOT_NOT_FOUND')) {
    return (
      <Page title={t('title')} back={{ href: '/recall', label: t('title') }}>
        <div role="status">
          <Empty title={t('unknown', { code })} />
        </div>
        <LotBox />
        <SimilarLots code={code} />
      </Page>
    );
  }
  return (
    <Page
      title={t('of', { code: recall.data ? ownCode(recall.data) : code })}
      back={{ href: '/recall', label: t('title') }}
      actions={<Actions code={code} drillId={drillId} answer={recall.data} />}
    >
      {drillId !== '' && <RunningDrill id={drillId} />}
      <Shown reading={recall}>{(answer) => <Answer answer={answer} />}</Shown>
    </Page>
  );
}

interface OnPaper {
  readonly sales: RecallAnswer['sales'];
  readonly remaining: readonly Left[];
}

async function forPaper(answer: RecallAnswer): Promise<OnPaper> {
  const [sales, remaining] = await Promise.all([allSales(answer), allRemaining(answer)]);
  return { sales, remaining };
}

const FORMATS = ['csv', 'xlsx', 'epcis'] as const;

function Actions({
  code,
  drillId,
  answer,
}: {
  readonly code: string;
  readonly drillId: string;
  readonly answer: RecallAnswer | undefined;
}) {
  const t = useWords(words);
  const [onPaper, setOnPaper] = useState<OnPaper>();
  const fetching = useCommand({ send: forPaper, kinds: [], onDone: setOnPaper });
  return (
    <>
      <BlockAll answer={answer} />
      <Button
        icon="print"
        look="main"
        disabled={!answer}
        busy={fetching.isPending}
        onClick={() => {
          if (answer) fetching.mutate(answer);
        }}
      >
        {t('print')}
      </Button>
      {FORMATS.map((format) => (
        <SaveButton
          key={format}
          path={`/bakery-production/recall?lotCode=${encodeURIComponent(code)}&format=${format}`}
        >
          {t(format)}
        </SaveButton>
      ))}
      {drillId === '' && <StartDrill code={code} />}
      <ProblemNote error={fetching.error} />
      {onPaper && answer && (
        <Paper>
          <Printed
            {...{ answer }}
            {...onPaper}
            onDone={() => {
              setOnPaper(undefined);
            }}
          />
        </Paper>
      )}
    </>
  );
}

function Answer({ answer }: { readonly answer: RecallAnswer }) {
  const t = useWords(words);
  const may = useMay();
  const { summary, lotCount, suppliers } = answer;
  return (
    <>
      <p class="print-only">{t('printedAt', { when: moment(new Date().toISOString()) })}</p>
      <dl class="key-figures">
        {(
          [
            ['customersToTell', summary.customers],
            ['sales', summary.sales],
            ['anonymous', summary.salesWithoutCustomer],
            ['lotsCount', lotCount],
          ] as const
        ).map(([name, figure]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{whole(figure)}</dd>
          </div>
        ))}
      </dl>
      <Balances answer={answer} />
      {summary.customers > 0 && <Buyers answer={answer} />}
      {may('production.view') && <WayOfLot answer={answer} />}
      <Remaining answer={answer} />
      <Sales answer={answer} />
      {suppliers.length > 0 && (
        <Section title={t('origin')}>
          <Table
            label={t('origin')}
            rows={rowsOf(suppliers)}
            rowKey={({ receiptId }) => receiptId}
            href={may('stock.view') ? ({ receiptId }) => `/estoque/entradas/${receiptId}` : undefined}
            empty=""
            columns={[
              { id: 'supplier', title: t('supplier'), cell: ({ supplier }) => supplier ?? '–' },
              { id: 'document', title: t('document'), cell: ({ document }) => document ?? '–' },
              { id: 'received', title: t('received'), wide: true, cell: ({ receivedAt }) => moment(receivedAt) },
              {
                id: 'lots',
                title: t('lots'),
                cell: ({ lotCodes }) => lotCodes.map((code, place) => [place > 0 && ', ', wholeCode(code)]),
              },
            ]}
          />
        </Section>
      )}
    </>
  );
}
