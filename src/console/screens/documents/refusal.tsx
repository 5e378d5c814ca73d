import { useWords } from '../../words/words.js';
import type { FiscalDocument } from './remedies.js';
import { remedies, remedyOf } from './remedies.js';

/** Why the authority, or this service, refused a document, and what to do about it. */
export function Refusal({ document }: { readonly document: FiscalDocument }) {
  const advice = useWords(remedies);
  const { rejection, failure } = document;
  const remedy = remedyOf(document);
  return (
    <>
      {rejection && <span class="fine block">{`${rejection.code}: ${rejection.message}`}</span>}
      {(rejection ?? failure) && remedy && <span class="fine block">{advice(remedy)}</span>}
    </>
  );
}
