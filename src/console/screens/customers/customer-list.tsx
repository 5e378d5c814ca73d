import { api, body } from '../../client/api.js';
import { useList } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { LinkButton } from '../../parts/button.js';
import { useDelayed } from '../../parts/delayed.js';
import { TextField } from '../../parts/fields.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import type { Column } from '../../parts/table.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { phone, taxId } from '../../values/contacts.js';
import { day } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Customer } from './customer-fields.js';
import { words } from './words.js';

export function CustomerList() {
  const t = useWords(words);
  const may = useMay();
  const [q, setQ] = useFilter('q');
  const asked = useDelayed(q.trim(), 150);
  const list = useList<Customer>({
    key: ['customers', asked],
    kinds: ['customer'],
    keep: true,
    read: (at, signal) =>
      body(
        api.GET('/customers', {
          params: { query: { ...(asked === '' ? {} : { q: asked }), limit: 100, ...at } },
          signal,
        }),
      ),
  });
  const found = ({ items, hasNextPage }: typeof list) =>
    t(hasNextPage ? 'foundMore' : items.length === 0 ? 'nothingFound' : 'found', { n: items.length });
  return (
    <Page
      title={t('title')}
      actions={
        may('customers.manage') && (
          <LinkButton href="/clientes/novo" look="main" icon="plus">
            {t('create')}
          </LinkButton>
        )
      }
    >
      <div class="filters no-print">
        <div class="grow field">
          <TextField label={t('search')} required autocomplete="off" maxLength={100} value={q} onValue={setQ} />
        </div>
      </div>
      <p class="unseen" role="status">
        {asked !== '' && list.data && !list.isFetching && found(list)}
      </p>
      <Table
        label={t('title')}
        columns={useColumns()}
        rows={rowsOfList(list)}
        rowKey={({ id }) => id}
        href={({ id }) => `/clientes/${id}`}
        empty={<Empty title={asked === '' ? t('empty') : t('nothingFound')} />}
      />
    </Page>
  );
}

function useColumns(): readonly Column<Customer>[] {
  const t = useWords(words);
  return [
    {
      id: 'name',
      title: t('name'),
      cell: ({ name, erasedAt }) => (erasedAt ? <Status tone="calm">{t('erasedName')}</Status> : name),
    },
    { id: 'document', title: t('document'), below: 'plain', cell: ({ document }) => taxId(document) },
    { id: 'phone', title: t('phone'), cell: (customer) => <span class="whole">{phone(customer.phone)}</span> },
    { id: 'email', title: t('email'), wide: true, cell: ({ email }) => email ?? '–' },
    { id: 'since', title: t('since'), wide: true, cell: ({ createdAt }) => day(createdAt) },
  ];
}
