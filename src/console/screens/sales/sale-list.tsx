import { api, body } from '../../client/api.js';
import { useList, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { Button, LinkButton } from '../../parts/button.js';
import { useDelayed } from '../../parts/delayed.js';
import { DateField, SelectField, TextField } from '../../parts/fields.js';
import { Page, Tabs } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import type { Column } from '../../parts/table.js';
import { rowsOf, rowsOfList, Table } from '../../parts/table.js';
import { moment, money, whole } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { paymentMethods } from '../../words/payments.js';
import { useWords } from '../../words/words.js';
import type { Sale } from './sale-state.js';
import { SaleState } from './sale-state.js';
import { words } from './words.js';

export function SaleTabs({ current }: { readonly current: 'list' | 'summary' }) {
  const t = useWords(words);
  return (
    <Tabs
      label={t('title')}
      current={current}
      tabs={[
        { id: 'list', href: '/vendas', label: t('list') },
        { id: 'summary', href: '/vendas/resumo', label: t('summary') },
      ]}
    />
  );
}

export function SaleList() {
  const t = useWords(words);
  const shared = useWords(frame);
  const may = useMay();
  const [number, setNumber] = useFilter('number');
  const [status, setStatus] = useFilter('status');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  const [customerId, setCustomerId] = useFilter('customerId');
  const asked = useDelayed(number.trim(), 150);
  // As it is said and written: `nº 1.234`, `Venda 1234`.
  const digits = asked.replace(/\D/g, '');
  const isNoNumber = asked !== '' && !/^\d{1,9}$/.test(digits);
  const filters = {
    ...(asked === '' || isNoNumber ? {} : { number: Number(digits) }),
    ...(status === '' ? {} : { status: status as Sale['status'] }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(customerId === '' ? {} : { customerId }),
  };
  const list = useList<Sale>({
    key: ['sales', filters],
    kinds: ['sale', 'customer'],
    keep: true,
    when: !isNoNumber,
    read: (at, signal) => body(api.GET('/sales', { params: { query: { ...filters, limit: 100, ...at } }, signal })),
  });
  return (
    <Page
      title={t('title')}
      actions={
        may('sales.manage') && (
          <LinkButton href="/caixa" look="main" icon="till">
            {t('till')}
          </LinkButton>
        )
      }
    >
      <SaleTabs current="list" />
      <div class="filters no-print">
        <TextField
          label={t('numberSearch')}
          required
          inputMode="numeric"
          autocomplete="off"
          value={number}
          onValue={setNumber}
        />
        <SelectField
          label={t('status')}
          required
          value={status}
          onValue={setStatus}
          choices={[
            { value: '', label: shared('all') },
            { value: 'COMPLETED', label: t('completed') },
            { value: 'CANCELLED', label: t('cancelled') },
          ]}
        />
        <DateField label={shared('from')} required value={from} onValue={setFrom} />
        <DateField label={shared('until')} required value={to} onValue={setTo} />
      </div>
      {customerId !== '' && (
        <OneCustomer
          id={customerId}
          onAll={() => {
            setCustomerId('');
          }}
        />
      )}
      <Table
        label={t('title')}
        columns={useSaleColumns()}
        rows={isNoNumber ? rowsOf([]) : rowsOfList(list)}
        rowKey={({ id }) => id}
        href={({ id }) => `/vendas/${id}`}
        empty={<Empty title={asked === '' && Object.keys(filters).length === 0 ? t('empty') : t('nothingFound')} />}
      />
    </Page>
  );
}

function OneCustomer({ id, onAll }: { readonly id: string; readonly onAll: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const may = useMay();
  const customer = useRead({
    key: ['customer', id, 'name'],
    kinds: ['customer'],
    when: may('customers.view'),
    read: (signal) => body(api.GET('/customers/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <div class="row filter-note">
      <p>{t('ofCustomer', { name: customer.data?.name ?? shared('noName') })}</p>
      <Button look="quiet" onClick={onAll}>
        {t('everyCustomer')}
      </Button>
    </div>
  );
}

export function useSaleColumns(): readonly Column<Sale>[] {
  const t = useWords(words);
  const shared = useWords(frame);
  const method = useWords(paymentMethods);
  return [
    { id: 'number', title: t('number'), cell: ({ number }) => whole(number) },
    { id: 'when', title: t('when'), below: 'plain', cell: ({ occurredAt }) => moment(occurredAt) },
    { id: 'customer', title: t('customer'), below: 'plain', cell: ({ customerName }) => customerName ?? '–' },
    { id: 'items', title: t('items'), wide: true, cell: ({ items }) => t('itemCount', { n: items.length }) },
    {
      id: 'payment',
      title: t('payment'),
      below: 'plain',
      cell: ({ payments }) => [...new Set(payments.map((payment) => method(payment.method)))].join(', '),
    },
    { id: 'status', title: t('status'), below: 'plain', cell: (sale) => <SaleState sale={sale} /> },
    {
      id: 'total',
      title: shared('total'),
      figure: true,
      cell: ({ total, status }) => (status === 'CANCELLED' ? <s>{money(total)}</s> : money(total)),
    },
  ];
}
