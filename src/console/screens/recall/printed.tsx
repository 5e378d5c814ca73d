import { useEffect } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { wholeCode } from '../../parts/lot-code.js';
import { phone } from '../../values/contacts.js';
import { day, moment, quantity, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { LotStatus } from '../stock/lot-status.js';
import type { Left, RecallAnswer } from './recall-answer.js';
import { lotFacts } from './recall-answer.js';
import { words } from './words.js';

const PAGE = 500;
/** What goes beyond is no report on paper; the workbook holds it. */
const MOST = 10_000;

type Sold = RecallAnswer['sales'];

/** The sales of a recall, for paper. */
export async function allSales(lotCode: string): Promise<Sold> {
  const all: Sold[number][] = [];
  for (let page = 1; all.length < MOST; page++) {
    const found = await body(
      api.GET('/bakery-production/recall', { params: { query: { lotCode, page, pageSize: PAGE } } }),
    );
    const { sales, total } = found;
    all.push(...sales);
    if (all.length >= total || sales.length === 0) break;
  }
  return all;
}

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
  useEffect(() => {
    print();
    onDone();
  }, []);
  return (
    <div class="print-only">
      <h2>{t('remaining')}</h2>
      <table class="table">
        <thead>
          <tr>
            {(['product', 'lot', 'location', 'expires', 'quantity', 'status'] as const).map((name) => (
              <th key={name}>{t(name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {remaining.map((row) => (
            <tr key={row.lotId + row.locationId}>
              <td>{row.description}</td>
              <td>{wholeCode(row.lotCode)}</td>
              <td>{row.location}</td>
              <td>{day(row.expiresOn)}</td>
              <td>{quantity(row.quantity, row.unit)}</td>
              <td>
                <LotStatus lot={lotFacts(row)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{t('sales')}</h2>
      {sales.length < answer.total && (
        <p>{t('printedSome', { shown: whole(sales.length), total: whole(answer.total) })}</p>
      )}
      <table class="table">
        <thead>
          <tr>
            {(['customer', 'contact', 'when', 'product', 'lot', 'quantity'] as const).map((name) => (
              <th key={name}>{t(name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sales.map((row) => (
            <tr key={row.saleId + row.lotId}>
              <td>{row.customer?.name ?? t('without')}</td>
              <td>
                {[row.customer?.phone && phone(row.customer.phone), row.customer?.email].filter(Boolean).join(' · ')}
              </td>
              <td>{moment(row.soldAt)}</td>
              <td>{row.description}</td>
              <td>{wholeCode(row.lotCode)}</td>
              <td>{quantity(row.netQuantity, row.unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
