import { api, body } from '../../client/api.js';
import { allPages, useRead } from '../../client/queries.js';
import type { Left, RecallAnswer } from './recall-answer.js';

const PAGE = 200;

const readAll = (lotCode: string, signal?: AbortSignal): Promise<readonly Left[]> =>
  allPages((at) => {
    const query = { lotCode, limit: PAGE, ...at };
    return body(api.GET('/bakery-production/recall/remaining', { params: { query }, ...(signal ? { signal } : {}) }));
  });

/** All that is left, of which the answer of a recall holds the beginning only: who blocks it must reach every lot. */
export async function allRemaining({
  lotCode,
  remainingStock,
  remainingCount,
}: RecallAnswer): Promise<readonly Left[]> {
  return remainingCount <= remainingStock.length ? remainingStock : readAll(lotCode);
}

export function useRemaining(answer: RecallAnswer | undefined) {
  const { lotCode = '', remainingStock = [], remainingCount = 0 } = answer ?? {};
  const isWhole = remainingCount <= remainingStock.length;
  const rest = useRead<readonly Left[]>({
    key: ['recall', lotCode, 'remaining'],
    kinds: ['lot', 'sale', 'order'],
    when: !isWhole,
    read: (signal) => readAll(lotCode, signal),
  });
  return isWhole ? { ...rest, data: answer && remainingStock, error: null } : rest;
}
