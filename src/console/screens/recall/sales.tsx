import { api, body } from '../../client/api.js';
import { usePagedRows } from '../../client/paged.js';
import { useMay } from '../../client/session.js';
import { wholeCode } from '../../parts/lot-code.js';
import { Section } from '../../parts/page.js';
import { Table } from '../../parts/table.js';
import { moment, quantity, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { Contact } from './contact.js';
import type { RecallAnswer } from './recall-answer.js';
import { words } from './words.js';

type SoldRow = RecallAnswer['sales'][number];

/** Each sale that goods of it went out with, once for each lot: more rows than sales, which are counted above. */
export function Sales({ answer }: { readonly answer: RecallAnswer }) {
  const t = useWords(words);
  const may = useMay();
  const { lotCode } = answer;
  const rows = usePagedRows<SoldRow>({
    key: ['recall', lotCode, 'sales'],
    kinds: ['lot', 'sale', 'order', 'customer'],
    read: async (page, pageSize, signal) => {
      const found = await body(
        api.GET('/bakery-production/recall', { params: { query: { lotCode, page, pageSize } }, signal }),
      );
      const { sales, total } = found;
      return { items: sales, total };
    },
  });
  return (
    <Section title={`${t('salesByLot')} (${whole(answer.total)})`} isPreparedForPaper>
      <Table
        label={t('sales')}
        rows={rows}
        rowKey={({ saleId, lotId }) => saleId + lotId}
        href={may('sales.view') ? ({ saleId }) => `/vendas/${saleId}` : undefined}
        empty={t('nobody')}
        printedBy={t('print')}
        columns={[
          { id: 'customer', title: t('customer'), cell: ({ customer }) => customer?.name ?? t('without') },
          { id: 'contact', title: t('contact'), cell: ({ customer }) => <Contact customer={customer} /> },
          { id: 'when', title: t('when'), below: 'plain', cell: ({ soldAt }) => moment(soldAt) },
          { id: 'product', title: t('product'), below: 'plain', cell: ({ description }) => description ?? '–' },
          { id: 'lot', title: t('lot'), below: 'plain', cell: (row) => wholeCode(row.lotCode) },
          {
            id: 'quantity',
            title: t('quantity'),
            figure: true,
            cell: ({ netQuantity, unit }) => quantity(netQuantity, unit),
          },
        ]}
      />
    </Section>
  );
}
