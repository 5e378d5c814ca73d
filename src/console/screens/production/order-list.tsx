import { api, plainPage } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { useList } from '../../client/queries.js';
import { useFilter } from '../../parts/address.js';
import { SelectField } from '../../parts/fields.js';
import { Page } from '../../parts/page.js';
import { rowsOfList, Table } from '../../parts/table.js';
import { day, money, quantity, whole } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { OrderTabs } from './board.js';
import type { Order } from './orders.js';
import { OrderStatus } from './orders.js';
import { words } from './words.js';

const STATUSES = ['PLANNED', 'IN_PROGRESS', 'COMPLETED', 'PARTIALLY_REVERSED', 'REVERSED', 'CANCELLED'] as const;

export function OrderList() {
  const t = useWords(words);
  const shared = useWords(frame);
  const [status, setStatus] = useFilter('status');
  const filters = status === '' ? {} : { status: status as Order['status'] };
  const list = useList<Order>({
    key: ['orders', filters],
    kinds: ['order'],
    read: (at, signal) =>
      plainPage(
        api.GET('/bakery-production/orders', {
          params: { query: { ...filters, limit: 100, ...at } },
          signal,
        }),
      ),
  });
  const names = useNames(list.items.map(({ finishedVariantId }) => finishedVariantId));
  return (
    <Page title={t('title')}>
      <OrderTabs current="list" />
      <div class="filters">
        <SelectField
          label={t('status')}
          required
          value={status}
          onValue={setStatus}
          choices={[{ value: '', label: shared('all') }, ...STATUSES.map((one) => ({ value: one, label: t(one) }))]}
        />
      </div>
      <Table
        label={t('list')}
        rows={rowsOfList(list)}
        rowKey={({ id }) => id}
        href={({ id }) => `/producao/${id}`}
        empty={t('none')}
        columns={[
          { id: 'recipe', title: t('recipe'), cell: ({ recipeName, number }) => `${recipeName} · ${whole(number)}` },
          {
            id: 'when',
            title: t('when'),
            below: 'plain',
            cell: ({ completedAt, expectedAt }) => day(completedAt ?? expectedAt),
          },
          { id: 'batches', title: t('batchCount'), figure: true, wide: true, cell: ({ batches }) => quantity(batches) },
          {
            id: 'output',
            title: t('output'),
            figure: true,
            cell: ({ actualOutputQty, finishedVariantId }) =>
              quantity(actualOutputQty, names(finishedVariantId)?.saleUnit),
          },
          { id: 'cost', title: t('totalCost'), figure: true, wide: true, cell: ({ totalCost }) => money(totalCost) },
          { id: 'status', title: t('status'), below: 'plain', cell: (order) => <OrderStatus status={order.status} /> },
        ]}
      />
    </Page>
  );
}
