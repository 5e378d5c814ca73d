import { useEffect } from 'preact/hooks';

const isSeen = (element: HTMLElement): boolean => element.getClientRects().length > 0;

const seen = (dialog: HTMLElement, selector: string): HTMLElement | undefined =>
  [...dialog.querySelectorAll<HTMLElement>(selector)].find(isSeen);

const FIELD = ':is(input, select, textarea):not(:disabled, [readonly])';

/** What is typed or chosen first; of several choices of one kind, the one that is chosen. */
function firstField(dialog: HTMLElement): HTMLElement | undefined {
  const field = seen(dialog, '[autofocus]') ?? seen(dialog, FIELD);
  if (!(field instanceof HTMLInputElement) || field.type !== 'radio') return field;
  return seen(dialog, `input[name="${CSS.escape(field.name)}"]:checked`) ?? field;
}

/** Where nothing is asked for: never what cannot be taken back, and the button that closes only where there is no other. */
const safeControl = (dialog: HTMLElement): HTMLElement | undefined =>
  seen(dialog, '.form-foot .button:not(.danger, :disabled)') ??
  seen(dialog, ':not(.dialog-head) > :is(a[href], button:not(.danger, :disabled))') ??
  seen(dialog, '.dialog-head button');

/**
 * Opens a dialog with the focus on its first field, and leads the focus there also when a field comes later, or when what
 * had the focus goes away. It stays open as long as it is drawn.
 */
export function useOpenDialog(element: { readonly current: HTMLDialogElement | null }): void {
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return undefined;
    let makeshift: HTMLElement | undefined;
    let last: Element | null = null;
    const lead = (): void => {
      const field = firstField(dialog);
      makeshift = field ? undefined : safeControl(dialog);
      (field ?? makeshift)?.focus();
    };
    const look = (): void => {
      const focused = document.activeElement;
      const isLost = focused === document.body && last?.isConnected === false;
      const isMakeshift = makeshift !== undefined && focused === makeshift;
      if (isLost || (isMakeshift && (firstField(dialog) ?? safeControl(dialog)) !== makeshift)) lead();
    };
    const note = ({ target }: FocusEvent): void => {
      last = target as Element;
      if (last !== makeshift) makeshift = undefined;
    };
    const open = (): void => {
      dialog.showModal();
      lead();
    };
    dialog.addEventListener('focusin', note);
    // A browser closes what refuses to be closed when Escape is pressed again.
    dialog.addEventListener('close', open);
    open();
    const changes = new MutationObserver(look);
    changes.observe(dialog, { childList: true, subtree: true });
    return () => {
      changes.disconnect();
      dialog.removeEventListener('focusin', note);
      dialog.removeEventListener('close', open);
      // Closing gives the focus back to where it was; a dialog that is taken away while it is open takes it along.
      dialog.close();
    };
  }, []);
}
