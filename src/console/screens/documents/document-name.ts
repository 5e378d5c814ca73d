import { whole } from '../../values/formats.js';
import { documentModels } from '../../words/documents.js';
import { useWords } from '../../words/words.js';
import type { FiscalDocument } from './remedies.js';
import { words } from './words.js';

/** `NFC-e 12`, as people call a document. */
export function useDocumentName(): (document: Pick<FiscalDocument, 'model' | 'number'>) => string {
  const t = useWords(words);
  const name = useWords(documentModels);
  return ({ model, number }) => {
    const called = name(model === 55 ? '55' : '65');
    return number === null ? t('unnumbered', { model: called }) : t('number', { model: called, number: whole(number) });
  };
}
