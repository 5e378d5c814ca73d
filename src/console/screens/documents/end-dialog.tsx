import { useState } from 'preact/hooks';
import { api } from '../../client/api.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { money, moment } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { useDocumentName } from './document-name.js';
import type { FiscalDocument } from './remedies.js';
import { words } from './words.js';

/** The reason of a cancellation that waits for the authority. */
export const reasonAsked = ({ cancellation }: FiscalDocument): string | undefined =>
  cancellation?.status === 'PENDING' ? cancellation.reason : undefined;

/** Cancels a document, or voids its number, for the reason that the authority wants to hear. */
export function EndDialog({
  document,
  act,
  onClose,
}: {
  readonly document: FiscalDocument;
  readonly act: 'cancel' | 'void';
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const nameOf = useDocumentName();
  const params = { path: { id: document.id } };
  // What was asked for once is asked for again as it was: another reason would go nowhere.
  const [reasonBefore] = useState(reasonAsked(document));
  return (
    <DestructiveDialog
      title={t(reasonBefore === undefined ? act : 'cancelAgain')}
      subject={['document', document.id]}
      kinds={['document', 'sale']}
      asksReason={reasonBefore === undefined && { hint: t('reasonHint'), minLength: 15, maxLength: 255 }}
      send={(sent, reason) => {
        const request = { params, body: { reason: reasonBefore ?? reason }, ...sent };
        return act === 'cancel'
          ? api.POST('/fiscal/documents/{id}/cancel', request)
          : api.POST('/fiscal/documents/{id}/void', request);
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <p>
            <strong>{nameOf(document)}</strong> · {money(document.total)} · {moment(document.issuedAt)}
          </p>
          {reasonBefore === undefined ? (
            <p>{t(act === 'cancel' ? 'cancelLead' : 'voidLead')}</p>
          ) : (
            <p>{t('cancelAgainLead', { reason: reasonBefore })}</p>
          )}
        </>
      )}
    </DestructiveDialog>
  );
}
