import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { isRefused, useCommand } from '../../client/queries.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, DateField, NumberField, TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { percent, plainNumber, quantity, readNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Order } from './orders.js';
import { words } from './words.js';

/** What came out, with the loss worked out while it is typed; then to the labels, if they are wanted. */
export function CompleteDialog({ order, onClose }: { readonly order: Order; readonly onClose: () => void }) {
  const t = useWords(words);
  const [, go] = useLocation();
  const label = useNames([order.finishedVariantId])(order.finishedVariantId);
  const [isForced, setForced] = useState(false);
  const form = useForm({ output: plainNumber(order.expectedQty), lotCode: '', expiresAt: '', toLabels: true });
  const complete = useCommand({
    send: ({ output, lotCode, expiresAt }: typeof form.values, headers) => {
      const made = readNumber(output);
      return body(
        api.POST('/bakery-production/orders/{id}/complete', {
          params: { path: { id: order.id } },
          body: {
            ...(made === undefined ? {} : { actualOutputQty: made }),
            ...(lotCode.trim() === '' ? {} : { outputLotCode: lotCode.trim() }),
            ...(expiresAt === '' ? {} : { outputExpiresAt: expiresAt }),
            ...(isForced ? { allowNegativeStock: true } : {}),
          },
          headers,
        }),
      );
    },
    kinds: ['order', 'lot'],
    onDone: ({ outputLotId }, { toLabels }) => {
      onClose();
      if (toLabels && outputLotId !== null) go(`/rotulos?lot=${outputLotId}`);
    },
  });
  return (
    <Dialog title={`${t('complete')}: ${order.recipeName}`} onClose={onClose}>
      <Form
        sending={complete}
        submit={t('complete')}
        cancel={onClose}
        onSubmit={() => {
          complete.mutate(form.values);
        }}
      >
        <NumberField
          label={t('actualOutput')}
          path="actualOutputQty"
          required
          unit={label?.saleUnit}
          value={form.values.output}
          onValue={(value) => {
            form.set('output', value);
          }}
        />
        <Loss order={order} output={readNumber(form.values.output)} unit={label?.saleUnit} />
        <div class="fields">
          <TextField
            label={t('lotCode')}
            hint={t('lotHint')}
            path="outputLotCode"
            value={form.values.lotCode}
            onValue={(value) => {
              form.set('lotCode', value);
            }}
          />
          <DateField
            label={t('expires')}
            path="outputExpiresAt"
            value={form.values.expiresAt}
            onValue={(value) => {
              form.set('expiresAt', value);
            }}
          />
        </div>
        {isRefused(complete.error, 'INSUFFICIENT_STOCK') && (
          <CheckField label={t('allowNegative')} checked={isForced} onChecked={setForced} />
        )}
        <CheckField
          label={t('labels')}
          checked={form.values.toLabels}
          onChecked={(checked) => {
            form.set('toLabels', checked);
          }}
        />
      </Form>
    </Dialog>
  );
}

function Loss({
  order,
  output,
  unit,
}: {
  readonly order: Order;
  readonly output: number | undefined;
  readonly unit: string | undefined;
}) {
  const t = useWords(words);
  if (output === undefined) return null;
  const { nominalQty } = order;
  const lost = nominalQty - output;
  const said = { quantity: quantity(Math.abs(lost), unit), nominal: quantity(nominalQty, unit) };
  return (
    <p role="status" class={lost > nominalQty - order.expectedQty + 1e-9 ? 'warn-text' : 'good-text'}>
      {lost < 0 ? t('gainWhile', said) : t('lossWhile', { ...said, percent: percent((lost / nominalQty) * 100, 2) })}
    </p>
  );
}
