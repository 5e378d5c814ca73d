import { useMay } from '../../client/session.js';
import { Section } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { rowsOf, Table } from '../../parts/table.js';
import { byName } from '../../values/by-name.js';
import { day, NONE, quantity, whole } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useAllSales } from './all-sales.js';
import type { Buyer } from './buyers-of.js';
import { buyersOf } from './buyers-of.js';
import { Contact } from './contact.js';
import { FirstRows } from './first-rows.js';
import type { RecallAnswer } from './recall-answer.js';
import { words } from './words.js';

export const goodsOf = ({ goods }: Buyer): string =>
  goods
    .filter(({ netQuantity }) => netQuantity > 0)
    .map(({ description, netQuantity, unit }) => `${description ?? NONE} ${quantity(netQuantity, unit)}`)
    .join(', ') || NONE;

/** Whom to call, each once: among the sales they would stand between those of people whom nobody knows. */
export function Buyers({ answer }: { readonly answer: RecallAnswer }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const may = useMay();
  const sales = useAllSales(answer);
  const nameOf = ({ customer }: Buyer) => customer.name ?? shared('noName');
  return (
    <Section title={`${t('customersToTell')} (${whole(answer.summary.customers)})`} isPreparedForPaper>
      <Shown reading={sales}>
        {(known) => (
          <>
            {known.length < answer.total && (
              <p class="fine">{t('printedSome', { shown: whole(known.length), total: whole(answer.total) })}</p>
            )}
            <FirstRows rows={byName(buyersOf(known), nameOf)}>
              {(shown) => (
                <Table
                  label={t('customersToTell')}
                  rows={rowsOf(shown)}
                  rowKey={({ customer }) => customer.id}
                  href={may('customers.view') ? ({ customer }) => `/clientes/${customer.id}` : undefined}
                  empty=""
                  columns={[
                    { id: 'customer', title: t('customer'), cell: nameOf },
                    { id: 'contact', title: t('contact'), cell: ({ customer }) => <Contact customer={customer} /> },
                    {
                      id: 'goods',
                      title: t('bought'),
                      below: 'plain',
                      cell: (buyer) => <span class="block">{goodsOf(buyer)}</span>,
                    },
                    { id: 'last', title: t('lastSold'), below: 'titled', cell: ({ lastSoldAt }) => day(lastSoldAt) },
                  ]}
                />
              )}
            </FirstRows>
          </>
        )}
      </Shown>
    </Section>
  );
}
