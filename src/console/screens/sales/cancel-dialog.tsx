import type { Tagged } from '../../client/api.js';
import { api, body } from '../../client/api.js';
import { ifMatch, useCommand } from '../../client/queries.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { frame } from '../../words/frame.js';
import { quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { returnable } from './return-dialog.js';
import type { Sale } from './sale-state.js';
import { words } from './words.js';

export function CancelDialog({ sale, onClose }: { readonly sale: Tagged<Sale>; readonly onClose: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const form = useForm({ reason: '' });
  const cancel = useCommand({
    send: (input: typeof form.values, headers) =>
      body(
        api.POST('/sales/{id}/cancel', {
          params: { path: { id: sale.record.id } },
          body: { reason: input.reason.trim() },
          headers: ifMatch(headers, sale),
        }),
      ),
    kinds: ['sale', 'lot', 'product'],
    onDone: onClose,
  });
  return (
    <Dialog title={t('cancelSale')} onClose={onClose}>
      <Form
        sending={cancel}
        submit={t('cancelSale')}
        cancel={onClose}
        form={form}
        onSubmit={() => {
          cancel.mutate(form.values);
        }}
      >
        <p>{t('cancelLead')}</p>
        <ul class="bare">
          {returnable(sale.record).map(({ variantId, description, unit, left }) => (
            <li key={variantId}>{`${quantity(left, unit)} ${description}`}</li>
          ))}
        </ul>
        <TextField
          label={shared('reason')}
          path="reason"
          required
          maxLength={500}
          value={form.values.reason}
          onValue={(reason) => {
            form.set('reason', reason);
          }}
        />
      </Form>
    </Dialog>
  );
}
