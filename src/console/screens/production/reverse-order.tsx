import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useNames } from '../../client/names.js';
import { isPassing } from '../../client/problem.js';
import { isUnsettled, useCommand, useRead } from '../../client/queries.js';
import { Dialog } from '../../parts/dialog.js';
import { TextArea } from '../../parts/fields.js';
import { Form } from '../../parts/form.js';
import { Shown } from '../../parts/shown.js';
import { quantity, unitCost } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Order } from './orders.js';
import { words } from './words.js';

/** What a reversal would do is shown before it is done. */
export function ReverseDialog({ order, onClose }: { readonly order: Order; readonly onClose: () => void }) {
  const t = useWords(words);
  const [reason, setReason] = useState('');
  const preview = useRead({
    key: ['reversal', order.id],
    kinds: ['order', 'lot', 'sale'],
    read: (signal) =>
      body(api.GET('/bakery-production/orders/{id}/reversal-preview', { params: { path: { id: order.id } }, signal })),
  });
  const { inputs: back = [], byproducts: taken = [], forgiven: owed = [] } = preview.data ?? {};
  const names = useNames([order.finishedVariantId, ...[...back, ...taken, ...owed].map(({ variantId }) => variantId)]);
  const unit = names(order.finishedVariantId)?.saleUnit;
  const reverse = useCommand({
    send: ({ given, partial }: { readonly given: string; readonly partial: boolean }, headers) =>
      body(
        api.POST('/bakery-production/orders/{id}/reverse', {
          params: { path: { id: order.id } },
          body: { reason: given, partial },
          headers,
        }),
      ),
    kinds: ['order', 'lot'],
    onDone: onClose,
  });
  // Why nothing is left to reverse, as somebody else has done it, is told in the place of what would happen.
  const isOver = preview.error !== null && !isPassing(preview.error);
  const isOwnInDoubt = reverse.isPending || isUnsettled(reverse.error);
  const shown = isOver && !isOwnInDoubt ? { ...preview, data: undefined } : preview;
  return (
    <Dialog title={`${t('reverse')}: ${order.recipeName}`} onClose={onClose}>
      <Shown reading={shown}>
        {({
          full,
          reversibleFraction,
          remainingQty,
          obtainedQty,
          soldOrConsumedQty,
          outputLotCode,
          inputs,
          forgiven,
          byproducts,
          costReversal,
        }) => (
          <Form
            sending={reverse}
            submit={t('reverse')}
            cancel={onClose}
            form={{ isDirty: reason !== '' }}
            disabled={reversibleFraction === 0}
            onSubmit={() => {
              reverse.mutate({ given: reason, partial: !full });
            }}
          >
            {reversibleFraction === 0 ? (
              <p class="note bad">{t('reversalBlocked')}</p>
            ) : (
              <div class="note warn">
                <p>{t('reversalLead')}</p>
                <ul>
                  <li>
                    {t('reversalOutput', {
                      quantity: quantity(remainingQty, unit),
                      obtained: quantity(obtainedQty, unit),
                      lot: outputLotCode ?? '–',
                    })}
                  </li>
                  {soldOrConsumedQty > 0 && (
                    <li>{t('reversalGone', { quantity: quantity(soldOrConsumedQty, unit) })}</li>
                  )}
                  {inputs.map(({ variantId, lotId, lotCode, quantity: amount }) => (
                    <li key={lotId}>
                      {t('reversalInput', {
                        quantity: quantity(amount, names(variantId)?.saleUnit),
                        name: names(variantId)?.description ?? '…',
                        lot: lotCode ?? '–',
                      })}
                    </li>
                  ))}
                  {byproducts.map(({ variantId, lotId, lotCode, quantity: amount }) => (
                    <li key={lotId}>
                      {t('reversalByproduct', {
                        quantity: quantity(amount, names(variantId)?.saleUnit),
                        name: names(variantId)?.description ?? '…',
                        lot: lotCode ?? '–',
                      })}
                    </li>
                  ))}
                  {forgiven.map(({ variantId, quantity: amount }) => (
                    <li key={variantId}>
                      {t('reversalForgiven', {
                        quantity: quantity(amount, names(variantId)?.saleUnit),
                        name: names(variantId)?.description ?? '…',
                      })}
                    </li>
                  ))}
                  {costReversal.status === 'REDONE' && costReversal.after !== undefined && (
                    <li>
                      {t('reversalCost', {
                        before: unitCost(costReversal.before),
                        after: unitCost(costReversal.after),
                      })}
                    </li>
                  )}
                </ul>
              </div>
            )}
            <TextArea label={t('reason')} path="reason" required value={reason} onValue={setReason} />
          </Form>
        )}
      </Shown>
    </Dialog>
  );
}
