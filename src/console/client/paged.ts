import { useQueries } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { Rows } from '../parts/table.js';
import type { Kind } from './queries.js';

interface NumberedPage<T> {
  readonly items: readonly T[];
  readonly total: number;
}

interface PagedListing<T, P extends NumberedPage<T>> {
  readonly key: readonly unknown[];
  readonly kinds: readonly Kind[];
  /** Pages count from 1. */
  readonly read: (page: number, take: number, signal: AbortSignal) => Promise<P>;
}

const TAKE = 100;

/** A list with numbered pages, of which only those are fetched that somebody looks at: one can jump to its middle. */
export function usePagedRows<T, P extends NumberedPage<T> = NumberedPage<T>>({
  key,
  kinds,
  read,
}: PagedListing<T, P>): Rows<T> & {
  readonly total: number | undefined;
  /** The first page as it came, which may tell more than its items. */
  readonly first: P | undefined;
} {
  const [span, setSpan] = useState({ first: 1, last: 1 });
  const [known, setKnown] = useState<{ readonly key: string; readonly total: number }>();
  const pages = Array.from({ length: span.last - span.first + 1 }, (_, place) => span.first + place);
  const wanted = span.first === 1 ? pages : [1, ...pages];
  const results = useQueries({
    queries: wanted.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(page, TAKE, signal),
      meta: { kinds },
      staleTime: 10_000,
    })),
  });
  const byPage = new Map(results.map(({ data }, index) => [wanted[index], data]));
  const print = JSON.stringify(key);
  const total = byPage.get(1)?.total;
  if (total !== undefined && (known?.key !== print || known.total !== total)) setKnown({ key: print, total });
  const count = total ?? known?.total ?? 0;
  return {
    count,
    total: total ?? known?.total,
    first: byPage.get(1),
    row: (index) => byPage.get(Math.floor(index / TAKE) + 1)?.items[index % TAKE],
    seen(from, to) {
      const first = Math.floor(from / TAKE) + 1;
      const last = Math.floor(to / TAKE) + 1;
      if (first !== span.first || last !== span.last) setSpan({ first, last });
    },
    isLoading: results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error)?.error ?? null,
  };
}
