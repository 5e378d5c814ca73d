import { useEffect } from 'preact/hooks';
import { wholeCode } from '../../parts/lot-code.js';
import { phone } from '../../values/contacts.js';
import { byName } from '../../values/by-name.js';
import { day, moment, quantity, whole } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { LotStatus } from '../stock/lot-status.js';
import { goodsOf } from './buyers.js';
import type { Buyer } from './buyers-of.js';
import { buyersOf } from './buyers-of.js';
import type { Left, RecallAnswer } from './recall-answer.js';
import { lotFacts } from './recall-answer.js';
import { words } from './words.js';

type Sold = RecallAnswer['sales'];

const contactOf = (customer: Buyer['customer'] | null): string =>
  [customer?.phone && phone(customer.phone), customer?.email].filter(Boolean).join(' · ');

/** Tables on paper hold every row; those on the screen only what is seen. */
export function Printed({
  answer,
  remaining,
  sales,
  onDone,
}: {
  readonly answer: RecallAnswer;
  readonly remaining: readonly Left[];
  readonly sales: Sold;
  readonly onDone: () => void;
}) {
  const t = useWords(words);
  const shared = useWords(frame);
  const nameOf = ({ customer }: Buyer) => customer.name ?? shared('noName');
  const headOf = (name: keyof typeof words) => (
    <th key={name} class={name === 'quantity' ? 'figure' : ''}>
      {t(name)}
    </th>
  );
  useEffect(() => {
    print();
    onDone();
  }, []);
  return (
    <div class="print-only">
      {sales.length < answer.total && (
        <p>{t('printedSome', { shown: whole(sales.length), total: whole(answer.total) })}</p>
      )}
      <h2>{t('customersToTell')}</h2>
      <table class="table">
        <thead>
          <tr>{(['customer', 'contact', 'bought', 'lastSold'] as const).map(headOf)}</tr>
        </thead>
        <tbody>
          {byName(buyersOf(sales), nameOf).map((buyer) => (
            <tr key={buyer.customer.id}>
              <td>{nameOf(buyer)}</td>
              <td>{contactOf(buyer.customer)}</td>
              <td>{goodsOf(buyer)}</td>
              <td>{day(buyer.lastSoldAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{t('remaining')}</h2>
      <table class="table">
        <thead>
          <tr>{(['product', 'lot', 'location', 'expires', 'quantity', 'status'] as const).map(headOf)}</tr>
        </thead>
        <tbody>
          {remaining.map((row) => (
            <tr key={row.lotId + row.locationId}>
              <td>{row.description}</td>
              <td>{wholeCode(row.lotCode)}</td>
              <td>{row.location}</td>
              <td>{day(row.expiresOn)}</td>
              <td class="figure">{quantity(row.quantity, row.unit)}</td>
              <td>
                <LotStatus lot={lotFacts(row)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{t('salesByLot')}</h2>
      <table class="table">
        <thead>
          <tr>{(['customer', 'contact', 'when', 'product', 'lot', 'quantity'] as const).map(headOf)}</tr>
        </thead>
        <tbody>
          {sales.map((row) => (
            <tr key={row.saleId + row.lotId}>
              <td>{row.customer?.name ?? t('without')}</td>
              <td>{contactOf(row.customer)}</td>
              <td>{moment(row.soldAt)}</td>
              <td>{row.description}</td>
              <td>{wholeCode(row.lotCode)}</td>
              <td class="figure">{quantity(row.netQuantity, row.unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
