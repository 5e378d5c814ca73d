import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

/** Asks for the reason that the authority wants to hear, and ends a document. */
export function ReasonDialog({
  id,
  act,
  onClose,
}: {
  readonly id: string;
  readonly act: 'cancel' | 'void';
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const shared = useWords(frame);
  const form = useForm({ reason: '' });
  const end = useCommand({
    send: ({ reason }: typeof form.values, headers) => {
      const request = { params: { path: { id } }, body: { reason: reason.trim() }, headers };
      return act === 'cancel'
        ? body(api.POST('/fiscal/documents/{id}/cancel', request))
        : body(api.POST('/fiscal/documents/{id}/void', request));
    },
    kinds: ['document', 'sale'],
    onDone: onClose,
  });
  return (
    <Dialog title={t(act)} onClose={onClose}>
      <Form
        sending={end}
        submit={t(act)}
        cancel={onClose}
        form={form}
        onSubmit={() => {
          end.mutate(form.values);
        }}
      >
        <p>{t(act === 'cancel' ? 'cancelLead' : 'voidLead')}</p>
        <TextField
          label={shared('reason')}
          hint={t('reasonHint')}
          path="reason"
          required
          minLength={15}
          maxLength={255}
          value={form.values.reason}
          onValue={(reason) => {
            form.set('reason', reason);
          }}
        />
      </Form>
    </Dialog>
  );
}
