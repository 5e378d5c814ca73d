import type { components } from 'openapi-client';
import { useEffect, useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import type { Place } from '../../client/queries.js';
import { allPages, useCommand, useList } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { DateField, SelectField } from '../../parts/fields.js';
import { SaveButton } from '../../parts/file-button.js';
import { Section } from '../../parts/page.js';
import { Paper } from '../../parts/paper.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { rowsByName, rowsOf, Table } from '../../parts/table.js';
import { byName } from '../../values/by-name.js';
import { isoDay, moment, money, quantity, unitCost } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useLocations } from './locations.js';
import { words } from './words.js';

type Valuation = components['schemas']['StockValuation'];
type Valued = Valuation['items'][number];
type Asked = { readonly at?: string; readonly locationId?: string };

const LIMIT = 200;

const readPage = (asked: Asked, at: Place, signal?: AbortSignal): Promise<Valuation> =>
  body(
    api.GET('/stock/valuation', {
      params: { query: { ...asked, limit: LIMIT, ...at } },
      ...(signal ? { signal } : {}),
    }),
  );

async function allRows(asked: Asked): Promise<readonly Valued[]> {
  return byName(await allPages((at) => readPage(asked, at)), ({ description }) => description ?? '');
}

/** What the stock was worth at the end of a day, with the totals that an accountant asks for, on paper too. */
export function ValuationView() {
  const t = useWords(words);
  const shared = useWords(frame);
  const [on, setOn] = useFilter('on');
  const [locationId, setLocationId] = useFilter('locationId');
  const locations = useLocations();
  const asked: Asked = {
    ...(on === '' || on >= isoDay() ? {} : { at: on }),
    ...(locationId === '' ? {} : { locationId }),
  };
  const list = useList<Valued, Valuation>({
    key: ['valuation', asked],
    kinds: ['lot', 'sale', 'order', 'product'],
    read: (at, signal) => readPage(asked, at, signal),
  });
  const first = list.data?.pages[0];
  return (
    <>
      <div class="filters no-print">
        <DateField label={t('valuedOn')} required value={on === '' ? isoDay() : on} onValue={setOn} />
        <SelectField
          label={t('location')}
          required
          value={locationId}
          onValue={setLocationId}
          choices={[{ value: '', label: t('allLocations') }, ...locations.choices]}
        />
        <Exports asked={asked} valuation={first} />
      </div>
      <Shown reading={{ ...list, data: first }}>{(valuation) => <Totals valuation={valuation} />}</Shown>
      {first && (
        <Section title={t('byLine')} isPreparedForPaper>
          <Table
            label={t('valuation')}
            rows={rowsByName(list, ({ description }) => description ?? '')}
            rowKey={({ variantId, locationId: place }) => variantId + place}
            href={({ variantId }) => `/estoque/movimentos?variantId=${variantId}`}
            empty={t('noBalances')}
            printedBy={shared('print')}
            columns={[
              { id: 'product', title: t('product'), cell: ({ description }) => description ?? '–' },
              { id: 'category', title: t('category'), wide: true, cell: ({ category }) => category ?? '–' },
              { id: 'location', title: t('location'), below: 'plain', cell: ({ location }) => location ?? '–' },
              { id: 'quantity', title: t('quantity'), figure: true, cell: (row) => quantity(row.quantity, row.unit) },
              { id: 'cost', title: t('unitCost'), figure: true, wide: true, cell: (row) => unitCost(row.unitCost) },
              { id: 'value', title: t('value'), figure: true, cell: ({ value }) => money(value) },
            ]}
          />
        </Section>
      )}
    </>
  );
}

function Totals({ valuation: { totals, at, partial } }: { readonly valuation: Valuation }) {
  const t = useWords(words);
  if (!totals) return partial ? <p class="note">{t('valuePartial')}</p> : null;
  return (
    <>
      <p class="big-figure">{money(totals.value)}</p>
      <p class="fine">{t('valuedAt', { when: moment(at) })}</p>
      {(['byCategory', 'byLocation'] as const).map((by) => (
        <Section key={by} title={t(by)}>
          <Table
            label={t(by)}
            rows={rowsOf(
              byName(
                by === 'byCategory'
                  ? totals.byCategory.map(({ category, value }) => ({ name: category ?? t('noCategory'), value }))
                  : totals.byLocation.map(({ location, value }) => ({ name: location ?? '–', value })),
                ({ name }) => name,
              ),
            )}
            rowKey={({ name }) => name}
            empty={t('noBalances')}
            columns={[
              { id: 'name', title: t(by === 'byCategory' ? 'category' : 'location'), cell: ({ name }) => name },
              { id: 'value', title: t('value'), figure: true, cell: ({ value }) => money(value) },
            ]}
          />
        </Section>
      ))}
    </>
  );
}

function Exports({ asked, valuation }: { readonly asked: Asked; readonly valuation: Valuation | undefined }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const [onPaper, setOnPaper] = useState<readonly Valued[]>();
  const fetching = useCommand({ send: allRows, kinds: [], onDone: setOnPaper });
  return (
    <>
      <Button
        icon="print"
        disabled={!valuation}
        busy={fetching.isPending}
        onClick={() => {
          fetching.mutate(asked);
        }}
      >
        {shared('print')}
      </Button>
      {(['csv', 'xlsx'] as const).map((format) => (
        <SaveButton key={format} path={`/stock/valuation?${new URLSearchParams({ ...asked, format }).toString()}`}>
          {t(format)}
        </SaveButton>
      ))}
      <ProblemNote error={fetching.error} />
      {onPaper && valuation && (
        <Paper>
          <Printed
            rows={onPaper}
            valuation={valuation}
            onDone={() => {
              setOnPaper(undefined);
            }}
          />
        </Paper>
      )}
    </>
  );
}

const FIGURES: ReadonlySet<string> = new Set(['quantity', 'unitCost', 'value']);

/** Paper holds every row, with its lines to sign. */
function Printed({
  rows,
  valuation,
  onDone,
}: {
  readonly rows: readonly Valued[];
  readonly valuation: Valuation;
  readonly onDone: () => void;
}) {
  const t = useWords(words);
  useEffect(() => {
    print();
    onDone();
  }, []);
  return (
    <div class="print-only">
      <h2>{t('valuedAt', { when: moment(valuation.at) })}</h2>
      <table class="table">
        <thead>
          <tr>
            {(['product', 'category', 'location', 'quantity', 'unitCost', 'value'] as const).map((name) => (
              <th key={name} class={FIGURES.has(name) ? 'figure' : ''}>
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.variantId + row.locationId}>
              <td>{row.description}</td>
              <td>{row.category}</td>
              <td>{row.location}</td>
              <td class="figure">{quantity(row.quantity, row.unit)}</td>
              <td class="figure">{unitCost(row.unitCost)}</td>
              <td class="figure">{money(row.value)}</td>
            </tr>
          ))}
        </tbody>
        {valuation.totals && (
          <tfoot>
            <tr>
              <td colSpan={5}>{t('value')}</td>
              <td class="figure">{money(valuation.totals.value)}</td>
            </tr>
          </tfoot>
        )}
      </table>
      <p>{t('signed')}</p>
    </div>
  );
}
