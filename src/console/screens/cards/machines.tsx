import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/fields.js';
import { Form, useForm } from '../../parts/form.js';
import { Page } from '../../parts/page.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Empty, Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { Configuration } from './configuration.js';
import { CardTabs, KINDS, useConfiguration } from './configuration.js';
import { RateGrid } from './rate-grid.js';
import { words } from './words.js';

export function Machines() {
  const t = useWords(words);
  const may = useMay();
  const configuration = useConfiguration();
  const [isNew, setNew] = useState(false);
  const create = may('cardFees.manage') && (
    <Button
      icon="plus"
      look="main"
      onClick={() => {
        setNew(true);
      }}
    >
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} actions={create}>
      <CardTabs current="rates" />
      <Shown reading={configuration}>{(found) => <Chosen configuration={found} />}</Shown>
      {isNew && (
        <NewMachine
          onClose={() => {
            setNew(false);
          }}
        />
      )}
    </Page>
  );
}

function Chosen({ configuration }: { readonly configuration: Configuration }) {
  const t = useWords(words);
  const may = useMay();
  const { accounts } = configuration;
  const [chosen, setChosen] = useFilter('machine');
  const use = useCommand({
    send: (accountId: string, headers) =>
      body(api.POST('/card-fees/accounts/{accountId}/activate', { params: { path: { accountId } }, headers })),
    kinds: KINDS,
  });
  const machine = accounts.find(({ id }) => id === chosen) ?? accounts.find(({ active }) => active) ?? accounts[0];
  if (!machine) return <Empty title={t('noMachines')} />;
  return (
    <>
      <div class="filters">
        <SelectField
          label={t('machine')}
          required
          value={machine.id}
          onValue={setChosen}
          choices={accounts.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {machine.active ? (
          <Status tone="good">{t('inUse')}</Status>
        ) : (
          may('cardFees.manage') && (
            <Button
              busy={use.isPending}
              onClick={() => {
                use.mutate(machine.id);
              }}
            >
              {t('use')}
            </Button>
          )
        )}
      </div>
      {use.error && <ProblemNote error={use.error} />}
      <RateGrid key={machine.id} {...{ configuration, machine }} />
    </>
  );
}

function NewMachine({ onClose }: { readonly onClose: () => void }) {
  const t = useWords(words);
  const shared = useWords(frame);
  const form = useForm({ name: '' });
  const create = useCommand({
    send: ({ name }: typeof form.values, headers) =>
      body(api.POST('/card-fees/accounts', { body: { name: name.trim() }, headers })),
    kinds: KINDS,
    onDone: onClose,
  });
  return (
    <Dialog title={t('create')} onClose={onClose}>
      <Form
        sending={create}
        submit={shared('save')}
        cancel={onClose}
        onSubmit={() => {
          create.mutate(form.values);
        }}
      >
        <TextField
          label={t('name')}
          path="name"
          required
          maxLength={100}
          value={form.values.name}
          onValue={(name) => {
            form.set('name', name);
          }}
        />
      </Form>
    </Dialog>
  );
}
