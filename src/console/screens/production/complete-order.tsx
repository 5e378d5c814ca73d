import { useRef } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { isRefused, useCommand } from '../../client/queries.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, DateField, NumberField, TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { percent, plainNumber, quantity, readNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Order } from './orders.js';
import { ActualInputs } from './actual-inputs.js';
import type { Completion } from './completion.js';
import { bodyOf, useCompletionRehearsal, WouldMake } from './completion.js';
import { Stages } from './stages.js';
import { words } from './words.js';

/** What came out, with the loss worked out while it is typed; then to the labels, if they are wanted. */
export function CompleteDialog({ order, onClose }: { readonly order: Order; readonly onClose: () => void }) {
  const t = useWords(words);
  const goOn = useGoOn();
  const label = useNames([order.finishedVariantId])(order.finishedVariantId);
  const form = useForm<Completion>({
    output: plainNumber(order.expectedQty),
    lotCode: '',
    expiresAt: '',
    isForced: false,
    inputs: {},
    toLabels: true,
  });
  const rehearsal = useCompletionRehearsal(order, form.values);
  const complete = useCommand({
    send: (values: Completion, headers) =>
      body(
        api.POST('/bakery-production/orders/{id}/complete', {
          params: { path: { id: order.id } },
          body: bodyOf(values),
          headers,
        }),
      ),
    kinds: ['order', 'lot'],
    onDone: ({ outputLotId }, { toLabels }) => {
      onClose();
      if (toLabels && outputLotId !== null) goOn(`/rotulos?lot=${outputLotId}`);
    },
  });
  // Once shown, the stages stay: the last one that is ticked would vanish under the finger.
  const asksForStages = useRef(false);
  asksForStages.current ||= isRefused(rehearsal.error, 'STAGES_PENDING');
  const isShort = [complete.error, rehearsal.error].some((error) => isRefused(error, 'INSUFFICIENT_STOCK'));
  // So do the inputs: a lot that is half typed is refused, and is to be typed on.
  const asksForInputs = useRef(false);
  asksForInputs.current ||= rehearsal.isSuccess || isShort;
  return (
    <Dialog title={`${t('complete')}: ${order.recipeName}`} onClose={onClose}>
      <Form
        sending={complete}
        form={form}
        submit={t('complete')}
        cancel={onClose}
        onSubmit={() => {
          complete.mutate(form.values);
        }}
      >
        <NumberField
          label={t('actualOutput')}
          required
          unit={label?.saleUnit}
          {...form.field('output')}
          path="actualOutputQty"
        />
        <Loss order={order} output={readNumber(form.values.output)} unit={label?.saleUnit} />
        <div class="fields">
          <TextField label={t('lotCode')} hint={t('lotHint')} {...form.field('lotCode')} path="outputLotCode" />
          <DateField label={t('expires')} {...form.field('expiresAt')} path="outputExpiresAt" />
        </div>
        {asksForInputs.current && (
          <ActualInputs
            order={order}
            inputs={form.values.inputs}
            onInputs={(inputs) => {
              form.set('inputs', inputs);
            }}
          />
        )}
        {asksForStages.current && <Stages order={order} />}
        {complete.error === null && <WouldMake rehearsal={rehearsal} unit={label?.saleUnit} />}
        {(form.values.isForced || isShort) && <CheckField label={t('allowNegative')} {...form.tick('isForced')} />}
        <CheckField label={t('toLabels')} {...form.tick('toLabels')} />
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
