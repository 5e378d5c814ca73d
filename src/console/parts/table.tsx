import type { VirtualizerOptions } from '@tanstack/virtual-core';
import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { refreshKinds } from '../client/queries.js';
import { byName } from '../values/by-name.js';
import { NONE, whole } from '../values/formats.js';
import { frame as words } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import type { FittedColumn } from './fitting.js';
import { useFitting, useIsNarrow } from './fitting.js';
import { Link, useLeads } from './link.js';
import { useIsPrinting } from './printing.js';
import { outdated } from './outdated.js';
import { ProblemNote } from './problem-note.js';
import { Empty, Loading } from './shown.js';

const ROW_PIXELS = 44;
const FEW = 60;
/** What goes beyond is no table on paper. */
const MOST_ON_PAPER = 10_000;

export interface Column<R> extends FittedColumn {
  readonly id: string;
  readonly cell: (row: R) => ComponentChildren;
}

/** Rows that are there now or can be had: a list that goes on by cursors, or one with numbered pages. */
export interface Rows<R> {
  readonly count: number;
  /** Undefined while it is on its way. */
  row(index: number): R | undefined;
  /** Tells which rows are seen, so that what is missing is fetched. */
  seen?(from: number, to: number): void;
  /** Whether there are more than were counted here. */
  readonly hasMore?: boolean;
  readonly isLoading: boolean;
  /** Whether they are what was asked for before, and what is asked for now is on its way. */
  readonly isOutdated?: boolean;
  readonly error: unknown;
}

export const rowsOf = <R,>(items: readonly R[]): Rows<R> => ({
  count: items.length,
  row: (index) => items[index],
  isLoading: false,
  error: null,
});

interface CursorList<R> {
  readonly items: readonly R[];
  readonly isPending: boolean;
  readonly isPlaceholderData: boolean;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

export const rowsOfList = <R,>(list: CursorList<R>): Rows<R> => ({
  count: list.items.length,
  row: (index) => list.items[index],
  seen(_from, to) {
    if (to >= list.items.length - 10 && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  },
  hasMore: list.hasNextPage,
  isLoading: list.isPending,
  isOutdated: list.isPlaceholderData,
  error: list.error,
});

/** Few enough to stand on one page are put in the order in which people look for them. */
export const rowsByName = <R,>(
  list: CursorList<R> & { readonly data?: { readonly pages: readonly unknown[] } | undefined },
  nameOf: (row: R) => string,
): Rows<R> =>
  list.data?.pages.length === 1 && !list.hasNextPage
    ? { ...rowsOf(byName(list.items, nameOf)), isOutdated: list.isPlaceholderData }
    : rowsOfList(list);

function useVirtualRows(count: number, body: { readonly current: HTMLElement | null }) {
  const [, rerender] = useReducer((turn: number) => turn + 1, 0);
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    getScrollElement: () => window,
    estimateSize: () => ROW_PIXELS,
    overscan: 12,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    scrollMargin: body.current ? body.current.getBoundingClientRect().top + window.scrollY : 0,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    onChange: () => {
      rerender(undefined);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
  });
  return virtualizer;
}

/** One table for all screens: only rows that are seen exist, so that a hundred thousand scroll like ten. */
export function Table<R>({
  label,
  columns: all,
  rows,
  rowKey,
  href,
  empty,
  tone,
  printedBy,
}: {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: Rows<R>;
  readonly rowKey: (row: R) => string;
  /** Where a row leads; its first cell becomes the link, and the whole row takes the click. */
  readonly href?: ((row: R) => string | undefined) | undefined;
  readonly empty: ComponentChildren;
  readonly tone?: ((row: R) => string | undefined) | undefined;
  /** The button of the page that prints all rows, also those that were not fetched yet. */
  readonly printedBy?: string;
}) {
  const isPrinting = useIsPrinting();
  const body = useRef<HTMLTableSectionElement>(null);
  const isNarrow = useIsNarrow();
  const { count } = rows;
  const { frame, columns } = useFitting(all, isNarrow, count > 0);
  const virtualizer = useVirtualRows(count, body);
  const isWhole = isPrinting || count <= FEW;
  const items = isWhole ? [] : virtualizer.getVirtualItems();
  const from = isWhole ? 0 : (items[0]?.index ?? 0);
  const to = isWhole ? count - 1 : (items.at(-1)?.index ?? -1);
  useEffect(() => {
    if (count > 0 && !isPrinting) rows.seen?.(from, to);
  });
  if (rows.error && count === 0) return <Unread error={rows.error} />;
  if (rows.isLoading && count === 0) return <Loading />;
  if (count === 0) return typeof empty === 'string' ? <Empty title={empty} /> : <>{empty}</>;
  const before = from * ROW_PIXELS;
  const after = Math.max(0, count - 1 - to) * ROW_PIXELS;
  const drawn = Array.from({ length: to - from + 1 }, (_, place) => from + place);
  const indexes = isPrinting ? drawn.filter((index) => rows.row(index) !== undefined).slice(0, MOST_ON_PAPER) : drawn;
  const keys = keysOf(
    indexes.map((index) => {
      const row = rows.row(index);
      return row === undefined ? `waiting ${String(index)}` : rowKey(row);
    }),
  );
  return (
    <div {...outdated(rows.isOutdated, 'table-frame')} ref={frame}>
      {isPrinting && (indexes.length < count || rows.hasMore) && (
        <Incomplete shown={indexes.length} count={rows.hasMore ? undefined : count} printedBy={printedBy} />
      )}
      <table class="table" aria-label={label} aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ id, title, figure, wide, below }) =>
              title === '' ? (
                <td key={id} class={classes(figure, wide ?? below)} />
              ) : (
                <th key={id} scope="col" class={classes(figure, wide ?? below)}>
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <Spacer pixels={before} columns={columns.length} />}
          {indexes.map((index, drawnAt) => (
            <Row key={keys[drawnAt]} {...{ index, columns, href, tone, rowKey, isNarrow }} row={rows.row(index)} />
          ))}
          {after > 0 && <Spacer pixels={after} columns={columns.length} />}
        </tbody>
      </table>
      {rows.error ? <Unread error={rows.error} /> : null}
    </div>
  );
}

