import { api } from '../../client/api.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { money, moment } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import { useDocumentName } from './document-name.js';
import type { FiscalDocument } from './remedies.js';
import { words } from './words.js';

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
  return (
    <DestructiveDialog
      title={t(act)}
      subject={['document', document.id]}
      kinds={['document', 'sale']}
      asksReason={{ hint: t('reasonHint'), minLength: 15, maxLength: 255 }}
      send={(sent, reason) => {
        const request = { params, body: { reason }, ...sent };
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
          <p>{t(act === 'cancel' ? 'cancelLead' : 'voidLead')}</p>
        </>
      )}
    </DestructiveDialog>
  );
}
