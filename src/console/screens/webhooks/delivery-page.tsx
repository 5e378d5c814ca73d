import type { components } from 'openapi-client';
import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { Link } from '../../parts/link.js';
import { Facts, Page, Section } from '../../parts/page.js';
import { Outcome } from '../../parts/problem-note.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { moment, whole } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Attempt } from './remedy.js';
import { deliveryTones, LOOKED_AT_EVERY, remedyOf, TEST_EVENT } from './remedy.js';
import { eventNames, remedies, words } from './words.js';

type Details = components['schemas']['WebhookDeliveryDetails'];

export function DeliveryPage({ id, deliveryId }: { readonly id: string; readonly deliveryId: string }) {
  const reading = useRead({
    key: ['webhook', id, 'delivery', deliveryId],
    kinds: ['destination'],
    every: LOOKED_AT_EVERY,
    read: (signal) =>
      body(
        api.GET('/outbound-webhooks/{id}/deliveries/{deliveryId}', { params: { path: { id, deliveryId } }, signal }),
      ),
  });
  return <Shown reading={reading}>{(delivery) => <OneDelivery {...{ id, delivery }} />}</Shown>;
}

/** What to do once the receiver is mended; one that is cancelled goes nowhere any more. */
function nextStep({ status, event }: Details): 'thenResend' | 'thenByItself' | 'thenTest' | undefined {
  if (status === 'CANCELLED') return undefined;
  if (event === TEST_EVENT) return 'thenTest';
  return status === 'FAILED' ? 'thenResend' : 'thenByItself';
}

function OneDelivery({ id, delivery }: { readonly id: string; readonly delivery: Details }) {
  const t = useWords(words);
  const say = useWords(remedies);
  const eventName = useWords(eventNames);
  const may = useMay();
  const retry = useCommand({
    send: (deliveryId: string, headers) =>
      body(
        api.POST('/outbound-webhooks/{id}/deliveries/{deliveryId}/retry', {
          params: { path: { id, deliveryId } },
          headers,
        }),
      ),
    kinds: ['destination'],
  });
  const { status, attempts, documentId, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  const remedy = status === 'DELIVERED' || !last ? undefined : remedyOf(last);
  const next = nextStep(delivery);
  return (
    <Page
      title={eventName(delivery.event)}
      back={{ href: `/webhooks/${id}`, label: t('deliveries') }}
      actions={
        may('fiscal.manage') &&
        status === 'FAILED' &&
        delivery.event !== TEST_EVENT && (
          <Button
            look="main"
            busy={retry.isPending}
            onClick={() => {
              retry.mutate(delivery.id);
            }}
          >
            {t('retry')}
          </Button>
        )
      }
    >
      <Outcome error={retry.error} isThere={status !== 'FAILED'} />
      {remedy && (
        <p class={`note ${status === 'FAILED' ? 'bad' : 'warn'}`}>
          <strong>{say(remedy)}</strong> {next && t(next)}
        </p>
      )}
      <Facts
        facts={[
          [
            t('status'),
            <Status key="status" tone={deliveryTones[status]}>
              {t(status)}
            </Status>,
          ],
          [t('created'), moment(delivery.createdAt)],
          documentId !== null && [
            t('delivery'),
            <Link key="document" href={`/documentos/${documentId}`}>
              {t('document')}
            </Link>,
          ],
        ]}
      />
      <Section title={t('attempts')}>
        {attempts.length === 0 && <p class="fine">{t('noAttempt')}</p>}
        <ol class="steps">
          {attempts.map((attempt) => (
            <Tried key={attempt.number} attempt={attempt} />
          ))}
        </ol>
        {nextAttemptAt && <p>{t('next', { when: moment(nextAttemptAt) })}</p>}
      </Section>
      <Request delivery={delivery} />
    </Page>
  );
}

function Tried({ attempt }: { readonly attempt: Attempt }) {
  const t = useWords(words);
  const { number, at, durationMs, statusCode, error, responseSnippet } = attempt;
  const isGood = remedyOf(attempt) === undefined;
  return (
    <li class={isGood ? 'well' : 'amiss'}>
      <span class="step-name">{t('attempt', { number })}</span>
      <Status tone={isGood ? 'good' : 'bad'}>{statusCode === null ? t('noAnswer') : String(statusCode)}</Status>
      <span class="fine step-more">
        {moment(at)} · {t('took', { ms: whole(durationMs) })}
      </span>
      {error && statusCode === null && <span class="fine step-more">{t('technical', { error })}</span>}
      {responseSnippet && (
        <pre class="step-more" tabIndex={0} aria-label={t('answer')}>
          {responseSnippet}
        </pre>
      )}
    </li>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function Request({ delivery: { requestHeaders, requestBody } }: { readonly delivery: Details }) {
  const t = useWords(words);
  return (
    <Section title={t('request')}>
      {requestHeaders && (
        <>
          <h3>{t('headers')}</h3>
          <pre class="code" tabIndex={0} aria-label={t('headers')}>
            {Object.entries(requestHeaders)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </pre>
        </>
      )}
      <h3>{t('body')}</h3>
      <pre class="code" tabIndex={0} aria-label={t('body')}>
        {pretty(requestBody)}
      </pre>
    </Section>
  );
}
