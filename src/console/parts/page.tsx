import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Icon } from './icon.js';
import { asItWasLeft, isLedBackBy } from './returning.js';

let isAsOpened = true;

/** After signing in, the keyboard goes on at the heading of the page that comes, as after any other step on the way. */
export const leadToNextPage = (): void => {
  isAsOpened = false;
};

/** Where a way leads back to, and what it is called. */
interface WayBack {
  readonly href: string;
  readonly label: string;
}

/** The beginning of a screen, for what stands there before any page does; undefined where there is one. */
export const BeforePage = createContext<WayBack | undefined>(undefined);

/** A screen's heading, what can be done from here, and its content; the title of the window says where one is. */
export function Page({
  title,
  lead,
  actions,
  back,
  children,
}: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly back?: WayBack;
  readonly children: ComponentChildren;
}) {
  const t = useWords(frame);
  const [place] = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  });
  useEffect(() => {
    // A reader of the screen hears where the way led; what takes the focus by itself keeps it.
    if (!isAsOpened && !document.activeElement?.matches('input, select, textarea')) {
      // On a screen that is touched, a field that takes the focus would bring up a keyboard over half of it.
      const field = matchMedia('(pointer: fine)').matches && document.querySelector<HTMLElement>('main [autofocus]');
      (field || heading.current)?.focus();
    }
    leadToNextPage();
  }, []);
  return (
    <>
      <header class="page-head">
        <div class="page-title">
          {back && (
            <Link
              href={place === back.href ? back.href : asItWasLeft(back.href)}
              class="back"
              onClick={({ currentTarget }) => {
                isLedBackBy(currentTarget);
              }}
            >
              <Icon name="back" />
              {back.label}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions no-print">{actions}</div>}
      </header>
      <BeforePage.Provider value={undefined}>{children}</BeforePage.Provider>
    </>
  );
}

/** What is shown in the place of a page that cannot be: with a heading and a way back, as a page has them. */
export function InsteadOfPage({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const back = useContext(BeforePage);
  return back ? (
    <Page title={title} back={back}>
      {children}
    </Page>
  ) : (
    <>{children}</>
  );
}

/** Parts of one screen that are looked at one at a time; each has its address. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly href: string; readonly label: string; readonly id: string }[];
  readonly current: string;
}) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where they do not all fit, the one that is open is among those that are seen.
    const open = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && open)
      nav.current.scrollLeft = open.offsetLeft - (nav.current.clientWidth - open.offsetWidth) / 2;
  }, [current]);
  return (
    <nav ref={nav} class="tabs no-print" aria-label={label}>
      {tabs.map(({ href, label: name, id }) => (
        <Link key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

export function Section({
  title,
  actions,
  isPreparedForPaper = false,
  children,
}: {
  readonly title: string;
  readonly actions?: ComponentChildren;
  /** What the page prepares for paper has this with all its rows, and stands there in its place. */
  readonly isPreparedForPaper?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={isPreparedForPaper ? 'section prepared' : 'section'}>
      <header class="section-head">
        <h2>{title}</h2>
        {actions && <div class="actions no-print">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** What somebody typed in several lines, in its lines. */
export function Typed({ text }: { readonly text: string }) {
  return <span class="typed">{text}</span>;
}

/** Names and what they stand at, in a column. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [string, ComponentChildren] | undefined | false)[];
}) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
