import type { components } from 'openapi-client';
import { Status } from '../../parts/status.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export type Sale = components['schemas']['SaleRecord'];

/** How much of a sale came back, by its goods: what cost nothing comes back as well, and leaves the sum as it was. */
export function cameBack({ items }: Pick<Sale, 'items'>): 'nothing' | 'some' | 'all' {
  if (items.every(({ quantity, returnedQuantity }) => returnedQuantity >= quantity)) return 'all';
  return items.some(({ returnedQuantity }) => returnedQuantity > 0) ? 'some' : 'nothing';
}

/** Whether a sale stands, in colour and word. */
export function SaleState({ sale }: { readonly sale: Pick<Sale, 'status' | 'items'> }) {
  const t = useWords(words);
  if (sale.status === 'CANCELLED') return <Status tone="bad">{t('cancelled')}</Status>;
  const back = cameBack(sale);
  if (back === 'nothing') return <Status tone="good">{t('completed')}</Status>;
  return <Status tone="warn">{t(back === 'all' ? 'returned' : 'partlyReturned')}</Status>;
}
