import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { api, body } from '../../client/api.js';
import { useCommand, useRead } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Form, useForm } from '../../parts/form.js';
import { Page } from '../../parts/page.js';
import { Empty, Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { rowsOf, Table } from '../../parts/table.js';
import { moment } from '../../values/formats.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { DestinationValues } from './destination-form.js';
import { bodyOf, DestinationFields } from './destination-form.js';
import { Health } from './health.js';
import { deliveryTones } from './remedy.js';
import { SecretShown } from './secret-shown.js';
import { Verifying } from './verifying.js';
import { words } from './words.js';

const MOST = 5;

export function DestinationList() {
  const t = useWords(words);
  const may = useMay();
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<Made>();
  const [, go] = useLocation();
  const destinations = useRead({
    key: ['webhooks'],
    kinds: ['destination', 'document'],
    read: async (signal) => (await body(api.GET('/outbound-webhooks', { signal }))).items,
  });
  const create = may('fiscal.manage') && (destinations.data?.length ?? 0) < MOST && (
    <Button
      look="main"
      icon="plus"
      onClick={() => {
        setNew(true);
      }}
    >
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={create}>
      <Shown reading={destinations}>
        {(items) => (
          <Table
            label={t('title')}
            rows={rowsOf(items)}
            rowKey={({ id }) => id}
            href={({ id }) => `/webhooks/${id}`}
            empty={<Empty title={t('empty')} />}
            columns={[
              {
                id: 'url',
                title: t('address'),
                cell: ({ url, description }) => (
                  <span class="address">
                    {url}
                    {description && <span class="fine block">{description}</span>}
                  </span>
                ),
              },
              { id: 'health', title: t('health'), cell: (one) => <Health destination={one} /> },
              {
                id: 'last',
                title: t('last'),
                wide: true,
                cell: ({ lastDelivery }) =>
                  lastDelivery ? (
                    <>
                      <Status tone={deliveryTones[lastDelivery.status]}>{t(lastDelivery.status)}</Status>{' '}
                      {moment(lastDelivery.at)}
                    </>
                  ) : (
                    t('never')
                  ),
              },
            ]}
          />
        )}
      </Shown>
      <Verifying />
      {isNew && (
        <NewDestination
          onMade={setMade}
          onClose={() => {
            setNew(false);
          }}
        />
      )}
      {made && (
        <SecretShown
          secret={made.secret}
          onStored={() => {
            go(`/webhooks/${made.id}`);
          }}
        />
      )}
    </Page>
  );
}

interface Made {
  readonly id: string;
  readonly secret: string;
}

function NewDestination({ onMade, onClose }: { readonly onMade: (made: Made) => void; readonly onClose: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const form = useForm<DestinationValues>({ url: 'https://', description: '', active: true, events: [] });
  const create = useCommand({
    send: (values: DestinationValues, headers) =>
      body(api.POST('/outbound-webhooks', { body: bodyOf(values), headers })),
    // Sent once more, the service answers with the secret that nobody has seen.
    adds: '/outbound-webhooks',
    kinds: ['destination'],
    onDone(made) {
      onMade(made);
      onClose();
    },
  });
  return (
    <Dialog title={t('create')} onClose={onClose}>
      <Form
        sending={create}
        submit={shared('save')}
        cancel={onClose}
        form={form}
        onSubmit={() => {
          create.mutate(form.values);
        }}
      >
        <DestinationFields form={form} />
      </Form>
    </Dialog>
  );
}
