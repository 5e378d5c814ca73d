import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Answered } from '../client/api.js';
import { body } from '../client/api.js';
import type { Kind } from '../client/queries.js';
import { useCommand } from '../client/queries.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { TextArea } from './fields.js';
import { Form } from './form.js';
import { Rehearsed, useRehearsal } from './rehearsal.js';

/** Asks before something is destroyed: first the service tries the very command and says what it would do, or why it cannot. */
export function DestructiveDialog({
  title,
  submit = title,
  subject,
  kinds,
  asksReason = false,
  send,
  onDone,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button says, where that is not the title. */
  readonly submit?: string;
  /** Which record it is about, apart from all others. */
  readonly subject: readonly unknown[];
  /** Records that it changes; a change of them by somebody else makes it look again. */
  readonly kinds: readonly Kind[];
  readonly asksReason?: boolean;
  /** Sends the command; a rehearsal has the title for its reason. */
  readonly send: (headers: Record<string, string>, reason: string, signal?: AbortSignal) => Promise<Answered<unknown>>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** What would happen, from the answer that the command would get. */
  readonly children: (answer: unknown) => ComponentChildren;
}) {
  const shared = useWords(frame);
  const [reason, setReason] = useState('');
  const command = useCommand({
    send: (given: string, headers) => body<unknown>(send(headers, given)),
    kinds,
    onDone: onDone ?? onClose,
  });
  const rehearsal = useRehearsal({
    key: [title, ...subject],
    kinds,
    send: (headers, signal) => send(headers, title, signal),
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        sending={command}
        submit={submit}
        isDanger
        disabled={!rehearsal.isSuccess}
        onSubmit={() => {
          command.mutate(reason.trim());
        }}
        extra={<Button onClick={onClose}>{shared('close')}</Button>}
      >
        <Rehearsed rehearsal={rehearsal}>{children}</Rehearsed>
        {asksReason && <TextArea label={shared('reason')} path="reason" required value={reason} onValue={setReason} />}
      </Form>
    </Dialog>
  );
}