/** A row keeps its element, and with it the focus, where others come before it. One that is there twice is told from itself. */
function keysOf(names: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  return names.map((name) => {
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    return before === 0 ? name : `${name} ${String(before)}`;
  });
}

/** Why rows could not be read, and a way to have them after all. */
function Unread({ error }: { readonly error: unknown }) {
  const t = useWords(words);
  return (
    <div class="stack">
      <ProblemNote error={error} />
      <Button onClick={() => void refreshKinds()}>{t('tryAgain')}</Button>
    </div>
  );
}

/** Said on paper where not all rows are there to be printed. */
function Incomplete({
  shown,
  count,
  printedBy,
}: {
  readonly shown: number;
  /** Undefined where nobody counted them. */
  readonly count: number | undefined;
  readonly printedBy: string | undefined;
}) {
  const t = useWords(words);
  return (
    <p class="print-only">
      <strong>
        {count === undefined
          ? t('printedFirst', { shown: whole(shown) })
          : t('printedSome', { shown: whole(shown), count: whole(count) })}
        {printedBy && ` ${t('printAll', { button: printedBy })}`}
      </strong>
    </p>
  );
}

const classes = (figure?: boolean, wide?: boolean | string): string =>
  [figure && 'figure', wide && 'wide-only'].filter(Boolean).join(' ');

function Spacer({ pixels, columns }: { readonly pixels: number; readonly columns: number }) {
  return (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={columns} style={{ height: `${String(pixels)}px` }} />
    </tr>
  );
}

interface RowProps<R> {
  readonly isNarrow: boolean;
  readonly index: number;
  readonly row: R | undefined;
  readonly columns: readonly Column<R>[];
  readonly rowKey: (row: R) => string;
  readonly href?: ((row: R) => string | undefined) | undefined;
  readonly tone?: ((row: R) => string | undefined) | undefined;
}

/** Where the screen is narrow: what else tells this row from others. */
function Below<R>({ row, columns }: { readonly row: R; readonly columns: readonly Column<R>[] }) {
  const told = columns.flatMap(({ id, title, cell, below }) => {
    const content = below === undefined ? NONE : cell(row);
    return content === NONE || content === '' ? [] : [{ id, title: below === 'titled' ? `${title} ` : '', content }];
  });
  if (told.length === 0) return null;
  return (
    <div class="below fine">
      {told.map(({ id, title, content }) => (
        <div key={id}>
          {title}
          {content}
        </div>
      ))}
    </div>
  );
}

/** The elements that name the link of a row: itself, and the cells without which rows read alike. */
const namedBy = (id: string, columns: readonly (FittedColumn & { readonly id: string })[]): string =>
  [
    id,
    ...columns.slice(1).flatMap(({ below, tells, id: column }) => (below === 'plain' || tells ? [id + column] : [])),
  ].join(' ');

function Row<R>({ index, row, columns, href, tone, rowKey, isNarrow }: RowProps<R>) {
  const id = useId();
  const leads = useLeads();
  if (row === undefined) {
    return (
      <tr aria-rowindex={index + 2} class="waiting">
        <td colSpan={columns.length}>
          <span class="bar" />
        </td>
      </tr>
    );
  }
  const wanted = href?.(row);
  const target = wanted !== undefined && leads(wanted) ? wanted : undefined;
  return (
    <tr
      aria-rowindex={index + 2}
      data-id={rowKey(row)}
      class={[target && 'opens', tone?.(row)].filter(Boolean).join(' ')}
    >
      {columns.map(({ id: column, cell, figure, wide, below }, place) => (
        <td key={column} id={id + column} class={classes(figure, wide ?? below)}>
          {place === 0 && target !== undefined ? (
            <Link href={target} class="row-link" id={id} aria-labelledby={namedBy(id, columns)}>
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
          {place === 0 && isNarrow && <Below row={row} columns={columns} />}
        </td>
      ))}
    </tr>
  );
}
