import { frame } from '../words/frame.js';
import { useWords } from '../words/words.js';
import { ProblemNote } from './problem-note.js';

/** Ends a search that has nothing to show: what could not be looked for may be there all the same. */
export function NothingFound({ error }: { readonly error: unknown }) {
  const t = useWords(frame);
  return error ? <ProblemNote error={error} /> : <p class="fine">{t('searchNothing')}</p>;
}
