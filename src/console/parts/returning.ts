import { useEffect } from 'preact/hooks';
import { storeSlug } from '../client/session.js';

/** Who comes back to a list finds it as it was left: with its filters, and where it was scrolled to. */

const scrolledTo = new Map<string, number>();
const searches = new Map<string, string>();
/** Where Back, Forward or a link back leads. */
let returning: { readonly href: string; readonly top: number } | undefined;

function returnTo(href: string): void {
  returning = { href, top: scrolledTo.get(href) ?? 0 };
}

/** To be called once: notes where pages are scrolled to. */
export function followReturns(): void {
  addEventListener('scroll', () => scrolledTo.set(location.href, scrollY), { passive: true });
  // The browser may scroll by itself before the page is there: what counts was noted before that.
  addEventListener('popstate', () => {
    returnTo(location.href);
  });
}

/** What is filtered by belongs to one store. */
const keyOf = (path: string): string => `${storeSlug() ?? ''} ${path}`;

/** The address of a list with the filters that it was left with. */
export const asItWasLeft = (path: string): string => path + (searches.get(keyOf(path)) ?? '');

/** To be called where somebody takes a link that leads back. */
export function isLedBackBy(link: EventTarget): void {
  if (link instanceof HTMLAnchorElement) returnTo(link.href);
}

const BY_HAND = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scrolls as soon as the page is long enough, unless somebody scrolls before. */
function scrollDownTo(top: number): () => void {
  const growing = new ResizeObserver(() => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) <= 1) stop();
  });
  const stop = (): void => {
    growing.disconnect();
    for (const name of BY_HAND) removeEventListener(name, stop, true);
  };
  for (const name of BY_HAND) addEventListener(name, stop, true);
  growing.observe(document.body);
  return stop;
}

/** A page begins at its top, and where it was left for who comes back to it. */
export function useReturning(path: string, search: string): void {
  useEffect(() => {
    searches.set(keyOf(path), search);
  }, [path, search]);
  useEffect(() => {
    const back = returning;
    returning = undefined;
    if (back?.href === location.href) return scrollDownTo(back.top);
    scrollTo(0, 0);
    return undefined;
  }, [path]);
}
