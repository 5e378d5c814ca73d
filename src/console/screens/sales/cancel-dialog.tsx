import type { Tagged } from '../../client/api.js';
import { api } from '../../client/api.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { returnable } from './return-dialog.js';
import type { Sale } from './sale-state.js';
import { words } from './words.js';

export function CancelDialog({ sale, onClose }: { readonly sale: Tagged<Sale>; readonly onClose: () => void }) {
  const t = useWords(words);
  const { id } = sale.record;
  return (
    <DestructiveDialog
      title={t('cancelSale')}
      subject={['sale', id]}
      etag={sale.etag}
      kinds={['sale', 'lot', 'product', 'document']}
      asksReason
      send={(sent, reason) =>
        api.POST('/sales/{id}/cancel', {
          params: { path: { id } },
          body: { reason },
          ...sent,
        })
      }
      onClose={onClose}
    >
      {() => (
        <>
          <p>{t('cancelLead')}</p>
          <ul class="bare">
            {returnable(sale.record).map(({ variantId, description, unit, left }) => (
              <li key={variantId}>{`${quantity(left, unit)} ${description}`}</li>
            ))}
          </ul>
        </>
      )}
    </DestructiveDialog>
  );
}
