import { api, body } from '../../client/api.js';
import { useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { OpenButton } from '../../parts/file-button.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Status } from '../../parts/status.js';
import { Refused } from '../../client/problem.js';
import { money, whole } from '../../values/formats.js';
import { documentStates, documentTones } from '../../words/documents.js';
import { useWords } from '../../words/words.js';
import { Refusal } from '../documents/refusal.js';
import type { OutgoingSale } from './outbox.js';
import { isShort, namesOfLines } from './outbox.js';
import { words } from './words.js';

const changeOf = ({ sale }: OutgoingSale): number =>
  sale.payments.reduce(
    (sum, { amount, tendered }) => sum + (tendered == null ? 0 : Math.round((tendered - amount) * 100)),
    0,
  ) / 100;

/** What became of the sale that was just finished; scanning the next product puts it away. */
export function LastSale({
  outgoing,
  onNext,
  onCorrect,
  onSellAnyway,
}: {
  readonly outgoing: OutgoingSale;
  readonly onNext: () => void;
  readonly onCorrect: () => void;
  readonly onSellAnyway: () => void;
}) {
  const t = useWords(words);
  const { state, booked, problem } = outgoing;
  if (state === 'refused' && problem) {
    return (
      <section class="till-last refused" role="alert" aria-label={t('refusedNow')}>
        <h2>{t('refusedNow')}</h2>
        <ProblemNote error={new Refused(problem)} lines={namesOfLines(outgoing)} />
        <p>{t('refusedLead')}</p>
        <div class="row">
          <Button look="main" onClick={onCorrect}>
            {t('correct')}
          </Button>
          {isShort(outgoing) && <Button onClick={onSellAnyway}>{t('sellAnyway')}</Button>}
        </div>
      </section>
    );
  }
  const change = changeOf(outgoing);
  return (
    <section class="till-last" role="status" aria-atomic="false" aria-label={t('cart')}>
      {change > 0 && (
        <p class="till-change">
          <span>{t('change')}</span>
          <strong>{money(change)}</strong>
        </p>
      )}
      {booked ? (
        <p class="row">
          <Status tone="good">{t('done', { number: whole(booked.number) })}</Status>
          <Link href={`/vendas/${booked.id}`}>{t('openSale')}</Link>
        </p>
      ) : (
        <Unanswered outgoing={outgoing} />
      )}
      {booked && <DocumentOf outgoing={outgoing} />}
      <div class="row">
        <Button look="main" onClick={onNext}>
          {t('next')}
        </Button>
      </div>
    </section>
  );
}

function Unanswered({ outgoing }: { readonly outgoing: OutgoingSale }) {
  const t = useWords(words);
  if (outgoing.tries === 0) return <p>{t('sending')}</p>;
  return (
    <div class="note warn">
      <p>
        <strong>{t('notSent')}</strong>
      </p>
      <p>{t('notSentLead')}</p>
    </div>
  );
}

function DocumentOf({ outgoing: { document, documentKey } }: { readonly outgoing: OutgoingSale }) {
  const t = useWords(words);
  const state = useWords(documentStates);
  const may = useMay();
  const id = document && 'id' in document ? document.id : undefined;
  const reading = useRead({
    key: ['document', id, 'state'],
    kinds: ['document'],
    when: id !== undefined && may('fiscal.view'),
    read: (signal) => body(api.GET('/fiscal/documents/{id}', { params: { path: { id: id ?? '' } }, signal })),
  });
  if (documentKey === null) return null;
  if (document && 'problem' in document) {
    return (
      <div>
        <p>
          <strong>{t('documentRefused')}</strong>
        </p>
        <ProblemNote error={new Refused(document.problem)} />
      </div>
    );
  }
  const { data } = reading;
  if (!data) return <p class="fine">{`${t('documentOf')}: ${t('documentWaiting')}`}</p>;
  return (
    <div>
      <div class="row">
        <span>{t('documentOf')}</span>
        <Status tone={documentTones[data.status]}>{state(data.status)}</Status>
        {data.accessKey && (
          <OpenButton look="quiet" path={data.links.pdf}>
            {t('pdf')}
          </OpenButton>
        )}
        {(data.failure ?? data.rejection) && <Link href={`/documentos/${data.id}`}>{t('openDocument')}</Link>}
      </div>
      <Refusal document={data} />
    </div>
  );
}
