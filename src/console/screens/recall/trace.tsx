import { useInfiniteQuery } from '@tanstack/preact-query';
import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { Button } from '../../parts/button.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export type Trace = components['schemas']['Trace'];

export interface TraceAsked {
  readonly lotCode: string;
  readonly direction: 'forward' | 'backward';
  readonly depth?: number;
}

/** The picture takes so many orders at a time. */
const ORDERS = 200;
/** More lots and orders than this are no picture any more, unless what belongs together stands together. */
const FEW = 14;
/** Each for itself, more than this could neither be laid out nor read. */
const MOST = 300;

export const isLong = ({ nodes }: Trace): boolean => nodes.length > FEW;
export const canShowEach = ({ nodes }: Trace): boolean => nodes.length <= MOST;

export const readTrace = (asked: TraceAsked, page: number, pageSize: number, signal: AbortSignal) =>
  body(
    api.GET('/bakery-production/traceability', { params: { query: { ...asked, page, pageSize } }, signal }),
  ) as Promise<Trace>;

const byId = <T extends { readonly id: string }>(all: readonly T[]): T[] => [
  ...new Map(all.map((one) => [one.id, one])).values(),
];

/** Lots stand in every page whose orders took or made them; an edge belongs to one order, and to one page. */
const merged = (pages: readonly Trace[], first: Trace): Trace => ({
  ...first,
  nodes: byId(pages.flatMap(({ nodes }) => nodes)),
  edges: pages.flatMap(({ edges }) => edges),
  orders: pages.flatMap(({ orders }) => orders),
});

/** Where goods came from or went to, for as many orders as were asked for so far. */
export function useTrace(asked: TraceAsked) {
  const query = useInfiniteQuery({
    queryKey: ['trace', asked],
    queryFn: ({ pageParam, signal }: { pageParam: number; signal: AbortSignal }) =>
      readTrace(asked, pageParam, ORDERS, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageSize, total }: Trace) => (page * pageSize < total ? page + 1 : undefined),
    meta: { kinds: ['lot', 'order'] },
  });
  const pages = query.data?.pages;
  const first = pages?.[0];
  return { ...query, data: pages && first ? merged(pages, first) : undefined };
}

/** Says how much of the way the picture shows, where that is not all, and goes on. */
export function MoreOfTrace({ traced }: { readonly traced: ReturnType<typeof useTrace> }) {
  const t = useWords(words);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, error } = traced;
  if (!data || !hasNextPage) return null;
  return (
    <div class="row">
      <p class="warn-text">{t('wayShows', { shown: whole(data.orders.length), total: whole(data.total) })}</p>
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('wayMore')}
      </Button>
      <ProblemNote error={error} />
    </div>
  );
}
