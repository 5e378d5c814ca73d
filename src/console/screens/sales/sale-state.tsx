import type { components } from 'openapi-client';
import { Status } from '../../parts/status.js';
import { useWords } from '../../words/words.js';
import { words } from './words.js';

export type Sale = components['schemas']['SaleRecord'];

/** Whether a sale stands, in colour and word. */
export function SaleState({ sale }: { readonly sale: Pick<Sale, 'status' | 'returnedTotal' | 'total'> }) {
  const t = useWords(words);
  if (sale.status === 'CANCELLED') return <Status tone="bad">{t('cancelled')}</Status>;
  if (sale.returnedTotal === 0) return <Status tone="good">{t('completed')}</Status>;
  return <Status tone="warn">{sale.returnedTotal >= sale.total ? t('returned') : t('partlyReturned')}</Status>;
}
