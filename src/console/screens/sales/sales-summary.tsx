import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { DateField, SelectField } from '../../parts/fields.js';
import { SaveButton } from '../../parts/file-button.js';
import { Outdated } from '../../parts/outdated.js';
import { Facts, Page } from '../../parts/page.js';
import { PrintButton } from '../../parts/print-button.js';
import { Empty, Shown } from '../../parts/shown.js';
import type { Column } from '../../parts/table.js';
import { rowsOf, Table } from '../../parts/table.js';
import { day, isoDay, money, quantity, whole } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import type { PaymentMethod } from '../../words/payments.js';
import { paymentMethods } from '../../words/payments.js';
import { useWords } from '../../words/words.js';
import { SaleTabs } from './sale-list.js';
import { words } from './words.js';

type Row = components['schemas']['SalesSummaryRow'];
type By = 'day' | 'product' | 'payment';

export function SalesSummary() {
  const t = useWords(words);
  const shared = useWords(frame);
  const [from, setFrom] = useFilter('from', isoDay(-29));
  const [to, setTo] = useFilter('to', isoDay());
  const [by, setBy] = useFilter('by', 'day');
  const reading = useRead({
    key: ['sales', 'summary', from, to, by],
    kinds: ['sale'],
    keep: true,
    read: (signal) => body(api.GET('/sales/summary', { params: { query: { from, to, by: by as By } }, signal })),
  });
  return (
    <Page
      title={t('summary')}
      lead={<span class="print-only">{`${day(from)} – ${day(to)}`}</span>}
      back={{ href: '/vendas', label: t('title') }}
      actions={
        <>
          <PrintButton />
          {(['csv', 'xlsx'] as const).map((format) => (
            <SaveButton
              key={format}
              path={`/sales/summary?${new URLSearchParams({ from, to, by, format }).toString()}`}
            >
              {t(format)}
            </SaveButton>
          ))}
        </>
      }
    >
      <SaleTabs current="summary" />
      <div class="filters no-print">
        <DateField label={shared('from')} required value={from} onValue={setFrom} />
        <DateField label={shared('until')} required value={to} onValue={setTo} />
        <SelectField
          label={t('by')}
          required
          value={by}
          onValue={setBy}
          choices={[
            { value: 'day', label: t('byDay') },
            { value: 'product', label: t('byProduct') },
            { value: 'payment', label: t('byPayment') },
          ]}
        />
      </div>
      <Shown reading={reading}>
        {({ items }) => (
          <Outdated when={reading.isPlaceholderData}>
            <Sums items={items} by={by as By} />
          </Outdated>
        )}
      </Shown>
    </Page>
  );
}

const sumOf = (items: readonly Row[], field: 'gross' | 'returned' | 'net' | 'sales'): number =>
  items.reduce((sum, row) => sum + Math.round(row[field] * 100), 0) / 100;

function Sums({ items, by }: { readonly items: readonly Row[]; readonly by: By }) {
  const t = useWords(words);
  const columns = useSumColumns(by);
  if (items.length === 0) return <Empty title={t('nothingSold')} />;
  return (
    <div class="stack">
      <Facts
        facts={[
          by === 'day' && [t('sales'), whole(sumOf(items, 'sales'))],
          [t('gross'), money(sumOf(items, 'gross'))],
          [t('returnedSum'), money(sumOf(items, 'returned'))],
          [t('net'), money(sumOf(items, 'net'))],
        ]}
      />
      <Table label={t('summary')} columns={columns} rows={rowsOf(items)} rowKey={({ key }) => key} empty="" />
    </div>
  );
}

function useSumColumns(by: By): readonly Column<Row>[] {
  const t = useWords(words);
  const method = useWords(paymentMethods);
  const named: Readonly<Record<By, (row: Row) => string>> = {
    day: ({ key }) => day(key),
    product: ({ label }) => label,
    payment: ({ key, label }) => (key in paymentMethods ? method(key as PaymentMethod) : label),
  };
  const titles = { day: t('byDay'), product: t('byProduct'), payment: t('byPayment') };
  return [
    { id: 'key', title: titles[by], cell: named[by] },
    { id: 'sales', title: t('sales'), figure: true, wide: true, cell: ({ sales }) => whole(sales) },
    ...(by === 'product'
      ? [{ id: 'quantity', title: t('sold'), figure: true, cell: (row: Row) => quantity(row.quantity, row.unit) }]
      : []),
    { id: 'gross', title: t('gross'), figure: true, wide: true, cell: ({ gross }) => money(gross) },
    { id: 'returned', title: t('returnedSum'), figure: true, wide: true, cell: ({ returned }) => money(returned) },
    { id: 'net', title: t('net'), figure: true, cell: ({ net }) => money(net) },
  ];
}
