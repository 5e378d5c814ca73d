import { useEffect } from 'preact/hooks';

/** Time for what leads the focus by itself. */
const AFTER_MILLISECONDS = 60;

/** The heading of the part that held it and is still there, or of the page. */
function headingAbove(element: Element): HTMLElement | null {
  const part = element.closest('section:has(h2), main');
  return part?.querySelector<HTMLElement>(part.matches('main') ? 'h1' : 'h2') ?? document.querySelector('main h1');
}

/**
 * What had the focus may go away by what it did: the keyboard then goes on at the heading of its part, and a reader of the
 * screen hears where that is, instead of beginning again at the top of the page.
 */
export function useLostFocus(): void {
  useEffect(() => {
    let path: readonly Element[] = [];
    let soon: ReturnType<typeof setTimeout> | undefined;
    const note = ({ target }: FocusEvent): void => {
      path = [];
      for (let one = target as Element | null; one; one = one.parentElement) path = [...path, one];
    };
    const lead = (): void => {
      const above = path.find((one) => one.isConnected);
      if (document.activeElement !== document.body || !above || above === path[0]) return;
      const heading = headingAbove(above);
      if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
      heading?.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(() => {
      if (document.activeElement !== document.body || path[0]?.isConnected !== false) return;
      clearTimeout(soon);
      soon = setTimeout(lead, AFTER_MILLISECONDS);
    });
    document.addEventListener('focusin', note);
    changes.observe(document.body, { childList: true, subtree: true });
    return () => {
      clearTimeout(soon);
      changes.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, []);
}
