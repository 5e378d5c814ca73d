import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { Question } from '../client/questions.js';
import { ifMeant } from '../client/questions.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { IconButton } from './button.js';
import { TypedInDialog } from './leaving.js';
import { useOpenDialog } from './open-dialog.js';
import { BeforePage } from './page.js';

const CLOSING_TYPED: Question = {
  title: frame.closeTyped,
  text: frame.notSavedYet,
  yes: frame.closeAllTheSame,
  no: frame.goOnTyping,
};

/** A question or a form above the page; what is behind it waits. Escape, which is pressed for much else, asks before it loses what was typed. */
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
  const typed = useRef(false);
  const close = () => {
    if (!onClose) return;
    if (typed.current) ifMeant(CLOSING_TYPED, onClose);
    else onClose();
  };
  useOpenDialog(element);
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : ''}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <header class="dialog-head">
        <h2 id={heading}>{title}</h2>
        {onClose && <IconButton icon="close" label={t('close')} onClick={close} />}
      </header>
      <BeforePage.Provider value={undefined}>
        <TypedInDialog.Provider value={typed}>{children}</TypedInDialog.Provider>
      </BeforePage.Provider>
    </dialog>
  );
}
