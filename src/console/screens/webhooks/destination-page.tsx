import { useState } from 'preact/hooks';
import type { Tagged } from '../../client/api.js';
import { api, body, tagged } from '../../client/api.js';
import { ifMatch, useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { Dialog } from '../../parts/dialog.js';
import { Form } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { HistoryButton } from '../../parts/last-change.js';
import { Page, Section } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useRecordForm, useSaving } from '../../parts/record-form.js';
import { Shown } from '../../parts/shown.js';
import { useWords } from '../../words/words.js';
import { DeliveryList } from './delivery-list.js';
import type { DestinationValues } from './destination-form.js';
import { bodyOf, DestinationFields } from './destination-form.js';
import { Health } from './health.js';
import type { Destination } from './remedy.js';
import { remedyOf } from './remedy.js';
import { SecretShown } from './secret-shown.js';
import { eventNames, remedies, words } from './words.js';

export function DestinationPage({ id }: { readonly id: string }) {
  const reading = useRead({
    key: ['webhook', id],
    kinds: ['destination'],
    read: (signal) => tagged(api.GET('/outbound-webhooks/{id}', { params: { path: { id } }, signal })),
  });
  return <Shown reading={reading}>{(destination) => <OneDestination destination={destination} />}</Shown>;
}

const valuesOf = ({ url, description, active, events }: Destination): DestinationValues => ({
  url,
  active,
  description: description ?? '',
  events: events ?? [],
});

const FIELD_WORDS = { url: 'address', description: 'description', active: 'active', events: 'events' } as const;

function OneDestination({ destination }: { readonly destination: Tagged<Destination> }) {
  const t = useWords(words);
  const may = useMay();
  const [asking, setAsking] = useState<'rotate' | 'remove'>();
  const [secret, setSecret] = useState<string>();
  const { record } = destination;
  const path = { id: record.id };
  const canManage = may('fiscal.manage');
  const eventName = useWords(eventNames);
  const form = useRecordForm(destination, valuesOf, (field) => t(FIELD_WORDS[field]), {
    valueText: (field, { events }) =>
      field === 'events' ? events.map((name) => eventName(name)).join(', ') || t('allEvents') : undefined,
  });
  const change = useCommand({
    send: (values: DestinationValues, headers) =>
      tagged(
        api.PATCH('/outbound-webhooks/{id}', {
          params: { path },
          body: bodyOf(values),
          headers: ifMatch(headers, form),
        }),
      ),
    kinds: ['destination'],
    onDone: (answer, sent) => {
      form.saved(sent, answer);
    },
  });
  const close = () => {
    setAsking(undefined);
  };
  return (
    <Page
      title={new URL(record.url).host}
      lead={<Health destination={record} />}
      back={{ href: '/webhooks', label: t('title') }}
      actions={
        <>
          <HistoryButton kind="destination" id={record.id} />
          {canManage && (
            <>
              <Button
                onClick={() => {
                  setAsking('rotate');
                }}
              >
                {t('rotate')}
              </Button>
              <Button
                look="danger"
                icon="bin"
                onClick={() => {
                  setAsking('remove');
                }}
              >
                {t('remove')}
              </Button>
            </>
          )}
        </>
      }
    >
      {canManage && record.active && <Trial key={record.url} id={record.id} />}
      <DeliveryList id={record.id} />
      <Section title={t('settings')}>
        <Form
          sending={change}
          {...useSaving(form, change, canManage)}
          form={form}
          conflict={form.conflict}
          onSubmit={() => {
            change.mutate(form.values);
          }}
        >
          <DestinationFields form={form} disabled={!canManage} />
        </Form>
      </Section>
      {asking === 'rotate' && <Rotating destination={destination} onRotated={setSecret} onClose={close} />}
      {secret !== undefined && (
        <SecretShown
          secret={secret}
          onStored={() => {
            setSecret(undefined);
          }}
        />
      )}
      {asking === 'remove' && <Removing id={record.id} onClose={close} />}
    </Page>
  );
}

/** Sends a test and says at once what came of it. */
function Trial({ id }: { readonly id: string }) {
  const t = useWords(words);
  const say = useWords(remedies);
  const trial = useCommand({
    send: (_: null, headers) => body(api.POST('/outbound-webhooks/{id}/test', { params: { path: { id } }, headers })),
    kinds: ['destination'],
  });
  const last = trial.data?.attempts.at(-1);
  const remedy = last && remedyOf(last);
  return (
    <div class="checks">
      <div>
        <Button
          look="main"
          busy={trial.isPending}
          onClick={() => {
            trial.mutate(null);
          }}
        >
          {t('test')}
        </Button>
      </div>
      {trial.error && <ProblemNote error={trial.error} />}
      {last && (
        <div class={`note ${remedy ? 'bad' : 'good'}`} role="status">
          <p>{remedy ? t('testFailed') : t('testDelivered', { code: last.statusCode ?? '' })}</p>
          {remedy && (
            <p>
              {say(remedy)} {t('thenTest')}
            </p>
          )}
          {last.error && last.statusCode === null && <p class="fine">{t('technical', { error: last.error })}</p>}
        </div>
      )}
    </div>
  );
}

function Rotating({
  destination,
  onRotated,
  onClose,
}: {
  readonly destination: Tagged<Destination>;
  readonly onRotated: (secret: string) => void;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  // The secret that somebody else makes while this is asked would end at once, and they would not know.
  const [{ record, etag }] = useState(destination);
  const params = { path: { id: record.id } };
  const rotate = useCommand({
    send: (_: null, headers) =>
      body(
        api.POST('/outbound-webhooks/{id}/rotate-secret', {
          params,
          headers: ifMatch(headers, { etag }),
        }),
      ),
    kinds: ['destination'],
    onDone({ secret }) {
      onRotated(secret);
      onClose();
    },
  });
  return (
    <Dialog title={t('rotate')} onClose={onClose}>
      <Form
        sending={rotate}
        submit={t('rotate')}
        cancel={onClose}
        onSubmit={() => {
          rotate.mutate(null);
        }}
      >
        <p>{t('rotateLead')}</p>
      </Form>
    </Dialog>
  );
}

function Removing({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useWords(words);
  const goOn = useGoOn();
  return (
    <DestructiveDialog
      title={t('remove')}
      subject={['destination', id]}
      kinds={['destination']}
      send={(sent) => api.DELETE('/outbound-webhooks/{id}', { params: { path: { id } }, ...sent })}
      onDone={() => {
        goOn('/webhooks', { replace: true });
      }}
      onClose={onClose}
    >
      {() => <p>{t('removeLead')}</p>}
    </DestructiveDialog>
  );
}
