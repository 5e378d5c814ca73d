import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import type { Place } from '../../client/queries.js';
import { useList, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { StepChart } from '../../parts/chart.js';
import { DateField } from '../../parts/fields.js';
import { SaveButton } from '../../parts/file-button.js';
import { wholeCode } from '../../parts/lot-code.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { VariantField } from '../../parts/variant-field.js';
import { moment, quantity } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useLocations } from './locations.js';
import { words } from './words.js';

type Movement = components['schemas']['StockMovement'];

interface Filters {
  readonly variantId?: string;
  readonly lotId?: string;
  readonly from?: string;
  readonly to?: string;
}

const readMoves = async (filters: Filters, limit: number, at: Place, signal: AbortSignal) =>
  body(
    api.GET('/stock/movements', {
      params: { query: { ...filters, limit, ...at } },
      signal,
    }),
  );

export function Ledger() {
  const t = useWords(words);
  const shared = useWords(frame);
  const [variantId, setVariantId] = useFilter('variantId');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  const filters = {
    ...(variantId === '' ? {} : { variantId }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
  };
  return (
    <>
      <div class="filters no-print">
        <div class="field grow">
          <VariantField
            label={t('product')}
            required
            value={variantId === '' ? undefined : variantId}
            onPick={(label) => {
              setVariantId(label?.variantId ?? '');
            }}
          />
        </div>
        <DateField label={shared('from')} required value={from} onValue={setFrom} />
        <DateField label={shared('until')} required value={to} onValue={setTo} />
        {(['csv', 'xlsx'] as const).map((format) => (
          <SaveButton key={format} path={`/stock/movements?${new URLSearchParams({ ...filters, format }).toString()}`}>
            {t(format)}
          </SaveButton>
        ))}
      </div>
      {variantId === '' ? <p class="fine">{t('chooseProduct')}</p> : <RunningBalance variantId={variantId} />}
      <Movements filters={filters} />
    </>
  );
}

const CHARTED = 200;

/** The balance of all locations after each of the last movements. */
function RunningBalance({ variantId }: { readonly variantId: string }) {
  const t = useWords(words);
  const names = useNames([variantId]);
  const moves = useRead({
    key: ['movements', 'chart', variantId],
    kinds: ['lot', 'sale', 'order'],
    read: async (signal) => (await readMoves({ variantId }, CHARTED, {}, signal)).items,
  });
  return (
    <Section title={t('running')}>
      <Shown reading={moves}>
        {(items: readonly Movement[]) => {
          const points = [...items].reverse().map(({ at, balance }) => ({ at, value: balance }));
          return (
            <>
              <StepChart
                label={t('running')}
                points={points}
                write={(value) => quantity(value, names(variantId)?.saleUnit)}
              />
              {items.length === CHARTED && <p class="fine">{t('chartedLast', { count: CHARTED })}</p>}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

/** Where what moved the goods is shown, to who may see it. */
function useSource(): (move: Movement) => string | undefined {
  const may = useMay();
  return ({ sourceKind, sourceId }) => {
    if (sourceKind === 'RECEIPT') return `/estoque/entradas/${sourceId}`;
    if (sourceKind === 'SALE' && may('sales.view')) return `/vendas/${sourceId}`;
    if (sourceKind === 'ORDER' && may('production.view')) return `/producao/${sourceId}`;
    return undefined;
  };
}

export function Movements({ filters }: { readonly filters: Filters }) {
  const t = useWords(words);
  const locations = useLocations();
  const source = useSource();
  const list = useList<Movement>({
    key: ['movements', filters],
    kinds: ['lot', 'sale', 'order'],
    read: (at, signal) => readMoves(filters, 100, at, signal),
  });
  const names = useNames(list.items.map(({ variantId }) => variantId));
  return (
    <Table
      label={t('ledger')}
      rows={rowsOfList(list)}
      rowKey={({ id }) => id}
      href={source}
      empty={t('noMoves')}
      columns={[
        { id: 'when', title: t('when'), cell: ({ at }) => moment(at) },
        {
          id: 'kind',
          title: t('kind'),
          cell: ({ kind, reason }) => (
            <>
              {t(kind)}
              {reason !== null && <span class="fine block">{reason}</span>}
            </>
          ),
        },
        ...(filters.lotId === undefined && filters.variantId === undefined
          ? [
              {
                id: 'product',
                title: t('product'),
                below: 'plain' as const,
                cell: ({ variantId }: Movement) => names(variantId)?.description ?? '…',
              },
            ]
          : []),
        ...(filters.lotId === undefined
          ? [
              {
                id: 'lot',
                title: t('lot'),
                below: 'plain' as const,
                cell: (move: Movement) => wholeCode(move.lotCode, t('noCode')),
              },
            ]
          : []),
        { id: 'location', title: t('location'), wide: true, cell: ({ locationId }) => locations.nameOf(locationId) },
        {
          id: 'quantity',
          title: t('quantity'),
          figure: true,
          tells: true,
          cell: (move) => (
            <span class={move.quantity < 0 ? 'bad-text' : 'good-text'}>
              {move.quantity > 0 ? '+' : ''}
              {quantity(move.quantity, names(move.variantId)?.saleUnit)}
            </span>
          ),
        },
        {
          id: 'balance',
          title: t('balance'),
          figure: true,
          tells: true,
          cell: ({ balance, lotBalance }) => quantity(filters.lotId === undefined ? balance : lotBalance),
        },
      ]}
    />
  );
}
