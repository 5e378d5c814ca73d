import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { OpenButton, SaveButton } from '../../parts/file-button.js';
import { HistoryButton } from '../../parts/last-change.js';
import { Link } from '../../parts/link.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { moment, money, whole } from '../../values/formats.js';
import { documentStates, documentTones } from '../../words/documents.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import { useDeadline } from './deadline.js';
import { useDocumentName } from './document-name.js';
import { MissingData } from './missing-data.js';
import { EndDialog, reasonAsked } from './end-dialog.js';
import { Printed, showsPdfs } from './printed.js';
import { RefusedItem } from './refused-item.js';
import type { FiscalDocument } from './remedies.js';
import { remedies, remedyOf } from './remedies.js';
import { words } from './words.js';

export function DocumentPage({ id }: { readonly id: string }) {
  const reading = useRead({
    key: ['document', id],
    kinds: ['document'],
    read: (signal) => body(api.GET('/fiscal/documents/{id}', { params: { path: { id } }, signal })),
  });
  return <Shown reading={reading}>{(document) => <OneDocument document={document} />}</Shown>;
}

function OneDocument({ document }: { readonly document: FiscalDocument }) {
  const t = useWords(words);
  const may = useMay();
  const nameOf = useDocumentName();
  const deadline = useDeadline(document);
  const [ending, setEnding] = useState<'cancel' | 'void'>();
  const { status, accessKey, replacedBy, number, numberTaken, final, voided } = document;
  const canManage = may('fiscal.manage') && replacedBy === null;
  // Of what was asked for in time the authority has the last word.
  const isAsked = reasonAsked(document) !== undefined;
  const isOver = deadline !== undefined && deadline.minutesLeft <= 0 && !isAsked;
  // The number is not this document's to give up where another has it, or it was denied for good; once is enough.
  const hasOwnNumber = number !== null && !numberTaken && !final && voided === null;
  const mayVoid = canManage && (status === 'REJECTED' || status === 'FAILED') && hasOwnNumber;
  const isShown = accessKey !== null && showsPdfs;
  return (
    <Page
      title={nameOf(document)}
      back={{ href: '/documentos', label: t('title') }}
      actions={
        <>
          {accessKey && <FileButtons document={document} />}
          <HistoryButton kind="document" id={document.id} />
          {canManage && status === 'AUTHORIZED' && (
            <Button
              look="danger"
              disabled={isOver}
              onClick={() => {
                setEnding('cancel');
              }}
            >
              {t(isAsked ? 'cancelAgain' : 'cancel')}
            </Button>
          )}
          {mayVoid && (
            <Button
              look="danger"
              onClick={() => {
                setEnding('void');
              }}
            >
              {t('void')}
            </Button>
          )}
        </>
      }
    >
      <div class={isShown ? 'beside' : ''}>
        <div>
          <Advice document={document} canManage={canManage} />
          {deadline && !isAsked && <Deadline {...deadline} />}
          <Story document={document} />
          <DocumentFacts document={document} />
        </div>
        {isShown && <Printed document={document} />}
      </div>
      {ending && (
        <EndDialog
          document={document}
          act={ending}
          onClose={() => {
            setEnding(undefined);
          }}
        />
      )}
    </Page>
  );
}

function FileButtons({ document: { links, cancellation } }: { readonly document: FiscalDocument }) {
  const t = useWords(words);
  return (
    <>
      <OpenButton icon="print" path={links.pdf}>
        {t('openPdf')}
      </OpenButton>
      <SaveButton path={links.xml}>{t('saveXml')}</SaveButton>
      {cancellation?.status === 'DONE' && (
        <SaveButton path={`${links.xml}?part=cancellation`}>{t('saveCancellation')}</SaveButton>
      )}
    </>
  );
}

