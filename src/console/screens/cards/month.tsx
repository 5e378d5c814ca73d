import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { MonthField } from '../../parts/month-field.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { isoDay, money, percent, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { CardTabs, KINDS } from './configuration.js';
import { Jobs } from './jobs.js';
import { words } from './words.js';

const MONTH = /^\d{4}-\d{2}$/;

/** What cards cost in a month, and making its fees anew. */
export function Month() {
  const t = useWords(words);
  const [month, setMonth] = useFilter('month', isoDay().slice(0, 7));
  return (
    <Page title={t('title')}>
      <CardTabs current="month" />
      <div class="filters">
        <MonthField label={t('month')} value={month} onValue={setMonth} />
      </div>
      {MONTH.test(month) && (
        <>
          <Summary month={month} />
          <Recalculation key={month} month={month} />
        </>
      )}
      <Jobs />
    </Page>
  );
}

function Summary({ month }: { readonly month: string }) {
  const t = useWords(words);
  const summary = useRead({
    key: ['card-fees', 'summary', month],
    kinds: [...KINDS, 'sale'],
    read: (signal) => body(api.GET('/card-fees/summary', { params: { query: { month } }, signal })),
  });
  return (
    <Section title={t('summary')}>
      <Shown reading={summary} fillsView>
        {({ total, rows }) => (
          <div class="checks">
            <Facts
              facts={[
                [t('matched'), whole(total.payments)],
                [t('gross'), money(total.gross)],
                [t('fee'), money(total.fee)],
                [t('effective'), percent(total.effectivePercent, 2)],
                [t('pending'), whole(total.pending)],
              ]}
            />
            <Table
              label={t('summary')}
              rows={rowsOf(rows)}
              rowKey={({ accountId, cardBrandId, cardType }) => [accountId, cardBrandId, cardType].join('/')}
              empty={t('noSales')}
              columns={[
                { id: 'machine', title: t('machine'), cell: ({ accountName }) => accountName ?? t('pending') },
                { id: 'brand', title: t('brand'), below: 'plain', cell: ({ brandName }) => brandName ?? '–' },
                {
                  id: 'kind',
                  title: t('kind'),
                  below: 'plain',
                  cell: ({ cardType }) => (cardType === 'debit' ? t('debit') : t('anyCredit')),
                },
                { id: 'gross', title: t('gross'), figure: true, cell: ({ gross }) => money(gross) },
                { id: 'fee', title: t('fee'), figure: true, cell: ({ fee }) => money(fee) },
                {
                  id: 'effective',
                  title: t('effective'),
                  figure: true,
                  wide: true,
                  cell: ({ effectivePercent }) => percent(effectivePercent, 2),
                },
              ]}
            />
          </div>
        )}
      </Shown>
    </Section>
  );
}

function Recalculation({ month }: { readonly month: string }) {
  const t = useWords(words);
  const may = useMay();
  const [isAsked, setAsked] = useState(false);
  // Read like a record: what another one changes in machines and rates changes what is shown here.
  const preview = useRead({
    key: ['card-fees', 'preview', month],
    kinds: KINDS,
    when: isAsked,
    read: (signal) => body(api.POST('/card-fees/recalc-month/preview', { body: { month }, signal })),
  });
  const start = useCommand({
    send: (wanted: string, headers) => body(api.POST('/card-fees/calc-jobs', { body: { month: wanted }, headers })),
    kinds: KINDS,
    onDone: () => {
      setAsked(false);
    },
  });
  const found = isAsked ? preview.data : undefined;
  // Another one was quicker, or what was not answered was done: nothing of the try is to be said any more.
  const isNothingLeft = found?.updated === 0;
  return (
    <Section title={t('start')}>
      <div class="checks">
        <p class="lead">{t('previewLead')}</p>
        <div class="row">
          <Button
            busy={preview.isFetching}
            onClick={() => {
              if (isAsked) void preview.refetch();
              else setAsked(true);
            }}
          >
            {t('preview')}
          </Button>
          {found && may('cardFees.manage') && (
            <Button
              look="main"
              busy={start.isPending}
              resting={isNothingLeft}
              onClick={() => {
                start.mutate(month);
              }}
            >
              {t('start')}
            </Button>
          )}
        </div>
        {preview.error && <ProblemNote error={preview.error} />}
        {start.error && !isNothingLeft && <ProblemNote error={start.error} />}
        {found && (
          <Facts
            facts={[
              [t('machine'), found.activeAccountName ?? '–'],
              [t('matched'), whole(found.totalMatched)],
              [t('changed'), whole(found.updated)],
              [t('without'), whole(found.failed)],
              [t('before'), money(found.feeBefore)],
              [t('after'), money(found.feeAfter)],
              [t('difference'), money(found.feeAfter - found.feeBefore)],
            ]}
          />
        )}
      </div>
    </Section>
  );
}
