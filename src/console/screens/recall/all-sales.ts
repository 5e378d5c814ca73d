import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import type { RecallAnswer } from './recall-answer.js';

const PAGE = 500;
/** What goes beyond is no report to read; the workbook holds it. */
const MOST = 10_000;

type Sold = RecallAnswer['sales'];

/** The sales of a recall, of which its answer holds the first only. */
export async function allSales({ lotCode, sales, total }: RecallAnswer): Promise<Sold> {
  if (sales.length >= total) return sales;
  const all: Sold[number][] = [];
  for (let page = 1; all.length < MOST; page++) {
    const found = await body(
      api.GET('/bakery-production/recall', { params: { query: { lotCode, page, pageSize: PAGE } } }),
    );
    all.push(...found.sales);
    if (all.length >= found.total || found.sales.length === 0) break;
  }
  return all;
}

export function useAllSales(answer: RecallAnswer) {
  const { lotCode, sales, total } = answer;
  const isWhole = sales.length >= total;
  const rest = useRead<Sold>({
    // So many are not read again for what changed elsewhere.
    key: ['recall', lotCode, 'all-sales', total],
    kinds: ['customer'],
    keep: true,
    when: !isWhole,
    read: () => allSales(answer),
  });
  return isWhole ? { ...rest, data: sales, error: null } : rest;
}