/** What the authority or the service said, what it means, and the one thing to do. */
function Advice({ document, canManage }: { readonly document: FiscalDocument; readonly canManage: boolean }) {
  const t = useWords(words);
  const say = useWords(remedies);
  const transmit = useCommand({
    send: (id: string, headers) =>
      body(api.POST('/fiscal/documents/{id}/transmit', { params: { path: { id } }, headers })),
    kinds: ['document', 'sale'],
  });
  const what = remedyOf(document);
  if (what === undefined) return null;
  const { status, rejection, failure, final } = document;
  const isRefused = status === 'REJECTED' || status === 'FAILED';
  return (
    <div class={`note stack ${isRefused && what !== 'replaced' ? 'bad' : 'warn'}`}>
      <p>
        <strong>{say(what)}</strong>
      </p>
      {failure && failure.missing.length > 0 && (
        <>
          <p>{t('missing')}:</p>
          <MissingData missing={failure.missing} saleId={document.saleId} />
        </>
      )}
      {rejection && <p class="fine">{t('said', { code: rejection.code, message: rejection.message })}</p>}
      <RefusedItem document={document} />
      {what === 'failed' && failure?.missing.length === 0 && (
        <p class="fine">{t('serviceSaid', { message: failure.message })}</p>
      )}
      {canManage && !final && status !== 'PENDING' && what !== 'voiding' && what !== 'NOTHING_TO_TAX' && (
        <div>
          <Button
            look="main"
            busy={transmit.isPending}
            onClick={() => {
              transmit.mutate(document.id);
            }}
          >
            {t(status === 'CONTINGENCY' ? 'transmitNow' : 'transmit')}
          </Button>
        </div>
      )}
      <p class="fine" role="status">
        {transmit.isSuccess && <Attempt at={transmit.submittedAt} isAway={status === 'CONTINGENCY'} />}
      </p>
      {transmit.error && <ProblemNote error={transmit.error} />}
    </div>
  );
}

/** A document that stands as it did before was sent all the same. */
function Attempt({ at, isAway }: { readonly at: number; readonly isAway: boolean }) {
  const t = useWords(words);
  return <>{t(isAway ? 'triedAway' : 'triedAgain', { when: moment(new Date(at).toISOString()) })}</>;
}

const HOURS_FROM = 120;

function Deadline({ at, minutesLeft: minutes }: NonNullable<ReturnType<typeof useDeadline>>) {
  const t = useWords(words);
  const when = moment(at.toISOString());
  if (minutes <= 0) return <p class="note">{t('cancelOver', { when })}</p>;
  return <p class="note">{t(minutes > HOURS_FROM ? 'cancelHours' : 'cancelUntil', { when, n: minutes })}</p>;
}

/** Contingency, cancellation, voiding, and the document that took its place. */
function Story({ document }: { readonly document: FiscalDocument }) {
  const t = useWords(words);
  const { contingency, cancellation, voided, replacedBy, replaces } = document;
  return (
    <>
      {contingency && (
        <p class="note warn">{t('contingency', { when: moment(contingency.since), reason: contingency.reason })}</p>
      )}
      {cancellation?.status === 'PENDING' && (
        <p class="note warn">{t('cancelPending', { reason: cancellation.reason })}</p>
      )}
      {cancellation?.status === 'DONE' && (
        <p class="note">{t('cancelled', { when: moment(cancellation.cancelledAt), reason: cancellation.reason })}</p>
      )}
      {voided?.at === null && <p class="note warn">{t('voidPending', { reason: voided.reason })}</p>}
      {voided?.at && <p class="note">{t('voided', { when: moment(voided.at), reason: voided.reason })}</p>}
      {replacedBy && (
        <p class="note">
          {t('replacedBy')} <Link href={`/documentos/${replacedBy}`}>{t('openOther')}</Link>
        </p>
      )}
      {replaces && (
        <p class="note">
          {t('replaces')} <Link href={`/documentos/${replaces}`}>{t('openOther')}</Link>
        </p>
      )}
    </>
  );
}

/** The key in groups of four, as it is printed. */
const grouped = (key: string): string => key.replace(/(.{4})(?=.)/g, '$1 ');

function DocumentFacts({ document }: { readonly document: FiscalDocument }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const state = useWords(documentStates);
  const may = useMay();
  const { saleId, status, qrCodeUrl, accessKey } = document;
  return (
    <Section title={t('document')}>
      <Facts
        facts={[
          [
            t('status'),
            <Status key="status" tone={documentTones[status]}>
              {state(status)}
            </Status>,
          ],
          [shared('total'), money(document.total)],
          [t('issued'), moment(document.issuedAt)],
          document.authorizedAt !== null && [t('authorized'), moment(document.authorizedAt)],
          [t('series'), whole(document.series)],
          [t('environment'), t(document.environment)],
          document.protocol !== null && [t('protocol'), document.protocol],
          may('sales.view') && [
            t('sale'),
            <Link key="sale" href={`/vendas/${saleId}`}>
              {t('openSale')}
            </Link>,
          ],
        ]}
      />
      {accessKey && (
        <p class="key-of-document">
          <span class="fine block">{t('key')}</span>
          <code>{grouped(accessKey)}</code>
        </p>
      )}
      <p class="row">
        {qrCodeUrl && (
          <a href={qrCodeUrl} target="_blank" rel="noreferrer">
            {t('consult')}
          </a>
        )}
      </p>
    </Section>
  );
}
