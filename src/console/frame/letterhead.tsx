import { useOwnStore } from '../client/store.js';
import { taxId } from '../values/contacts.js';
import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';

/** Says on paper whose page it is: what is handed over or filed must name the store. */
export function Letterhead() {
  const t = useWords(frame);
  const { data: store } = useOwnStore();
  if (!store) return null;
  const names = new Set([store.tradeName, store.legalName]);
  return (
    <p class="print-only letterhead">
      {[...names, ...(store.taxId === null ? [] : [t('taxId', { number: taxId(store.taxId) })])].join(' · ')}
    </p>
  );
}
