import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { IconButton } from './button.js';

/** A question or a form above the page; what is behind it waits. */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
}: {
  readonly title: string;
  /** Undefined where it cannot be left. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}) {
  const t = useWords(frame);
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Closing gives the focus back to where it was; a dialog that is taken away while it is open takes it along.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : ''}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class="dialog-head">
        <h2 id={heading}>{title}</h2>
        {onClose && <IconButton icon="close" label={t('close')} onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}
