import { useId, useState } from 'preact/hooks';
import { Refused } from '../../client/problem.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Form } from '../../parts/form.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { isoDay, moment, money, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Outbox, OutgoingSale } from './outbox.js';
import { isHeldUp, isShort, namesOfLines, needsLook } from './outbox.js';
import { words } from './words.js';

const idle = { isPending: false, error: null };

/** Says what is not sent yet, and what was refused after the customer had left. */
export function UnsentSales({
  outbox,
  outgoing,
  shown,
  ofOthers,
  isCounterFree,
  onOpen,
}: {
  readonly outbox: Outbox;
  readonly outgoing: readonly OutgoingSale[];
  /** The one that stands in the middle of the screen already. */
  readonly shown: string | undefined;
  readonly ofOthers: number;
  /** Whether no purchase lies there that one of these would take the place of. */
  readonly isCounterFree: boolean;
  readonly onOpen: (sale: OutgoingSale) => void;
}) {
  const t = useWords(words);
  const waiting = outgoing.filter((one) => isHeldUp(one) && one.key !== shown);
  const unclear = outgoing.filter((one) => needsLook(one) && one.key !== shown);
  return (
    <>
      {!outbox.keeps && <p class="note bad">{t('cannotKeep')}</p>}
      {ofOthers > 0 && <p class="note warn">{t('ofOthers', { n: ofOthers })}</p>}
      {waiting.length > 0 && (
        <div class="note warn till-unsent" role="status">
          <p>
            <strong>{t('waiting', { n: waiting.length })}</strong>
          </p>
          <p>{t('waitingLead')}</p>
          <Button onClick={outbox.wake}>{t('retryNow')}</Button>
        </div>
      )}
      {unclear.length > 0 && (
        <section class="note bad till-unsent">
          <h2>{t('refused', { n: unclear.length })}</h2>
          {unclear.map((one) => (
            <Unclear
              key={one.key}
              {...{ one, outbox, isCounterFree }}
              onOpen={() => {
                onOpen(one);
              }}
            />
          ))}
        </section>
      )}
    </>
  );
}

function Unclear({
  one,
  outbox,
  isCounterFree,
  onOpen,
}: {
  readonly one: OutgoingSale;
  readonly outbox: Outbox;
  readonly isCounterFree: boolean;
  readonly onOpen: () => void;
}) {
  const t = useWords(words);
  const busyId = useId();
  const soldAt = one.sale.occurredAt ?? new Date(one.at).toISOString();
  const soldOn = isoDay(0, Date.parse(soldAt));
  const [isDiscarding, setDiscarding] = useState(false);
  const problem = one.document && 'problem' in one.document ? one.document.problem : one.problem;
  return (
    <div class="stack">
      <p>
        <strong>{`${moment(soldAt)} · ${money(one.totalCents / 100)}`}</strong>{' '}
        {one.booked && <Link href={`/vendas/${one.booked.id}`}>{t('done', { number: whole(one.booked.number) })}</Link>}
      </p>
      {one.booked && <p>{t('documentRefused')}</p>}
      {one.state === 'old' ? (
        <p>
          {t('tooOld')} <Link href={`/vendas?from=${soldOn}&to=${soldOn}`}>{t('salesOfDay')}</Link>
        </p>
      ) : (
        problem && <ProblemNote error={new Refused(problem)} lines={namesOfLines(one)} />
      )}
      <div class="row">
        {one.state === 'old' && (
          <Button
            onClick={() => {
              outbox.sendAgain(one.key);
            }}
          >
            {t('sendAgain')}
          </Button>
        )}
        {one.state === 'refused' && (
          <Button
            onClick={() => {
              outbox.sendAnew(one);
            }}
          >
            {t('sendAnew')}
          </Button>
        )}
        {one.state === 'refused' && (
          <Button resting={!isCounterFree} aria-describedby={isCounterFree ? undefined : busyId} onClick={onOpen}>
            {t('openAgain')}
          </Button>
        )}
        {isShort(one) && (
          <Button
            onClick={() => {
              outbox.sellBelowZero(one);
            }}
          >
            {t('sellAnyway')}
          </Button>
        )}
        <Button
          look="danger"
          onClick={() => {
            if (one.booked) outbox.remove(one.key);
            else setDiscarding(true);
          }}
        >
          {one.booked ? t('seen') : t('discard')}
        </Button>
      </div>
      {one.state === 'refused' && !isCounterFree && (
        <p class="hint" id={busyId}>
          {t('counterTaken')}
        </p>
      )}
      {isDiscarding && (
        <Dialog
          title={t('discard')}
          onClose={() => {
            setDiscarding(false);
          }}
        >
          <Form
            sending={idle}
            submit={t('discard')}
            isDanger
            cancel={() => {
              setDiscarding(false);
            }}
            onSubmit={() => {
              outbox.remove(one.key);
            }}
          >
            <p>{t('discardLead')}</p>
          </Form>
        </Dialog>
      )}
    </div>
  );
}
