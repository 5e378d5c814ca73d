import type { components } from 'openapi-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Answered } from '../client/api.js';
import { body, dryRun } from '../client/api.js';
import type { Kind } from '../client/queries.js';
import { ifMatch, isUnsettled, useAsSent, useCommand, useRead } from '../client/queries.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { TextArea } from './fields.js';
import { Form } from './form.js';
import { Shown } from './shown.js';

/** What a command is sent with beside its own: passed on as it is. */
interface Sent {
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal | null;
}

type Send = (sent: Sent, reason: string) => Promise<Answered<unknown>>;

/** A subject that changed meanwhile makes it another command, with a key of its own. */
interface Confirmed {
  readonly reason: string;
  readonly subject: readonly unknown[];
}

/** What it is about, held until it is known what became of it. */
interface Asked {
  readonly subject: readonly unknown[];
  readonly etag: string;
  readonly portions: readonly Send[];
}

interface ReasonLimits {
  /** Whether it may stay empty. */
  readonly optional?: boolean;
  readonly hint?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Asks before something is destroyed: first the service tries the very command and says what it would do, or why it cannot. */
export function DestructiveDialog({
  title,
  submit = title,
  subject,
  etag = '',
  kinds,
  asksReason = false,
  send,
  ready = true,
  onDone,
  onClose,
  children,
  below,
}: {
  readonly title: string;
  /** What the button says, where that is not the title. */
  readonly submit?: string;
  /** Which record it is about, apart from all others. */
  readonly subject: readonly unknown[];
  /** The tag that the record was read with, where its change takes one. */
  readonly etag?: string;
  /** Records that it changes; a change of them by somebody else makes it look again. */
  readonly kinds: readonly Kind[];
  /** Whether a reason is wanted, and how long it has to be. */
  readonly asksReason?: boolean | ReasonLimits;
  /** Sends the command, or one portion of it after the other, of which there are none where nothing is left to do; a rehearsal has the title for its reason. */
  readonly send: Send | readonly Send[];
  /** Whether what is asked for below was answered. */
  readonly ready?: boolean;
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** What would happen, from the answers that the command would get, one for each portion. */
  readonly children: (...answers: unknown[]) => ComponentChildren;
  readonly below?: ComponentChildren;
}) {
  const shared = useWords(frame);
  const [reason, setReason] = useState('');
  const { optional = false, ...limits } = typeof asksReason === 'object' ? asksReason : {};
  const command = useCommand({
    send: async ({ reason: given }: Confirmed, headers) => {
      for (const [place, sendOne] of asked.portions.entries()) {
        const key = `${headers['Idempotency-Key'] ?? ''}${place === 0 ? '' : `-${String(place)}`}`;
        await body(sendOne({ headers: ifMatch({ 'Idempotency-Key': key }, asked), signal: null }, given));
      }
    },
    kinds,
    onDone: onDone ?? onClose,
  });
  const asked: Asked = useAsSent({ subject, etag, portions: typeof send === 'function' ? [send] : send }, command);
  const isOwnInDoubt = command.isPending || isUnsettled(command.error);
  const rehearsal = useRead({
    // A record that has changed is tried anew with its new tag: with the old one it would be refused.
    key: ['rehearsal', title, ...asked.subject, asked.etag],
    kinds,
    read: async (signal) => {
      const outcomes: components['schemas']['DryRunAnswer'][] = [];
      const headers = ifMatch({ Prefer: 'dry-run' }, asked);
      const said = title.padEnd(limits.minLength ?? 0, '.');
      for (const sendOne of asked.portions) outcomes.push(await dryRun(sendOne({ headers, signal }, said)));
      return outcomes;
    },
  });
  // What went well before and is refused now says why: the button rests, unless that may be this very command's doing.
  const { data, error } = rehearsal;
  const found = isOwnInDoubt ? { data, error: null } : { data: error ? undefined : data, error };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        sending={command}
        submit={submit}
        isDanger
        form={{ isDirty: reason !== '' }}
        disabled={!found.data || asked.portions.length === 0 || !ready}
        onSubmit={() => {
          command.mutate({ reason: reason.trim(), subject: asked.subject });
        }}
        extra={<Button onClick={onClose}>{shared('close')}</Button>}
      >
        <Shown reading={{ ...rehearsal, ...found }}>
          {(outcomes) => <div class="note warn">{children(...outcomes.map((outcome) => outcome.body))}</div>}
        </Shown>
        {asksReason && (
          <TextArea
            {...limits}
            label={shared('reason')}
            path="reason"
            required={!optional}
            rows={2}
            value={reason}
            onValue={setReason}
          />
        )}
        {below}
      </Form>
    </Dialog>
  );
}
