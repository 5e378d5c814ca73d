import type { ComponentChildren } from 'preact';
import { isRefused } from '../client/queries.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { BeforePage, InsteadOfPage } from './page.js';
import { OtherStores } from './other-stores.js';
import { ProblemNote } from './problem-note.js';

interface Reading<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isFetching?: boolean;
  refetch(): unknown;
}

export function Loading({ fillsView = false }: { readonly fillsView?: boolean }) {
  const t = useWords(frame);
  return (
    <p class={fillsView ? 'loading fills-view' : 'loading'} role="status">
      {t('loading')}
    </p>
  );
}

/** What was read once it is there; until then that it is on its way, or why it is not. What is gone since says so, and stays. */
export function Shown<T>({
  reading,
  fillsView = false,
  children,
}: {
  readonly reading: Reading<T>;
  /** It takes about as much as is seen at once: what stands below it waits there, and does not go down as it comes. */
  readonly fillsView?: boolean;
  readonly children: (data: T) => ComponentChildren;
}) {
  const t = useWords(frame);
  const { data, error } = reading;
  if (data !== undefined) {
    return (
      <>
        {isRefused(error, 'NOT_FOUND') && <ProblemNote error={error} />}
        <BeforePage.Provider value={undefined}>{children(data)}</BeforePage.Provider>
      </>
    );
  }
  if (!error) return <Loading fillsView={fillsView} />;
  const isNowhere = isRefused(error, 'NOT_FOUND');
  return (
    <InsteadOfPage title={t(isNowhere ? 'recordNotFound' : 'unread')}>
      <div class="stack">
        <ProblemNote error={error} />
        {isNowhere && <OtherStores />}
        <Button onClick={() => void reading.refetch()}>{t('tryAgain')}</Button>
      </div>
    </InsteadOfPage>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
