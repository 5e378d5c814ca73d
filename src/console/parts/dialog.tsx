import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { IconButton } from './button.js';
import { useOpenDialog } from './open-dialog.js';

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
  useOpenDialog(element);
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
