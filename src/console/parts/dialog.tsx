import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Question } from '../client/questions.js';
import { ifMeant } from '../client/questions.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { IconButton } from './button.js';
import type { Held } from './leaving.js';
import { HeldInDialog } from './leaving.js';
import { useOpenDialog } from './open-dialog.js';
import { BeforePage } from './page.js';

const CLOSING_TYPED: Question = {
  title: frame.closeTyped,
  text: frame.notSavedYet,
  yes: frame.closeAllTheSame,
  no: frame.goOnTyping,
};

const CLOSING_SENT: Question = {
  title: frame.closeSent,
  text: frame.notAnsweredYet,
  yes: frame.closeAllTheSame,
  no: frame.waitHere,
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
  const held = useRef<Held>();
  const withdraw = useRef<() => void>();
  const close = () => {
    if (!onClose) return;
    if (held.current) withdraw.current = ifMeant(held.current === 'sent' ? CLOSING_SENT : CLOSING_TYPED, onClose);
    else onClose();
  };
  // What was sent may be answered while it is asked: the dialog is then gone, and there is nothing to close.
  useEffect(() => () => withdraw.current?.(), []);
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
        <HeldInDialog.Provider value={held}>{children}</HeldInDialog.Provider>
      </BeforePage.Provider>
    </dialog>
  );
}
